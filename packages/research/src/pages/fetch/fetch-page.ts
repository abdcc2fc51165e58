import { STATUS_CODES } from "node:http";
import { aborted } from "../../aborted.js";
import type { ProxyEnvironment } from "../../net/proxies.js";
import { hostOf, isPublicAddress, isPublicHost, isWebUrl } from "../../net/public-address.js";
import { HostTurns } from "./host-turns.js";
import { Connections, httpGet, toPageError } from "./http-get.js";
import { PageError } from "./page-error.js";
import { readBody } from "./read-body.js";
import { Robots } from "./robots.js";

/** A page, as a server sent it. */
interface FetchedPage {
  /** The address that was asked for. */
  url: string;
  /** The address behind redirects. */
  finalUrl: string;
  bytes: Uint8Array;
  /** As the header says it; empty when it does not. */
  contentType: string;
}

/** How pages are fetched. */
export interface PageFetcherOptions {
  /** Variables that name proxies (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`). Default: none. */
  env?: ProxyEnvironment;
  /** How the program names itself; its first word is looked for in `robots.txt`. */
  userAgent: string;
  /** Whether `robots.txt` is respected. Default `true`. */
  respectRobots?: boolean;
  /** Milliseconds for one page, redirects included. Default 20,000. */
  timeoutMs?: number;
  /** Milliseconds until a connection must stand. Default 5,000. */
  connectTimeoutMs?: number;
  /** Bytes of one page at most, as they are sent. Default 10 MiB; unpacked twice that. */
  maxBytes?: number;
  /** Whether a connection to this address (IPv4 or IPv6) may be made. Default: to public ones alone. */
  allowAddress?: (address: string) => boolean;
  /** Ports that may be asked. Default 80 and 443. */
  ports?: readonly number[];
}

/** Fetches one page. Rejects with a {@link PageError}. */
export type FetchPage = (url: string, signal?: AbortSignal) => Promise<FetchedPage>;

const MAX_REDIRECTS = 5;
const MAX_URL = 8_192;
const MAX_ROBOTS_BYTES = 524_288;
const ROBOTS_KEPT = 500;
const PER_HOST = 2;
const ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.9,application/json;q=0.8,*/*;q=0.5";

/** Makes a function that fetches pages of the public web, a few of one host at a time. */
export function createPageFetcher(options: PageFetcherOptions): FetchPage {
  const fetcher = new PageFetcher(options);
  return (url, signal) => fetcher.fetch(url, signal);
}

class PageFetcher {
  readonly #options: Required<PageFetcherOptions>;
  readonly #turns = new HostTurns(PER_HOST);
  readonly #robots = new Map<string, Promise<Robots>>();
  readonly #connections = new Connections();

  constructor(options: PageFetcherOptions) {
    this.#options = {
      env: {},
      respectRobots: true,
      timeoutMs: 20_000,
      connectTimeoutMs: 5_000,
      maxBytes: 10 * 1_048_576,
      allowAddress: isPublicAddress,
      ports: [80, 443],
      ...options,
    };
  }

  async fetch(url: string, caller?: AbortSignal): Promise<FetchedPage> {
    const { timeoutMs } = this.#options;
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(new PageError("timeout", `did not arrive within ${timeoutMs / 1_000} s`));
    }, timeoutMs);
    const signal = caller === undefined ? late.signal : AbortSignal.any([late.signal, caller]);
    try {
      return await this.#follow(url, signal);
    } catch (error) {
      throw toPageError(error, signal);
    } finally {
      clearTimeout(timer);
    }
  }

  async #follow(url: string, signal: AbortSignal): Promise<FetchedPage> {
    let target = this.#check(url);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      await this.#checkRobots(target, signal);
      const found = await this.#turns.take(target.host, signal, () => this.#hop(target, signal));
      if ("bytes" in found) return { url, finalUrl: target.href, ...found };
      target = this.#check(found.location);
    }
    throw new PageError("redirects", `redirects more than ${MAX_REDIRECTS} times`);
  }

  /** One answer: a page, or where it is. */
  async #hop(
    url: URL,
    signal: AbortSignal,
  ): Promise<{ location: string } | Pick<FetchedPage, "bytes" | "contentType">> {
    const answer = await this.#ask(url, signal);
    try {
      const { statusCode: status = 0, headers } = answer;
      if (status >= 300 && status < 400 && headers.location !== undefined) {
        if (!URL.canParse(headers.location, url.href)) throw new PageError("redirects", "redirects to no address");
        return { location: new URL(headers.location, url).href };
      }
      if (status < 200 || status >= 300) throw failedStatus(status, headers["retry-after"]);
      const { maxBytes } = this.#options;
      const bytes = await readBody(answer, { maxBytes, maxUnpackedBytes: 2 * maxBytes });
      return { bytes, contentType: headers["content-type"] ?? "" };
    } finally {
      answer.destroy();
    }
  }

  #ask(url: URL, signal: AbortSignal) {
    const { env, allowAddress, connectTimeoutMs, userAgent } = this.#options;
    const headers = { "user-agent": userAgent, accept: ACCEPT, "accept-encoding": "gzip, deflate, br" };
    return httpGet(url, { headers, signal, env, allowAddress, connectTimeoutMs, connections: this.#connections });
  }

  /** Throws for an address that may not be asked for: before the first request and before each redirect. */
  #check(text: string): URL {
    const { allowAddress, ports } = this.#options;
    if (text.length > MAX_URL || !isWebUrl(text)) throw new PageError("address", "is no address of a page on the web");
    const url = new URL(text);
    url.hash = "";
    if (!isPublicHost(hostOf(text), allowAddress)) throw new PageError("address", "is not on the public internet");
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    if (!ports.includes(port)) throw new PageError("address", `asks for port ${port}, which is not one of web pages`);
    return url;
  }

  async #checkRobots(url: URL, signal: AbortSignal): Promise<void> {
    if (!this.#options.respectRobots) return;
    const robots = await Promise.race([this.#robotsOf(url.origin), aborted(signal)]);
    signal.throwIfAborted();
    if (robots?.allows(url.pathname + url.search) === false) {
      throw new PageError("robots", "may not be read by programs: its site says so in robots.txt");
    }
  }

  #robotsOf(origin: string): Promise<Robots> {
    let robots = this.#robots.get(origin);
    if (robots === undefined) {
      // For all who ask, so that it does not end with the first of them.
      const asked = this.#readRobots(origin, AbortSignal.timeout(this.#options.timeoutMs));
      this.#robots.set(origin, asked);
      // What failed is asked for again with the next page.
      asked.catch(() => this.#robots.get(origin) === asked && this.#robots.delete(origin));
      const [oldest] = this.#robots.keys();
      if (this.#robots.size > ROBOTS_KEPT && oldest !== undefined) this.#robots.delete(oldest);
      robots = asked;
    }
    return robots;
  }

  /** None, or one that cannot be had: all is allowed. A server that fails: nothing is (RFC 9309). */
  async #readRobots(origin: string, signal: AbortSignal): Promise<Robots> {
    const [product = ""] = this.#options.userAgent.split(/[/\s]/, 1);
    let target = new URL("/robots.txt", origin);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const answer = await this.#ask(target, signal);
      try {
        const { statusCode: status = 0, headers } = answer;
        if (
          status >= 300 &&
          status < 400 &&
          headers.location !== undefined &&
          URL.canParse(headers.location, target.href)
        ) {
          target = this.#check(new URL(headers.location, target).href);
          continue;
        }
        if (status >= 500) throw new PageError("robots", `may not be read now: its robots.txt answers ${status}`);
        if (status < 200 || status >= 300) return new Robots("", product);
        const limits = { maxBytes: MAX_ROBOTS_BYTES, maxUnpackedBytes: MAX_ROBOTS_BYTES, cut: true };
        return new Robots(new TextDecoder().decode(await readBody(answer, limits)), product);
      } finally {
        answer.destroy();
      }
    }
    return new Robots("", product);
  }
}

function failedStatus(status: number, retryAfter: string | undefined): PageError {
  const name = STATUS_CODES[status];
  const again = retryAfter === undefined ? "" : `; it asks to wait ${retryAfter.slice(0, 40)}`;
  return new PageError("status", `answered ${status}${name === undefined ? "" : ` (${name})`}${again}`, { status });
}
