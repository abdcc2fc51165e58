import type { IncomingMessage } from "node:http";
import type { Access } from "../access/access.js";
import { shortLine } from "../text/plain-text.js";
import { hostnameOf, isAllowed } from "./allowed-hosts.js";
import { MAX_BODY_BYTES, type Refusal, TOO_LARGE } from "./http-body.js";
import { REFUSED } from "./message.js";

/** Against pages in a browser that reach the server by a name of their own, or ask it from another site. */
export function originProblem({ headers }: IncomingMessage, servedAt: string): Refusal | undefined {
  const host = hostnameOf(`http://${headers.host ?? ""}`);
  if (host === undefined || !isAllowed(host, servedAt)) {
    return { status: 403, code: REFUSED, message: `Host is not allowed: ${shortLine(String(headers.host), 100)}` };
  }
  if (headers.origin !== undefined && !isAllowed(hostnameOf(headers.origin) ?? "", servedAt)) {
    return { status: 403, code: REFUSED, message: `Origin is not allowed: ${shortLine(headers.origin, 100)}` };
  }
  return Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES ? TOO_LARGE : undefined;
}

/** Where clients read which issuer's tokens the server takes (RFC 9728), also with the path of the server behind it. */
const METADATA = "/.well-known/oauth-protected-resource";

/** The answer to a request for the metadata of a protected resource; `undefined`: it is for something else. */
export function resourceMetadata({ url }: IncomingMessage, { oauth }: Pick<Access, "oauth">): object | undefined {
  const pathname = url?.split("?")[0];
  if (oauth === undefined || (pathname !== METADATA && pathname !== `${METADATA}/mcp`)) return undefined;
  const { issuer, audience } = oauth;
  return { resource: audience, authorization_servers: [issuer], bearer_methods_supported: ["header"] };
}

/** What tells a client without a token, or with one that is not taken, how to come by one. */
export function challenge({ headers }: IncomingMessage, { oauth }: Pick<Access, "oauth">): string {
  if (oauth === undefined) return "Bearer";
  const origin = URL.canParse(oauth.audience) ? new URL(oauth.audience).origin : "null";
  // The host was looked at before: it can be read.
  const at = origin === "null" ? new URL(`http://${headers.host}`).origin : origin;
  const error = headers.authorization === undefined ? "" : `error="invalid_token", `;
  return `Bearer ${error}resource_metadata="${at}${METADATA}/mcp"`;
}
