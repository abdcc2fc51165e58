import { isLoopback } from "../host/loopback.js";

const ANY = /^(?:0\.0\.0\.0|\[?::\]?)$/;

/** A host as it stands in a URL: an address of IPv6 in brackets. */
export function inUrl(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** The host of a URL in the one form that all its spellings have. */
export function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/**
 * Whether a request may name this host, as {@link hostnameOf} gives it, when the server is at `servedAt`: on loopback only its
 * names; on an address for others, which has a token, also that address and, for any, all.
 */
export function isAllowed(host: string, servedAt: string): boolean {
  if (isLoopback(host)) return true;
  if (isLoopback(servedAt)) return false;
  return ANY.test(servedAt) || host === hostnameOf(`http://${inUrl(servedAt)}`);
}
