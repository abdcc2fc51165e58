/** What may stand at the end of an address in a sentence, and is not part of it. */
const AFTER_URL = new Set(".,;:!?'*_");

/** The URLs of a text, in order, each once, without the marks around them. */
export function urlsIn(text: string): string[] {
  return [...new Set((text.match(/https?:\/\/[^\s<>"`\]}]+/g) ?? []).map(trimUrl))];
}

/** Drops what follows an address: marks of a sentence, and round brackets that were not opened in it. */
function trimUrl(url: string): string {
  let unopened = 0;
  for (const character of url) {
    if (character === "(") unopened--;
    else if (character === ")") unopened++;
  }
  let end = url.length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (last === ")" && unopened > 0) unopened--;
    else if (!AFTER_URL.has(last)) break;
  }
  return url.slice(0, end);
}

/**
 * A page's address in the form in which two spellings of it are the same, as the CLI sees it: it drops a last slash and
 * reads a file on GitHub from where it lies as it is.
 */
export function pageKey(url: string): string {
  if (!URL.canParse(url)) return url;
  const page = new URL(url);
  if (page.hostname === "github.com" && page.pathname.includes("/blob/")) {
    page.hostname = "raw.githubusercontent.com";
    page.pathname = page.pathname.replace(/^\/([^/]+\/[^/]+)\/blob\//, "/$1/");
  }
  if (page.pathname.endsWith("/") && page.pathname.length > 1) page.pathname = page.pathname.slice(0, -1);
  return page.href;
}
