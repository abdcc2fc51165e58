import { characterTables } from "./characters.js";
import { type FoldTable, Way, waysOf } from "./fold.js";
import { SMALL_FIGURES } from "./loose-marks.js";

export const QUOTES = new Set(Array.from("'\"", (char) => char.charCodeAt(0)));
export const EMPHASIS = new Set(Array.from("*_~`", (char) => char.charCodeAt(0)));
export const DASHES = new Set(Array.from("-\u05be\u2010\u2011\u2012–—―", (char) => char.charCodeAt(0)));
/** Before these a blank does not count. */
export const CLOSING = new Set(Array.from(",.;:!?)%", (char) => char.charCodeAt(0)));
export const LESS = 0x3c;
export const CARET = 0x5e;
export const BAR = 0x7c;
/** Behind it a blank does not count. */
export const OPENING = 0x28;
/** Marks of notes. */
export const DAGGERS = [0x2020, 0x2021];
/** What links, footnotes, pictures and escapes are written with. */
const BRACKETS = new Set(Array.from("[]\\!", (char) => char.charCodeAt(0)));
export const LINE_FEED = 0x0a;

let made: FoldTable | undefined;

/** How code units are folded that are folded alike wherever they stand. */
export function looseTable(): FoldTable {
  made ??= makeTable();
  return made;
}

function makeTable(): FoldTable {
  const { plain, lower } = characterTables();
  const [ways, folded] = [waysOf(plain), new Uint16Array(plain.length)];
  const plainWays = new Uint8Array(0x80).fill(Way.same);
  for (const unit of CLOSING) plainWays[unit] = Way.closing;
  for (const unit of [...QUOTES, ...BRACKETS, LESS, CARET, BAR])
    if (unit < plainWays.length) plainWays[unit] = Way.special;
  for (let unit = 0; unit < plain.length; unit++) {
    const to = plain[unit] as number;
    folded[unit] = lower[to] as number;
    if (to < plainWays.length && ways[unit] === Way.same) ways[unit] = plainWays[to] as number;
  }
  const special = [...QUOTES, ...EMPHASIS, ...DASHES, ...SMALL_FIGURES.keys(), ...DAGGERS, LINE_FEED];
  for (const unit of special) ways[unit] = Way.special;
  return { ways, folded, opening: OPENING };
}
