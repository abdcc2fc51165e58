/** Addresses of pages: found in text, compared, merged. */

const TRACKING = /^(?:utm_\w+|gclid|dclid|fbclid|msclkid|yclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi|ref_src)$/i;
/** No server takes more: a longer text is no address. */
const MAX_URL = 8_192;
/** Pages of one text that are looked at. */
export const MAX_CITED = 2_000;
/** Different spellings of these addresses that are looked at. */
const MAX_FORMS = 10 * MAX_CITED;
const REDIRECT_HOST = "vertexaisearch.cloud.google.com";

/** Whether this is Google's link that leads to a page a search found. It expires. */
export function isRedirectLink(url: string): boolean {
  const parsed = parse(url);
  return parsed?.hostname === REDIRECT_HOST && parsed.pathname.startsWith("/grounding-api-redirect/");
}

/** The address of a page without tracking parameters and without the `#` part; a text that is no address, unchanged. */
export function canonicalUrl(text: string): string {
  const trimmed = text.trim();
  const url = parse(trimmed);
  return url !== undefined && clean(url) ? url.href : trimmed;
}

/** Whether this is the address of a document on this machine. */
export function isDocument(text: string): boolean {
  return parse(text.trim())?.protocol === "file:";
}

/** Equal for two addresses of one page: scheme, `www.`, a closing slash and the order of parameters do not count. */
export function pageKey(text: string): string {
  const trimmed = text.trim();
  const url = parse(trimmed);
  if (url === undefined) return trimmed;
  if (url.protocol === "file:") return `file:${unescaped(url.pathname)}`;
  clean(url);
  if (url.search.includes("&")) url.searchParams.sort();
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${withoutWww(url.hostname)}${port}${withoutClosingSlashes(url.pathname)}${url.search}${url.hash}`;
}

/** Removes tracking parameters and the `#` part; says whether there was any. */
function clean(url: URL): boolean {
  const parameters = url.search.length > 1 ? [...url.searchParams] : [];
  const kept = parameters.filter(([name]) => !TRACKING.test(name));
  const tracked = kept.length < parameters.length;
  const place = url.hash !== "" && !/^#[!/]/.test(url.hash);
  if (tracked) url.search = new URLSearchParams(kept).toString();
  if (place) url.hash = "";
  return tracked || place;
}

/** The host without `www.`, empty for a document of one's own, or `undefined` for text that is no address. */
export function hostWithoutWww(text: string): string | undefined {
  const host = parse(text.trim())?.hostname;
  return host === undefined ? undefined : withoutWww(host);
}

/** Which signs of a path are escaped is up to who writes its address. */
function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, "");
}

function withoutClosingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** Whether the address is of this domain or one below it. */
export function isOfDomain(url: string, domain: string): boolean {
  const host = hostWithoutWww(url);
  const wanted = withoutWww(domain.toLowerCase());
  return host !== undefined && (host === wanted || host.endsWith(`.${wanted}`));
}

/** All items in order, each page once, in the form it was met first. */
export function mergeUrls(...lists: Iterable<string>[]): string[] {
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

/** The addresses of pages and documents in Markdown, in order, each page once; the first 2,000 of them. */
export function urlsIn(markdown: string): string[] {
  const pages = new Map<string, string>();
  const met = new Set<string>();
  for (const [match] of markdown.matchAll(/(?:https?:\/\/|file:\/\/\/)[^\s<>"'`\\^{}|[\]]+/gi)) {
    if (met.has(match) || match.length > MAX_URL) continue;
    met.add(match);
    const url = trimEnd(match);
    const key = parse(url) === undefined ? undefined : pageKey(url);
    if (key !== undefined && !pages.has(key)) pages.set(key, canonicalUrl(url));
    if (pages.size === MAX_CITED || met.size === MAX_FORMS) break;
  }
  return [...pages.values()];
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
  if (text.length > MAX_URL || !/^(?:https?:\/\/|file:\/\/\/)/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}
