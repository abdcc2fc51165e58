import { createHash } from "node:crypto";
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from "jose";
import type { Log } from "../host/log.js";
import { plainLine, shortLine } from "../text/plain-text.js";
import { IssuerKeys, type Keys } from "./issuer-keys.js";
import { type Principal, type TenantLimits, type TokenReader, tenant } from "./principal.js";

export interface OAuthOptions {
  /** URL of who makes the tokens. */
  issuer: string;
  /** What tokens for this server are made for: its own address. */
  audience: string;
}

export interface Issuer {
  principalOf: TokenReader;
  /** Rejects as long as its keys are not known. */
  known(): Promise<void>;
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
const LONGEST_TOKEN = 16_384;

/**
 * Tokens of an OAuth 2.1 issuer: signed by one of its keys, for this server, and still good.
 *
 * @param limits Of each tenant.
 * @param log Why a token is not taken; never the token.
 */
export function issuedBy({ issuer, audience }: OAuthOptions, limits: TenantLimits, log: Log): Issuer {
  const options = {
    ...{ issuer, audience, algorithms: ALGORITHMS, clockTolerance: CLOCKS_DIFFER },
    requiredClaims: ["exp", "sub"],
  };
  const keys = new IssuerKeys(issuer);
  const refused = (why: string) => void log("debug", `OAuth: a token is not taken: ${shortLine(why, 200)}`);

  async function principalOf(token: string): Promise<Principal | undefined> {
    // For what is none nobody need be asked.
    if (!isOurs(token, issuer)) return refused("it is no JWT of the issuer that a key of its own could have signed");
    const present = await keys.present();
    try {
      const { sub } = (await claimsOf(token, present, keys, options)) as { sub?: unknown };
      if (typeof sub === "string" && sub !== "") return tenant(nameOf(issuer, sub), limits);
      return refused("its subject is no text");
    } catch (error) {
      if (error instanceof errors.JOSEError) return refused(error.message);
      throw error;
    }
  }

  return { principalOf, known: async () => void (await keys.present()) };
}

/** By what it says of itself. */
function isOurs(token: string, issuer: string): boolean {
  if (token.length > LONGEST_TOKEN) return false;
  try {
    const { alg = "" } = decodeProtectedHeader(token);
    return ALGORITHMS.includes(alg) && decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

/** What a token says, when a key of the issuer signed it. */
async function claimsOf(
  token: string,
  present: Keys,
  keys: IssuerKeys,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return await claimsBy(token, present, options);
  } catch (error) {
    const isUnknown = error instanceof errors.JWKSNoMatchingKey;
    if (!isUnknown && !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    // A new key may have the name of an old one, or the token names none.
    const newest = await keys.newest().catch((cause: unknown) => {
      throw isUnknown ? cause : error;
    });
    if (newest === present) throw error;
    return claimsBy(token, newest, options);
  }
}

async function claimsBy(token: string, keys: Keys, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return await signedBy(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return await signedBy(token, async () => key, options);
      } catch (wrong) {
        if (!(wrong instanceof errors.JWSSignatureVerificationFailed)) throw wrong;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** What a token says, when its key signed it. One that cannot be used, such as one that is too short, has signed nothing. */
async function signedBy(token: string, keyOf: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keyOf, options)).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) throw error;
    const why = `a key of the issuer cannot be used: ${(error as Error).message}`;
    throw new errors.JWSSignatureVerificationFailed(why, { cause: error });
  }
}

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
