/** What a key looks like before it is read: tells where a string before it has ended, and what is missing between. */
import { isQuote, sticky } from "./lexing.js";
import type { ParserState } from "./state.js";

/** A quoted key or what is left of one, and its colon or the start of its value. */
const KEY_AHEAD =
  /(?:"[^"\n:]{0,120}|'[^'\n:]{0,120}|[“”„‘`«»‹‚「『〝″´＂＇][^"“”‘’`«»›」』〞〟″´＂＇\n:]{0,120})(?:["'“”‘’`«»›」』〞〟″´＂＇]\s{0,40}(?:[:：={[]|->|["'](?!\s{0,20}[,}\]])|-?\d|(?:true|false|null)\s{0,40}[,}])|:\s{0,40}["'”’」\d[{tfn-]|$)/y;
const KEY_AND_COLON =
  /(?:"[^"\n]{0,120}["”]|'[^'\n]{0,120}'|[“”„‘`«»‹‚「『〝″´＂＇][^"“”‘’`«»›」』〞〟″´＂＇\n]{0,120}["“”‘’`«»›」』〞〟″´＂＇])\s{0,40}(?:[:：=]|->)/y;
const KEY_AND_VALUE =
  /["'][^"'“”\n]{1,60}["']\s{0,40}(?::|=>)\s{0,40}(?:["'[{\d-]|true|false|null|[\w.-]{1,40}\s{0,40}[,}])/y;
const BARE_KEY = /[\p{L}_$][\p{L}\p{N}_$.-]{0,60}["'”]?\s{0,40}[:：]/uy;
/** A number as a key, where others have no quotes. */
const NUMBER_KEY = /\d{1,15}\s{0,40}[:：]\s{0,40}["'{[\dtfn-]/y;
const WORDY_KEY = /[\p{L}\p{N}_$][\p{L}\p{N}_$ -]{0,60}\s{0,40}[:：]/uy;
const HALF_KEY = /[\p{L}_$][\p{L}\p{N}_$ -]{0,60}["”]\s{0,40}[:：]/uy;
const QUOTE_AND_COLON = /.\s{0,20}[:：]/y;

/** A quoted key, or one that has lost its closing quote. */
export function keyAhead(s: ParserState, at: number): boolean {
  return plainKeyAhead(s, at) || (isQuote(s.text[at]) && sticky(KEY_AHEAD, s.text, at) >= 0);
}

/** A key with both quotes, and its colon. */
export function keyAndColonAhead(s: ParserState, at: number): boolean {
  return plainKeyAhead(s, at) || (isQuote(s.text[at]) && sticky(KEY_AND_COLON, s.text, at) >= 0);
}

/** A key with both quotes, its colon and the start of a value. */
export function keyAndValueAhead(s: ParserState, at: number): boolean {
  return sticky(KEY_AND_VALUE, s.text, at) >= 0;
}

/** A key without quotes, or without the first one. */
export function bareKeyAhead(s: ParserState, at: number): boolean {
  const end = wordEnd(s.text, at);
  if (end > at && s.text.charCodeAt(end) === 58 && !isDigit(s.text.charCodeAt(at))) return true;
  if (s.bareKeys && sticky(NUMBER_KEY, s.text, at) >= 0) return true;
  return sticky(s.wordyKeys ? WORDY_KEY : BARE_KEY, s.text, at) >= 0;
}

/** A key that has lost its opening quote. */
export function halfKeyAhead(s: ParserState, at: number): boolean {
  return sticky(HALF_KEY, s.text, at) >= 0;
}

/** One sign, which is a quote, and a colon behind it. */
export function quoteAndColonAhead(s: ParserState, at: number): boolean {
  return sticky(QUOTE_AND_COLON, s.text, at) >= 0;
}

/** `"word":` or `'word':` and nothing else, which is nearly every key: faster than the patterns that allow more. */
export function plainKeyAhead(s: ParserState, at: number): boolean {
  const { text } = s;
  const quote = text.charCodeAt(at);
  if (quote !== 34 && quote !== 39) return false;
  const end = wordEnd(text, at + 1);
  return text.charCodeAt(end) === quote && text.charCodeAt(end + 1) === 58;
}

const WORD_LENGTH = 60;

/** The end of a word of ASCII letters, digits and underscores, or of its first 60. */
function wordEnd(text: string, at: number): number {
  const stop = at + WORD_LENGTH;
  let end = at;
  for (; end < stop; end++) {
    const code = text.charCodeAt(end);
    const lower = code | 32;
    if (!((lower >= 97 && lower <= 122) || isDigit(code) || code === 95)) break;
  }
  return end;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
