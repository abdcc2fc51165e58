import type { StateInline } from "markdown-it";

/** Longer ones are no addresses of pages, and not worth a look at each. */
const LONGEST_URL = 8_192;

const URL_START = /(?<![a-z\d])(?:https?|file)$/i;
/** Up to round brackets, to what no address has, and to what ends a sentence in Chinese or Japanese. */
const URL_REST = /[^\s<>"`\\^{}|[\]()，。、；：！？（）「」『』【】《》]*/y;

/** An address that stands in the text without any mark: `https://…`, or `file:///…` of a document of one's own. */
export function bareUrl(state: StateInline, silent: boolean): boolean {
  const { src, pos, linkLevel } = state;
  if (linkLevel > 0 || !src.startsWith("://", pos)) return false;
  // Not looked for in `pending`: a text that grows is copied whenever it is read.
  const [scheme = ""] = URL_START.exec(src.slice(Math.max(0, pos - 6), pos)) ?? [];
  if (scheme === "" || state.pending.length < scheme.length) return false;
  const from = pos - scheme.length;
  const to = Math.min(endOfUrl(src, pos), state.posMax);
  const shown = withoutPunctuation(src.slice(from, to));
  const url = shown.replaceAll("&amp;", "&");
  if (url.length > LONGEST_URL || !URL.canParse(url)) {
    // Passed over whole: of many that stand in one another each would be looked at again.
    if (!silent) state.pending += src.slice(pos, to);
    state.pos = to;
    return true;
  }
  state.pos = from + shown.length;
  if (silent) return true;
  state.pending = state.pending.slice(0, -scheme.length);
  state.push("link_open", "a", 1).attrs = [["href", url]];
  state.push("text", "", 0).content = url;
  state.push("link_close", "a", -1);
  return true;
}

/** Where an address ends that goes on at `from`: no later than at a bracket that was not opened in it. */
function endOfUrl(text: string, from: number): number {
  let at = from;
  for (let open = 0; ; at += 1) {
    URL_REST.lastIndex = at;
    URL_REST.test(text);
    at = URL_REST.lastIndex;
    if (text[at] === "(") open += 1;
    else if (text[at] === ")" && open > 0) open -= 1;
    else return at;
  }
}

/** Without the punctuation that follows an address in a sentence. */
function withoutPunctuation(url: string): string {
  let end = url.length;
  while (end > 0 && ".,;:!?*_~'".includes(url.charAt(end - 1))) end -= 1;
  return url.slice(0, end);
}
