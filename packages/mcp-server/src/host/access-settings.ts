import type { Host } from "./io.js";
import { isLoopback, isSecureUrl } from "./loopback.js";
import { quoted } from "./quoted.js";
import { absoluteOn } from "./setting-values.js";
import { type Env, given } from "./settings.js";

/** Who may come in over HTTP. */
export interface AccessSettings {
  token: string | undefined;
  /** Absolute. A file with the tokens of many tenants. */
  tokensFile: string | undefined;
  /** Whose tokens are taken, and for whom they must be made. */
  oauth: { issuer: string; audience: string } | undefined;
  /** Why what says who may come in cannot be used: nothing may be served then. */
  accessProblem?: string;
}

/** What is set and cannot be used lets nobody in. */
export function accessOf(env: Env, host: Host): AccessSettings {
  const { token, tokenProblem } = httpToken(env);
  const { MCP_SERVER_TOKENS, MCP_SERVER_OAUTH_ISSUER, MCP_SERVER_OAUTH_AUDIENCE } = env;
  const [file, issuer, audience] = [MCP_SERVER_TOKENS, MCP_SERVER_OAUTH_ISSUER, MCP_SERVER_OAUTH_AUDIENCE].map(given);
  const unset = [
    ["MCP_SERVER_TOKENS", MCP_SERVER_TOKENS, file, "the path of a file"],
    ["MCP_SERVER_OAUTH_ISSUER", MCP_SERVER_OAUTH_ISSUER, issuer, "the URL of the issuer"],
    ["MCP_SERVER_OAUTH_AUDIENCE", MCP_SERVER_OAUTH_AUDIENCE, audience, "the audience of the tokens"],
  ] as const;
  const empty = unset.find(([, value = "", meant]) => value !== "" && meant === undefined);
  const accessProblem =
    tokenProblem ??
    (empty && `${empty[0]} is set, but holds nothing: expected ${empty[3]}; unset it where none is needed`) ??
    oauthProblem(issuer, audience);
  const oauth = issuer !== undefined && audience !== undefined ? { issuer, audience } : undefined;
  return {
    token,
    tokensFile: file && absoluteOn(host)(file, host.cwd),
    oauth,
    ...(accessProblem !== undefined && { accessProblem }),
  };
}

function oauthProblem(issuer: string | undefined, audience: string | undefined): string | undefined {
  if ((issuer === undefined) !== (audience === undefined)) {
    const [isSet, isNot] = issuer === undefined ? ["AUDIENCE", "ISSUER"] : ["ISSUER", "AUDIENCE"];
    return `MCP_SERVER_OAUTH_${isSet} is set without MCP_SERVER_OAUTH_${isNot}: a token is taken from one issuer, for one audience`;
  }
  if (issuer === undefined || isSecureUrl(issuer)) return undefined;
  return `MCP_SERVER_OAUTH_ISSUER is ${quoted(issuer)}: expected an https URL`;
}

/** An empty text is no token; anything else that cannot be one was meant to be one. */
function httpToken({ MCP_SERVER_TOKEN: value = "" }: Env): { token: string | undefined; tokenProblem?: string } {
  if (value === "") return { token: undefined };
  const token = given(value);
  if (token !== undefined && !/\s/.test(token)) return { token };
  const why = token === undefined ? "is set, but holds no token" : "holds a blank";
  const tokenProblem = `MCP_SERVER_TOKEN ${why}: expected a text without blanks; unset it where none is needed`;
  return { token: undefined, tokenProblem };
}

/** Anybody who reaches the server could guess a shorter one. */
const SHORTEST_TOKEN = 16;

/** Why nothing may be served over HTTP with these settings. `undefined`: nothing speaks against it. */
export function whyNotServed(http: AccessSettings & { host: string }): string | undefined {
  const { host, token, tokensFile, oauth, accessProblem } = http;
  if (accessProblem !== undefined || isLoopback(host)) return accessProblem;
  if (token === undefined) {
    if (tokensFile !== undefined || oauth !== undefined) return undefined;
    return `The host is ${host}: set MCP_SERVER_TOKEN or MCP_SERVER_TOKENS, since everybody who reaches it could use your quota`;
  }
  return token.length >= SHORTEST_TOKEN
    ? undefined
    : `MCP_SERVER_TOKEN has ${token.length} characters: on ${host} it needs at least ${SHORTEST_TOKEN}, since others could guess it`;
}
