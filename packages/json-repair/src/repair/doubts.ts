/** Where a repair may be another one: what stands beside it has a second reading. */
import { CLOSE_OBJECT, skipBlanks } from "../decode/signs.js";
import * as s from "./reading.js";

/** `"a"": 1"`: of two quotes beside each other one may be too many. */
const isOdd = ({ text, pos }: s.Reading) => /^["']{2}[\s:,}\]]/.test(text.slice(pos - 1, pos + 2));
/** The last of what has been read. */
const endOf = ({ text, last }: s.Reading, length = 3) => text.slice(Math.max(0, last - length), last);

/** Of a missing colon: the quote before it may stand in a wrong place. */
export const mayBeIn: s.When = (r) => isOdd(r) || /[,:[{]\s?"$/.test(endOf(r));

/** `[1, 2] 3`, `1 ["a"]`: a bracket may be wrong, where one of two neighbours in a list has some. */
const isMixed = ({ state, text, pos, last }: s.Reading) =>
  state === s.AFTER_ITEM && /[\]})]/.test(text[last - 1] ?? "") !== /[[{(]/.test(text[pos] ?? "");
/** `12 345` may be one number, `12 or so: 3` a text. */
const UNCLEAR = /^.\s*\d{3}(?![\d.eE])|^\d[ \t]+\p{L}/u;

/** Of a missing comma: both may be one value, or the quote of `"a]," "b"` stand in a wrong place. */
export const mayBeOne: s.When = (r) =>
  /[[\]{}],?"$/.test(endOf(r)) ||
  UNCLEAR.test(r.text.slice(r.last - 1, r.pos + 4)) ||
  isOdd(r) ||
  isMixed(r) ||
  r.top?.kind === s.TUPLE;

/**
 * `1937",`, `null"`: a quote behind a number or a literal may be the one that is left of two. `" "",`: behind a blank, the one before it may
 * be too many; `["a,1,""]`: behind a comma, one may be missing before that.
 */
export const mayBeLeft: s.When = (r) => /(?:\d|true|false|null|"\s+"|,")$/.test(endOf(r, 9));

/** Of a colon too many: behind a string or a list in a list, that may be a key. */
export const mayBeKey: s.When = (r) => r.state === s.AFTER_ITEM && /["'”\]]/.test(r.text[r.last - 1] ?? "");

const EARLIER = /[}\]]\s*,\s*["{[\d-]/;

/**
 * Of a closing bracket too many: if it is not doubled, an opening one may be missing before the value as well, as in `[}, 1]`; or
 * one in the 400 characters before is too many.
 */
export const lacksOpener: s.When = ({ state, text, pos, last, top }) =>
  (state === s.AFTER_MEMBER && ![last - 1, pos - 1, pos + 1].some((at) => text[at] === text[pos])) ||
  (state === s.FIRST_ITEM && /^.\s?,/.test(text.slice(pos, pos + 3))) ||
  (text[pos] === s.CLOSERS[top?.kind ?? 0] && EARLIER.test(text.slice(Math.max(top?.at ?? 0, pos - 400), last)));

/** Of a comma too many: `[{, {}]` may lack the closing bracket of an empty object. */
export const mayBeEmpty: s.When = ({ state, text, pos }) =>
  state === s.FIRST_KEY && /^,\s{0,80}[[{]/.test(text.slice(pos, pos + 82));

/** `{]`: either may be wrong. `[0, 1)` may be no list. In `[[1, 2}]` and `{"a": [1}}`, the opening one and this may be too many. */
export const opensWrongly: s.When = ({ text, pos, limit, top, valueAt, hasValue }) => {
  if (!hasValue || text[pos] === ")") return !hasValue || !top?.up;
  return top?.kind === s.LIST && (top.up?.kind === s.LIST || skipBlanks(text, top.at + 1, limit) === valueAt);
};

/** Of a bracket that closes what was taken for an object: it may be the list that stands there. */
export const closesList: s.When = (r) => r.top?.kind === s.OBJECT && r.sign() === CLOSE_OBJECT + s.LIST;
