import { createHash } from "node:crypto";
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from "jose";
import { isSecureUrl } from "../host/loopback.js";
import { plainLine, shortLine } from "../text/plain-text.js";
import { type TenantLimits, type TokenReader, tenant } from "./principal.js";

export interface OAuthOptions {
  /** URL of who makes the tokens. */
  issuer: string;
  /** What tokens for this server are made for: its own address. */
  audience: string;
}

/** Of keys that are shared between two sides, anybody who checks a token could make one. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const CLOCKS_DIFFER = "60s";
const ANSWER_MS = 5_000;
/** What an issuer says of itself, and its keys, are asked for anew after it: no longer is a key good that it took away. */
const KNOWN_MS = 600_000;
/** When it does not answer then, what it said before holds, and it is asked again after so long. */
const AGAIN_MS = 60_000;
const LONGEST_TOKEN = 16_384;
const LONGEST_DOCUMENT = 1_000_000;

/**
 * Tokens of an OAuth 2.1 issuer: signed by one of its keys, for this server, and still good.
 *
 * @param limits Of each tenant.
 */
export function issuedBy({ issuer, audience }: OAuthOptions, limits: TenantLimits = {}): TokenReader {
  const options = {
    ...{ issuer, audience, algorithms: ALGORITHMS, clockTolerance: CLOCKS_DIFFER },
    requiredClaims: ["exp", "sub"],
  };
  let keys: { find: Keys; atMs: number } | undefined;
  let asking: Promise<Keys> | undefined;

  async function keysOf(): Promise<Keys> {
    if (keys !== undefined && performance.now() - keys.atMs < KNOWN_MS) return keys.find;
    asking ??= ask()
      .catch((error: unknown) => {
        if (keys === undefined) throw error;
        keys.atMs = performance.now() - KNOWN_MS + AGAIN_MS;
        return keys.find;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }

  async function ask(): Promise<Keys> {
    const find = createRemoteJWKSet(await jwksOf(issuer), { timeoutDuration: ANSWER_MS, cacheMaxAge: Infinity });
    // Those before hold until they are here.
    await find.reload().catch((error: Error) => {
      throw cannotRead(issuer, error);
    });
    keys = { find, atMs: performance.now() };
    return find;
  }

  return async (token) => {
    if (token.length > LONGEST_TOKEN || token.split(".").length !== 3) return undefined;
    const find = await keysOf();
    try {
      const { sub } = (await claimsOf(token, find, options)) as { sub?: unknown };
      return typeof sub === "string" && sub !== "" ? tenant(nameOf(issuer, sub), limits) : undefined;
    } catch (error) {
      if (error instanceof errors.JOSEError && !UNKNOWN.has(error.code)) return undefined;
      throw cannotRead(issuer, error as Error);
    }
  };
}

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** What a token says, when a key of the issuer signed it. */
async function claimsOf(token: string, keys: Keys, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return await claimsBy(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWSSignatureVerificationFailed) || keys.coolingDown) throw error;
    // A new key may have the name of an old one, or the token names none.
    await keys.reload();
    return claimsBy(token, keys, options);
  }
}

async function claimsBy(token: string, keys: Keys, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (wrong) {
        if (!(wrong instanceof errors.JWSSignatureVerificationFailed)) throw wrong;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function cannotRead(issuer: string, error: Error): Error {
  return new Error(`The keys of ${issuer} cannot be read: ${error.message}`);
}

/** Errors that say nothing of the token. */
const UNKNOWN = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"]);

/** A name that no two subjects share, nor a tenant of the file, and that a person can tell in a log. */
function nameOf(issuer: string, subject: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([issuer, subject]))
    .digest("hex")
    .slice(0, 24);
  const shown = plainLine(subject)
    .replace(/[^\w.@-]/g, "")
    .slice(0, 24);
  return `oauth:${shown}${shown === "" ? "" : "-"}${digest}`;
}

/** Where the keys of an issuer are, as its metadata says (RFC 8414, OpenID Connect Discovery). */
async function jwksOf(issuer: string): Promise<URL> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of places) {
    const found = await documentAt(place);
    if (found === undefined) continue;
    const { issuer: said, jwks_uri: uri } = found;
    if (said !== issuer)
      throw new Error(`${place} speaks for another issuer than ${issuer}: ${shortLine(String(said), 200)}`);
    if (typeof uri === "string" && isSecureUrl(uri)) return new URL(uri);
    throw new Error(`${place} names no keys that can be asked for over https`);
  }
  throw new Error(`The issuer ${issuer} says nowhere where its keys are`);
}

async function documentAt(url: string): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(ANSWER_MS) });
  const text = await response.text();
  if (response.status !== 200 || text.length > LONGEST_DOCUMENT) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
