import { createLocalJWKSet, type JSONWebKeySet } from "jose";
import { isSecureUrl } from "../host/loopback.js";
import { inWords } from "../queue/error-words.js";
import { shortLine } from "../text/plain-text.js";

const ANSWER_MS = 5_000;
/** What an issuer says of itself, and its keys, are asked for anew after it: no longer is a key good that it took away. */
const KNOWN_MS = 600_000;
/** However many ask for it, and whatever came of it, the issuer is asked no sooner than so long after the last time. */
const AGAIN_MS = 10_000;
const LONGEST_DOCUMENT = 1_000_000;

export type Keys = ReturnType<typeof createLocalJWKSet>;

/** The keys of an OAuth issuer. Those that are known hold while it does not answer. */
export class IssuerKeys {
  readonly #issuer: string;
  #known: { keys: Keys; atMs: number } | undefined;
  #last: { atMs: number; error?: Error } | undefined;
  #asking: Promise<Keys> | undefined;

  constructor(issuer: string) {
    this.#issuer = issuer;
  }

  /** Rejects as long as none are known. */
  async present(): Promise<Keys> {
    const known = this.#known;
    if (known !== undefined && performance.now() - known.atMs < KNOWN_MS) return known.keys;
    // Nobody waits for an issuer that did not answer the last time, where that is not needed.
    const isAway = this.#last?.error !== undefined;
    const newest = this.newest();
    if (known === undefined) return newest;
    const orKnown = newest.catch(() => known.keys);
    return isAway ? known.keys : orKnown;
  }

  /** As the issuer gives them now or gave them a moment ago. Rejects when it did not. */
  async newest(): Promise<Keys> {
    const last = this.#last;
    if (this.#asking === undefined && last !== undefined && performance.now() - last.atMs < AGAIN_MS) {
      if (last.error !== undefined) throw last.error;
      if (this.#known !== undefined) return this.#known.keys;
    }
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<Keys> {
    try {
      const keys = await keysOf(this.#issuer);
      const atMs = performance.now();
      this.#known = { keys, atMs };
      this.#last = { atMs };
      return keys;
    } catch (error) {
      this.#last = { atMs: performance.now(), error: error as Error };
      throw error;
    }
  }
}

async function keysOf(issuer: string): Promise<Keys> {
  const url = await urlOfKeys(issuer);
  try {
    const found = await documentAt(url);
    if (found === undefined) throw new Error("it answers with something else");
    return createLocalJWKSet(found as unknown as JSONWebKeySet);
  } catch (error) {
    throw new Error(`The keys of ${issuer} cannot be read at ${url}: ${whyOf(error as Error)}`);
  }
}

/** Where the keys of an issuer are, as its metadata says (RFC 8414, OpenID Connect Discovery). */
async function urlOfKeys(issuer: string): Promise<string> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const place of places) {
    const found = await documentAt(place).catch((error: Error) => {
      throw new Error(`The issuer ${issuer} cannot be asked at ${place}: ${whyOf(error)}`);
    });
    if (found === undefined) continue;
    const { issuer: said, jwks_uri: uri } = found;
    if (said !== issuer)
      throw new Error(`${place} speaks for another issuer than ${issuer}: ${shortLine(String(said), 200)}`);
    if (typeof uri === "string" && isSecureUrl(uri)) return uri;
    throw new Error(`${place} names no keys that can be asked for over https`);
  }
  throw new Error(`The issuer ${issuer} says nowhere where its keys are`);
}

/** What Node says of a request that failed stands in the cause. */
function whyOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${inWords(cause)}` : message;
}

/** `undefined`: there is no object there. */
async function documentAt(url: string): Promise<Record<string, unknown> | undefined> {
  const { status, body } = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(ANSWER_MS) });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > LONGEST_DOCUMENT) throw new Error(`its answer is longer than ${LONGEST_DOCUMENT} bytes`);
    chunks.push(chunk);
  }
  if (status !== 200) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
