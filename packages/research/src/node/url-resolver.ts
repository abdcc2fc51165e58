import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { aborted } from "../aborted.js";
import { isRedirectLink } from "../evidence/urls.js";
import { hostOf, isPublicAddress, isPublicHost, isWebUrl, lookupAllowed } from "../net/public-address.js";

/** How links are resolved. */
export interface UrlResolverOptions {
  /** Milliseconds for one link, all its hops together. Default 3,000. */
  timeoutMs?: number;
  /** Links that are asked at the same time, at most. Default 8. */
  concurrency?: number;
  /** Answers that are kept at most, so that no link is asked twice. Default 1,000. */
  cacheSize?: number;
  /** Which links are asked at all; every other address is its own answer. Default: Google's redirect links. */
  isLink?: (url: string) => boolean;
  /** Whether a connection to this address (IPv4 or IPv6) may be made. Default: to public ones alone. */
  allowAddress?: (address: string) => boolean;
}

const MAX_HOPS = 3;
/** After this many links in a row without an answer in time, none is asked for a while: there is probably no network. */
const MAX_UNANSWERED = 8;
const REST_MS = 10 * 60_000;

/**
 * Makes a function that gives the page a link leads to, asking with `HEAD` and then `GET`, and reading nothing but the `Location` it
 * answers with: the page itself is not fetched. `undefined` when it cannot be told in time, or when the way or its end
 * is not on the public internet. Never rejects.
 */
export function createUrlResolver({
  timeoutMs = 3_000,
  concurrency = 8,
  cacheSize = 1_000,
  isLink = isRedirectLink,
  allowAddress = isPublicAddress,
}: UrlResolverOptions = {}): (url: string, signal?: AbortSignal) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let unanswered = 0;
  let restUntilMs = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < concurrency) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The turn goes to the next, or is given back.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  }

  async function follow(link: string): Promise<string | undefined> {
    if (performance.now() < restUntilMs) return undefined;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const page = await pageBehind(link, { isLink, allowAddress, signal });
      unanswered = 0;
      return page;
    } catch {
      if (++unanswered >= MAX_UNANSWERED) restUntilMs = performance.now() + REST_MS;
      return undefined;
    }
  }

  return async (url, signal) => {
    if (!isLink(url)) return url;
    let answer = known.get(url);
    if (answer === undefined) {
      answer = inTurn(() => follow(url));
      known.set(url, answer);
      const oldest = known.size > cacheSize ? known.keys().next().value : undefined;
      if (oldest !== undefined) known.delete(oldest);
      // What failed may work the next time.
      const asked = answer;
      void asked.then((page) => page === undefined && known.get(url) === asked && known.delete(url));
    }
    return signal === undefined ? answer : Promise.race([answer, aborted(signal)]);
  };
}

/** Where a link leads to in the end. Rejects when the signal says that the time is over. */
async function pageBehind(
  link: string,
  {
    isLink,
    allowAddress,
    signal,
  }: Required<Pick<UrlResolverOptions, "isLink" | "allowAddress">> & { signal: AbortSignal },
): Promise<string | undefined> {
  let url = link;
  for (let hop = 0; hop < MAX_HOPS && isLink(url); hop++) {
    const next =
      (await locationOf(url, "HEAD", signal, allowAddress)) ?? (await locationOf(url, "GET", signal, allowAddress));
    if (next === undefined) return undefined;
    url = next;
  }
  return isLink(url) || !isWebUrl(url) || !isPublicHost(hostOf(url), allowAddress) ? undefined : url;
}

/** Where the answer to a request points to, when it is a redirect. Connects to no address that is not allowed. */
function locationOf(
  url: string,
  method: "HEAD" | "GET",
  signal: AbortSignal,
  allowAddress: (address: string) => boolean,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const target = new URL(url);
    if (isIP(hostOf(url)) !== 0 && !allowAddress(hostOf(url))) return resolve(undefined);
    const request = target.protocol === "https:" ? httpsRequest : httpRequest;
    const asking = request(
      target,
      { method, signal, agent: false, lookup: lookupAllowed(allowAddress), maxHeaderSize: 16_384 },
      (answer) => {
        const { statusCode = 0, headers } = answer;
        answer.destroy();
        const location = statusCode >= 300 && statusCode < 400 ? headers.location : undefined;
        resolve(location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : undefined);
      },
    );
    asking.on("error", (error) => (signal.aborted ? reject(error) : resolve(undefined)));
    asking.end();
  });
}
