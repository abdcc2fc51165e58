import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { PERSON } from "../jobs/job-record.js";
import { hostnameOf, isAllowed } from "./allowed-hosts.js";
import { MAX_BODY_BYTES, type Refusal, tooLarge } from "./http-body.js";

const REFUSED = -32_000;

/** Against pages in a browser that reach the server by a name of their own, or ask it from another site. */
export function originProblem({ headers }: IncomingMessage, servedAt: string): Refusal | undefined {
  const host = hostnameOf(`http://${headers.host ?? ""}`);
  if (host === undefined || !isAllowed(host, servedAt)) {
    return { status: 403, code: REFUSED, message: `Host is not allowed: ${headers.host}` };
  }
  if (headers.origin !== undefined && !isAllowed(hostnameOf(headers.origin) ?? "", servedAt)) {
    return { status: 403, code: REFUSED, message: `Origin is not allowed: ${headers.origin}` };
  }
  return Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES ? tooLarge() : undefined;
}

/**
 * Whose request it is: without a token, which only a server on loopback may lack, the person at the machine; with one,
 * whoever has it. `undefined`: nobody's.
 */
export function ownerOf({ headers }: IncomingMessage, token: string | undefined): string | undefined {
  if (token === undefined) return PERSON;
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  // Digests are compared, so that neither content nor length shows in the time it takes.
  if (!timingSafeEqual(digestOf(given), digestOf(token))) return undefined;
  return `token-${digestOf(token).toString("hex").slice(0, 16)}`;
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
