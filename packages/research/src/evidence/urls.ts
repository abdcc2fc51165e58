/** Addresses of pages: found in text, compared, merged. */

const TRACKING = /^(?:utm_\w+|gclid|dclid|fbclid|msclkid|yclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi|ref_src)$/i;
const REDIRECT_HOST = "vertexaisearch.cloud.google.com";

/** Whether this is Google's link that leads to a page a search found. It expires. */
export function isRedirectLink(url: string): boolean {
  const parsed = parse(url);
  return parsed?.hostname === REDIRECT_HOST && parsed.pathname.startsWith("/grounding-api-redirect/");
}

/** The address of a page without what tracks its reader and without the place in it; text that is none as it is. */
export function canonicalUrl(text: string): string {
  const trimmed = text.trim();
  const url = parse(trimmed);
  if (url === undefined) return trimmed;
  const tracked = [...url.searchParams.keys()].filter((name) => TRACKING.test(name));
  const place = url.hash !== "" && !/^#[!/]/.test(url.hash);
  if (tracked.length === 0 && !place) return trimmed;
  for (const name of tracked) url.searchParams.delete(name);
  if (place) url.hash = "";
  return url.href;
}

/** Equal for two addresses of one page: scheme, `www.`, a closing slash and the order of parameters do not count. */
export function pageKey(text: string): string {
  const url = parse(canonicalUrl(text));
  if (url === undefined) return text.trim();
  url.searchParams.sort();
  return `${hostOf(text)}${url.port === "" ? "" : `:${url.port}`}${url.pathname.replace(/\/+$/, "")}${url.search}${url.hash}`;
}

/** The host without `www.`, or `undefined` for text that is no web address. */
export function hostOf(text: string): string | undefined {
  return parse(text.trim())?.hostname.replace(/^www\./, "");
}

/** Whether the address is of this domain or one below it. */
export function isOfDomain(url: string, domain: string): boolean {
  const host = hostOf(url);
  const wanted = domain.toLowerCase().replace(/^www\./, "");
  return host !== undefined && (host === wanted || host.endsWith(`.${wanted}`));
}

/** All items in order, each page once, in the form it was met first. */
export function mergeSources(...lists: Iterable<string>[]): string[] {
  const pages = new Map<string, string>();
  for (const list of lists) {
    for (const text of list) {
      const key = pageKey(text);
      if (key !== "" && !pages.has(key)) pages.set(key, canonicalUrl(text));
    }
  }
  return [...pages.values()];
}

/** All items in order, each once. */
export function mergeTexts(...lists: Iterable<string>[]): string[] {
  return [...new Set(lists.flatMap((list) => [...list].map((text) => text.trim())))].filter((text) => text !== "");
}

/** The web addresses in Markdown, in order, each page once. */
export function urlsIn(markdown: string): string[] {
  const found = [...markdown.matchAll(/https?:\/\/[^\s<>"'`\\^{}|[\]]+/gi)].map(([match]) => trimEnd(match));
  return mergeSources(found.filter((url) => parse(url) !== undefined));
}

/** Without the punctuation that follows an address in a sentence, or closes the bracket that it stands in. */
function trimEnd(match: string): string {
  let end = match.length;
  let open = 0;
  for (let at = 0; at < end; at++) {
    if (match[at] === "(") open++;
    else if (match[at] === ")" && --open < 0) end = at;
  }
  while (end > 0 && ".,;:!?*_~".includes(match[end - 1] as string)) end--;
  return match.slice(0, end);
}

function parse(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}
