import type { Host } from "./io.js";
import { isLoopback, isSecureUrl } from "./loopback.js";
import { quoted } from "./quoted.js";
import { absoluteOn, integer } from "./setting-values.js";
import { type Env, given } from "./settings.js";

/** What one tenant may have. Missing: as much as anybody. */
export interface TenantLimits {
  /** Researches at once; the tenant's others wait. */
  running?: number;
  /** Researches that wait. */
  queued?: number;
  /** Calls within a minute that ask for a research, whatever comes of them. */
  perMinute?: number;
  /** Researches that stay when they have ended. */
  kept?: number;
}

/** Who may come in over HTTP. */
export interface AccessSettings {
  token: string | undefined;
  /** Absolute. A file with the tokens of many tenants. */
  tokensFile: string | undefined;
  /** Whose tokens are taken, and for whom they must be made. */
  oauth: { issuer: string; audience: string } | undefined;
  /** Of each tenant who has no such limit of its own. */
  limits: TenantLimits;
  /** Why what says who may come in cannot be used: nothing may be served then. */
  accessProblem?: string;
}

/** What is set and cannot be used lets nobody in. */
export function accessOf(env: Env, host: Host): AccessSettings {
  const { token, tokenProblem } = httpToken(env);
  const { MCP_SERVER_TOKENS, MCP_SERVER_OAUTH_ISSUER, MCP_SERVER_OAUTH_AUDIENCE, MCP_SERVER_LIMITS } = env;
  const [file, issuer, audience] = [MCP_SERVER_TOKENS, MCP_SERVER_OAUTH_ISSUER, MCP_SERVER_OAUTH_AUDIENCE].map(given);
  const unset = [
    ["MCP_SERVER_TOKENS", MCP_SERVER_TOKENS, file, "the path of a file"],
    ["MCP_SERVER_OAUTH_ISSUER", MCP_SERVER_OAUTH_ISSUER, issuer, "the URL of the issuer"],
    ["MCP_SERVER_OAUTH_AUDIENCE", MCP_SERVER_OAUTH_AUDIENCE, audience, "the audience of the tokens"],
    ["MCP_SERVER_LIMITS", MCP_SERVER_LIMITS, given(MCP_SERVER_LIMITS), "limits of tenants"],
  ] as const;
  const empty = unset.find(([, value = "", meant]) => value !== "" && meant === undefined);
  const { limits, limitsProblem } = tenantLimits(env);
  const accessProblem =
    tokenProblem ??
    limitsProblem ??
    (empty && `${empty[0]} is set, but holds nothing: expected ${empty[3]}; unset it where none is needed`) ??
    oauthProblem(issuer, audience);
  const oauth = issuer !== undefined && audience !== undefined ? { issuer, audience } : undefined;
  return {
    token,
    tokensFile: file && absoluteOn(host)(file, host.cwd),
    ...{ oauth, limits },
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

const LIMITS = { running: "running", queued: "queued", per_minute: "perMinute", kept: "kept" } as const;
const wholeNumber = integer(0, Number.MAX_SAFE_INTEGER);
const EXPECTED_LIMITS =
  "expected such as running=2,queued=10,per_minute=60,kept=200: each a whole number of 0 and more";

/** Where they cannot be read nobody comes in: a tenant would have more than was meant. */
function tenantLimits({ MCP_SERVER_LIMITS }: Env): { limits: TenantLimits; limitsProblem?: string } {
  const text = given(MCP_SERVER_LIMITS);
  const limits: TenantLimits = {};
  for (const part of text?.split(",") ?? []) {
    const [name = "", value = "", ...more] = part.split("=").map((word) => word.trim());
    const key = Object.hasOwn(LIMITS, name) ? LIMITS[name as keyof typeof LIMITS] : undefined;
    const most = wholeNumber(value);
    if (key === undefined || most === undefined || more.length > 0 || limits[key] !== undefined) {
      return { limits: {}, limitsProblem: `MCP_SERVER_LIMITS is ${quoted(text ?? "")}: ${EXPECTED_LIMITS}` };
    }
    limits[key] = most;
  }
  return { limits };
}

/** What every client writes into a header, and writes in the same bytes. */
const SENDABLE = /^[!-~]+$/;

/** An empty text is no token; anything else that cannot be one was meant to be one. */
function httpToken({ MCP_SERVER_TOKEN: value = "" }: Env): { token: string | undefined; tokenProblem?: string } {
  if (value === "") return { token: undefined };
  const token = given(value);
  if (token !== undefined && SENDABLE.test(token)) return { token };
  const mark = /\s/.test(token ?? "") ? "a blank" : "a character that no header can carry";
  const why = token === undefined ? "is set, but holds no token" : `holds ${mark}`;
  const tokenProblem = `MCP_SERVER_TOKEN ${why}: expected ASCII letters, digits and marks without blanks; unset it where none is needed`;
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
