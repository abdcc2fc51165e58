import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * Lets in the browser that was given the address, and nobody else: its token opens once and becomes a cookie. What changes
 * something must come from our own pages, which carry a secret.
 */
export class Guard {
  /** For the forms of our pages. */
  readonly secret = newSecret();
  /** For the address. */
  readonly token = newSecret();
  readonly #port: number;
  readonly #session = newSecret();
  #isUsed = false;

  constructor(port: number) {
    this.#port = port;
  }

  /** Whether the address bar names this server: a name that somebody else's name service gives does not. */
  isHere({ headers }: IncomingMessage): boolean {
    return headers.host === `127.0.0.1:${this.#port}` || headers.host === `localhost:${this.#port}`;
  }

  /** Gives the cookie to whoever brings the token, the first time. */
  admit(token: string): string | undefined {
    if (this.#isUsed || !isSame(token, this.token)) return undefined;
    this.#isUsed = true;
    return `${this.#cookie}=${this.#session}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** Whether a request comes from the browser that was let in, and not by way of another site. */
  isKnown({ headers }: IncomingMessage): boolean {
    const site = headers["sec-fetch-site"];
    if (site !== undefined && site !== "same-origin" && site !== "none") return false;
    const cookies = (headers.cookie ?? "").split(";").map((part) => part.trim().split("="));
    return cookies.some(([name, value = ""]) => name === this.#cookie && isSame(value, this.#session));
  }

  /** Whether a form is one of ours. */
  isOurs({ headers }: IncomingMessage, form: URLSearchParams): boolean {
    const { origin, host } = headers;
    return origin === `http://${host}` && isSame(form.get("secret") ?? "", this.secret);
  }

  /** Cookies do not tell ports from each other. */
  get #cookie(): string {
    return `x-research-${this.#port}`;
  }
}

function newSecret(): string {
  return randomBytes(24).toString("base64url");
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(one as Buffer, other as Buffer);
}
