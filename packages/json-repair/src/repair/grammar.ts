/**
 * The grammar: for each state and token what it may mean, with the edit that makes it JSON, what is told of it, and what
 * it costs. JSON's own ways cost nothing and stand alone; where there are several, they are all tried for a while, and
 * the cheapest one is taken. A new repair is a new row.
 */
import * as a from "./acts.js";
import { readBare, readName } from "./bare.js";
import type { RepairKind } from "./edits.js";
import * as r from "./reading.js";
import { AFTER_ITEM, AFTER_MEMBER, COLON, FIRST_ITEM, FIRST_KEY, ITEM, KEY, LIST, OBJECT, VALUE } from "./reading.js";
import { startString } from "./strings.js";
import * as t from "./tokens.js";

type Way = r.Way;
type When = (reading: r.Reading) => boolean | undefined;

const KEYS = [FIRST_KEY, KEY];
const ITEMS = [FIRST_ITEM, ITEM];
const AFTER = [AFTER_MEMBER, AFTER_ITEM];
const CLOSERS = [t.CURLY, t.SQUARE, t.PAREN];
const OPENERS = [t.BRACE, t.BRACKET];

/** The quote stands right behind another one. */
const doubled: When = (one) => one.last === one.pos && one.isQuote(one.pos) && one.isQuote(one.pos - 1);
const begun: When = (one) => !one.untouched;

const way = (act: Way["act"], kind: RepairKind | undefined, cost: number, when?: When, more?: Partial<Way>): Way => ({
  act,
  cost,
  ...(kind && { kind }),
  ...(when && { when }),
  ...more,
});
const only = (act: Way["act"]) => way(act, undefined, 0);
const drop = (kind: RepairKind, cost: number) => way(a.put, kind, cost, undefined, { takes: 1 });
const cut = (kind: RepairKind, cost: number) => way(a.put, kind, cost, undefined, { takes: a.MARK, sure: false });
const insert = (by: string, to: number, kind: RepairKind, cost: number, when?: When) =>
  way(a.put, kind, cost, when, { by, to });
const swap = (by: string, to: number, cost: number, more?: Partial<Way>) =>
  way(a.put, "separator", cost, undefined, { by, to, takes: 1, ...more });
const object = (cost: number, when?: When, by = "{") =>
  way(a.put, "missing-opener", cost, when, { by, to: r.OPEN + OBJECT });
const instead = (by: "{" | "[", cost: number) =>
  way(a.put, "wrong-opener", cost, undefined, { by, to: r.OPEN + (by === "{" ? OBJECT : LIST), takes: 1 });
const asItIs = (to: number, cost: number) => way(a.asItIs, undefined, cost, undefined, { to });
/** The next member belongs to the bracket around the innermost one, if that is one for such members. */
const leave = (to: number, cost: number) =>
  way(a.leave, "missing-closer", cost, ({ top }) => top?.up && (top.up.kind === OBJECT) === (to === KEY), { to });
const reopen = (cost: number, when: When = (one) => one.closedBy(93)) => way(a.reopen, "extra-closer", cost, when);
const wrap = (cost: number) => way(a.wrap, "missing-opener", cost, (one) => one.hasValue);
const unwrap = (cost: number, when?: When) => way(a.unwrap, "extra-opener", cost, when);
const retype = (cost: number, when: When) => way(a.retype, "wrong-opener", cost, when);
const refuse = way(a.refuse, undefined, 7, (one) => one.untouched);
const words = (cost: number) => way(a.dropWords, "comment", cost);
const join = (takes: number, cost: number, when?: When) => way(a.join, "concatenation", cost, when, { takes });
const asCloser = way(a.close, "wrong-closer", 5, undefined, { doubt: doubled });
const stop = only(a.stop);
const noValue = insert("null", AFTER_MEMBER, "missing-value", 4);
const noPair = { ...insert(":null", AFTER_MEMBER, "missing-value", 5, begun), sure: false };
const noColon = insert(":", VALUE, "missing-colon", 3);
const noComma = insert(",", ITEM, "missing-comma", 3);

/** Nothing but a key has been read behind the bracket. */
const firstKey: When = (one) => !one.hasValue && "{[".includes(one.text[one.top?.at ?? -1] ?? " ");
const firstInner: When = (one) => firstKey(one) && begun(one);
/** The closing bracket is one of the innermost. */
const fits: When = ({ top, closerKind }) => top?.kind === closerKind || top?.also === closerKind;
/** It is, and cannot be one too many: its members have lines of their own, or nothing is left behind the outermost. */
const closesOnly: When = (one) =>
  fits(one) && (one.top?.up ? one.lineEnds || one.top.column < 0 : t.leftover(one, one.pos + 1) === 0);
/** The bracket is not doubled: an opening one may be missing before the value as well. */
const besideValue: When = ({ state, text, pos, last }) =>
  state === AFTER_MEMBER && ![last - 1, pos - 1, pos + 1].some((at) => text[at] === text[pos]);
/** A square bracket closes behind the value of a member, which stands on the line below its key. */
const closesList: When = (one) =>
  one.state === AFTER_MEMBER &&
  one.closerKind === LIST &&
  !fits(one) &&
  /[:\s]\n\s*$/.test(one.text.slice(Math.max(0, one.valueAt - 40), one.valueAt));
const repeats: When = (one) => t.hasKey(one.text, one.valueAt, one.last, one.pos);
const isNew: When = (one) => one.closedBy(125) && !repeats(one);
const comesAgain: When = (one) => isNew(one) && t.hasKey(one.text, one.pos + 2, one.limit, one.pos);
/** `12 345`: two numbers, or one that is grouped. */
const groups: When = (one) => /^\d{3}(?![\d.eE])/.test(one.text.slice(one.pos, one.pos + 4));
const quotesAround: When = (one) =>
  one.isQuote(one.last - 1) && one.isQuote(t.skipBlanks(one.text, one.pos + 1, one.limit));
/** Strings that follow each other line by line, as Python and C join them. */
const partOnNextLine: When = (one) => one.lineEnds && t.shortStringEnd(one.text, one.pos, one.limit, PART_LENGTH) >= 0;

/** A longer string is not joined with the one before it. */
const PART_LENGTH = 400;

type Row = readonly [states: readonly number[], tokens: readonly number[], ...ways: Way[]];

export const ROWS: readonly Row[] = [
  // Texts and words
  [KEYS, [t.KEY_TEXT], only(startString)],
  [KEYS, [t.NAME], only(readName)],
  [[FIRST_KEY], [t.WORD], only(readName)],
  [[KEY], [t.WORD], only(readName), words(7)],
  [[FIRST_KEY, VALUE, ...ITEMS], [t.TEXT], only(startString)],
  [[VALUE, ...ITEMS], [t.WORD, t.LITERAL, t.ODD, t.PLUS], only(readBare)],
  [[KEY], [t.TEXT], asItIs(KEY, 1), reopen(4), wrap(5)],
  [[FIRST_KEY], [t.LITERAL], unwrap(4), way(a.refuse, undefined, 7)],
  [[KEY], [t.LITERAL], reopen(4), wrap(5), words(7), stop],
  [[VALUE], [t.KEY_TEXT], asItIs(VALUE, 3), object(5)],
  [[FIRST_ITEM], [t.KEY_TEXT, t.NAME], retype(4, firstKey), object(4), asItIs(ITEM, 5)],
  [
    [ITEM],
    [t.KEY_TEXT],
    leave(KEY, 4),
    reopen(2, comesAgain),
    reopen(5, isNew),
    object(2, repeats),
    object(4),
    asItIs(ITEM, 5),
  ],
  [[ITEM], [t.NAME], object(4, (one) => one.bareKeys), asItIs(ITEM, 2)],
  // Commas
  [AFTER, [t.COMMA], only(a.takeComma)],
  [[AFTER_MEMBER], [t.KEY_TEXT, t.NAME], insert(",", KEY, "missing-comma", 3)],
  [
    [AFTER_MEMBER],
    [t.TEXT],
    join(0, 2, partOnNextLine),
    drop("extra-quote", 4),
    insert(",", KEY, "missing-comma", 3),
    asCloser,
    stop,
  ],
  [[AFTER_ITEM], [t.LITERAL], { ...noComma, doubt: groups }],
  [[AFTER_ITEM], [...OPENERS, t.ROUND], noComma],
  [[AFTER_ITEM], [t.TEXT], noComma, drop("extra-quote", 4), swap(",", ITEM, 5), asCloser],
  [[AFTER_ITEM], [t.KEY_TEXT], leave(KEY, 4), { ...object(6, undefined, ",{"), sure: false }, { ...noComma, cost: 6 }],
  [[...KEYS, ...ITEMS], [t.COMMA], drop("extra-comma", 3)],
  [[VALUE], [t.COMMA], noValue, drop("extra-comma", 4), instead("{", 6), instead("[", 6)],
  [
    [COLON],
    [t.COMMA],
    retype(4, firstInner),
    noPair,
    swap(":", VALUE, 5, { doubt: (one) => one.untouched }),
    drop("extra-comma", 5),
    unwrap(4, firstKey),
    refuse,
  ],
  // Colons
  [[COLON], [t.COLON_SIGN], only(a.takeColon)],
  [[COLON], [t.LITERAL], noColon],
  [[COLON], OPENERS, noColon, drop("extra-opener", 4), swap(":", VALUE, 5)],
  [[COLON], [t.TEXT], noColon, drop("extra-quote", 3), swap(":", VALUE, 5)],
  [[COLON], [t.WORD], { ...noColon, cost: 5 }, stop, refuse],
  [[COLON], [t.KEY_TEXT, t.NAME], insert(":null,", KEY, "missing-value", 5), { ...noColon, cost: 4 }],
  [[...KEYS, ...ITEMS], [t.COLON_SIGN], drop("extra-colon", 3)],
  [[VALUE], [t.COLON_SIGN], drop("extra-colon", 3), instead("{", 6), instead("[", 6)],
  [[AFTER_ITEM], [t.COLON_SIGN], swap(",", ITEM, 5), drop("extra-colon", 4), asCloser],
  [[AFTER_MEMBER], [t.COLON_SIGN], swap(",", KEY, 4), drop("extra-colon", 4), asCloser],
  // Brackets that close
  [
    [...KEYS, ...ITEMS, ...AFTER],
    CLOSERS,
    way(a.close, undefined, 0, closesOnly, { sure: true }),
    way(a.close, undefined, 0, (one) => fits(one) && one.depth === 1),
    way(a.close, undefined, 2, fits),
    way(a.close, "wrong-closer", 4, (one) => !fits(one)),
    way(a.close, "missing-closer", 4, (one) => !fits(one) && one.outer(one.closerKind) !== undefined),
    { ...drop("extra-closer", 4), doubt: besideValue },
    way(a.wrap, "missing-opener", 3, closesList),
  ],
  [[VALUE], CLOSERS, noValue, drop("extra-closer", 4), object(5), instead("{", 6), instead("[", 6)],
  [
    [COLON],
    CLOSERS,
    retype(4, firstInner),
    unwrap(4, firstKey),
    noPair,
    swap(":", VALUE, 5),
    drop("extra-closer", 4),
    refuse,
  ],
  // Brackets that open
  [[r.START, VALUE, ...ITEMS], [...OPENERS, t.ROUND], only(a.openBracket)],
  [[FIRST_KEY], OPENERS, drop("extra-opener", 4), unwrap(4)],
  [[KEY], OPENERS, leave(ITEM, 4), reopen(4), wrap(5), drop("extra-opener", 4)],
  [[AFTER_MEMBER], OPENERS, leave(ITEM, 4), swap(",", KEY, 5), drop("extra-opener", 4), asCloser],
  // Marks and odd signs
  [KEYS, [t.BRACKETED], only(a.bracketedKey)],
  [[...KEYS, COLON, ...AFTER, ...ITEMS], [t.REMARK], cut("comment", 2)],
  [[...KEYS, ...ITEMS], [t.BULLET], cut("comment", 0)],
  [[...KEYS, COLON, ...AFTER, ...ITEMS], [t.ELLIPSIS], cut("ellipsis", 0)],
  [[VALUE], [t.ELLIPSIS], { ...cut("ellipsis", 0), by: "null", to: AFTER_MEMBER }],
  [[FIRST_KEY, COLON, VALUE, ...ITEMS, ...AFTER], [t.BACKSLASH], only(a.failAtBackslash)],
  [[KEY], [t.BACKSLASH], { ...drop("escape", 2), sure: false }, only(a.failAtBackslash)],
  [AFTER, [t.PLUS], join(1, 0, quotesAround), drop("separator", 4), stop],
  [KEYS, [t.ODD, t.PLUS], drop("separator", 4), stop],
  [AFTER, [t.ODD], drop("separator", 4), stop],
  [
    [COLON],
    [t.ODD, t.PLUS],
    swap(":", VALUE, 5, { sure: false }),
    { ...drop("separator", 4), sure: false },
    { ...refuse, cost: 4 },
  ],
  // Words behind a value
  [AFTER, [t.WORD], words(4), stop],
  [[AFTER_MEMBER], [t.LITERAL], words(4), stop],
];

const TABLE: (readonly Way[])[] = new Array(r.FAILED * t.TOKENS).fill([stop]);
for (const [states, tokens, ...ways] of ROWS)
  for (const state of states) for (const token of tokens) TABLE[state * t.TOKENS + token] = ways;

/** What the token may mean where the reading stands. */
export function waysOf(reading: r.Reading, token: number): readonly Way[] {
  const ways = TABLE[reading.state * t.TOKENS + token] as readonly Way[];
  if (ways.length === 1) return ways;
  const [first, ...others] = ways as readonly [Way, ...Way[]];
  const alone = first.sure === true ? first.when : undefined;
  if (alone?.(reading)) return [first];
  return (alone ? others : ways).filter(({ when }) => when === undefined || when(reading));
}
