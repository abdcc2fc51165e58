/**
 * The grammar: for each state and token what it may mean, with the edit that makes it JSON, what is told of it, and what
 * it costs. JSON's own ways cost nothing and stand alone; where there are several, they are all tried for a while, and
 * the cheapest one is taken. A new repair is a new row.
 */
import * as a from "./acts.js";
import type { RepairKind } from "./edits.js";
import { readName } from "./names.js";
import * as r from "./reading.js";
import { AFTER_ITEM, AFTER_MEMBER, COLON, FIRST_ITEM, FIRST_KEY, ITEM, KEY, LIST, OBJECT, VALUE } from "./reading.js";
import { startString } from "./strings.js";
import * as t from "./tokens.js";
import {
  BRACE,
  COLON_SIGN,
  COMMA,
  CURLY,
  KEY_TEXT,
  LITERAL,
  NAME,
  PAREN,
  ROUND,
  SQUARE,
  TEXT,
  WORD,
} from "./tokens.js";

type Way = r.Way;
type When = (reading: r.Reading) => boolean;
type Act = Way["act"];

const IN_OBJECT = [FIRST_KEY, KEY, AFTER_MEMBER];
const IN_LIST = [FIRST_ITEM, ITEM, AFTER_ITEM];
const CLOSERS = [CURLY, SQUARE, PAREN];
const OPENERS = [BRACE, t.BRACKET];

const way = (act: Act, kind: RepairKind | undefined, cost: number, more: Partial<Way> = {}): Way => ({
  act,
  cost,
  ...(kind && { kind }),
  ...more,
});
const only = (act: Act, when?: When): Way[] => [way(act, undefined, 0, when && { when })];
const drop = (kind: RepairKind, cost: number, when?: When) => way(a.drop, kind, cost, when && { when });
const insert = (by: string, to: number, kind: RepairKind, cost: number, when?: When) =>
  way(a.insert, kind, cost, { by, to, ...(when && { when }) });
const swap = (by: string, to: number, cost: number, sure?: boolean) =>
  way(a.swap, "separator", cost, { by, to, ...(sure !== undefined && { sure }) });
const object = (cost: number, when?: When, by = "{") =>
  way(a.open, "missing-opener", cost, { by, to: OBJECT, ...(when && { when }) });
const leave = (to: number, cost: number, when: When) => way(a.leave, "missing-closer", cost, { to, when });
const reopen = (cost: number, when: When) => way(a.reopen, "extra-closer", cost, { when });
const wrap = (cost: number) => way(a.wrap, "missing-opener", cost, { when: (one) => one.hasValue });
const unwrap = (cost: number, when: When) => way(a.unwrap, "extra-opener", cost, { when });
const retype = (cost: number, when: When) => way(a.retype, "wrong-opener", cost, { when });
const instead = (by: string, cost: number) =>
  way(a.openInstead, "wrong-opener", cost, { by, to: by === "{" ? OBJECT : LIST });
const words = (cost: number) => way(a.dropWords, "comment", cost);
const asCloser = way(a.closeInstead, "wrong-closer", 5);
const stop = way(a.stop, undefined, 0);

const inList: When = ({ top }) => top?.up !== undefined && top.up.kind !== OBJECT;
const inObject: When = ({ top }) => top?.up?.kind === OBJECT;
const untouched: When = (one) => one.untouched;
const begun: When = (one) => !one.untouched;
const behindList: When = (one) => one.closedBy(93);
const bare: When = (one) => one.bareKeys;
/** Nothing but a key has been read behind the bracket. */
const firstKey: When = (one) => !one.hasValue && "{[".includes(one.text[one.top?.at ?? -1] ?? " ");
const firstInner: When = (one) => firstKey(one) && begun(one);
/** `[[1, 2]`: two brackets that open side by side. */
const doubled: When = ({ top }) =>
  top?.kind === LIST && top.up?.kind === LIST && top.at === top.up.at + 1 && top.at > 0;
const single: When = (one) => one.hasOneValue;
const inner: When = (one) => one.top?.kind === LIST && (inList(one) || single(one));
/** So many brackets may be missing at once. */
const NEAR = 6;
const opensWanted: When = (one) => {
  const frame = one.top?.nearest[one.closerKind];
  return frame !== undefined && one.depth - frame.depth <= NEAR;
};
/** A square bracket closes behind the value of a member. */
const closesList: When = (one) => one.state === AFTER_MEMBER && one.closerKind === LIST && one.hasValue;
const onNextLine: When = (one) =>
  closesList(one) && /[:\s]\n\s*$/.test(one.text.slice(Math.max(0, one.valueAt - 40), one.valueAt));
const repeats: When = (one) => t.hasKey(one.text, one.valueAt, one.last, one.pos);
const isNew: When = (one) => one.closedBy(125) && !repeats(one);
const comesAgain: When = (one) => isNew(one) && t.keyComesAgain(one.text, one.pos);
/** `12 345`: two numbers, or one that is grouped. */
const groups: When = (one) => t.groupAhead(one.text, one.last, one.pos);
const not =
  (one: When): When =>
  (reading) =>
    !one(reading);
const and =
  (one: When, other: When): When =>
  (reading) =>
    one(reading) && other(reading);

export const ROWS: readonly [states: readonly number[], tokens: readonly number[], ways: readonly Way[]][] = [
  // Texts and words
  [[FIRST_KEY, KEY], [KEY_TEXT], only(startString)],
  [[FIRST_KEY, KEY], [NAME], only(readName)],
  [[FIRST_KEY, VALUE, FIRST_ITEM, ITEM], [TEXT], only(startString)],
  [[VALUE, FIRST_ITEM, ITEM], [WORD, LITERAL], only(a.value)],
  [[VALUE], [NAME], only(a.value)],
  [[FIRST_KEY, KEY], [WORD], only(readName)],
  [[KEY], [TEXT], [way(a.asItIs, undefined, 1, { to: KEY }), reopen(4, behindList), wrap(5)]],
  [[FIRST_KEY], [LITERAL], [unwrap(4, inList), way(a.refuse, undefined, 7)]],
  [[KEY], [LITERAL], [reopen(4, behindList), wrap(5), words(7), stop]],
  [
    [VALUE],
    [KEY_TEXT],
    [
      way(a.asItIs, undefined, 3, { to: VALUE }),
      insert("null", AFTER_MEMBER, "missing-value", 3, (one) => one.lineEnds),
      object(5),
    ],
  ],
  [[FIRST_ITEM], [KEY_TEXT, NAME], [retype(4, firstKey), object(4), way(a.asItIs, undefined, 5, { to: ITEM })]],
  [
    [ITEM],
    [KEY_TEXT],
    [
      leave(KEY, 4, inObject),
      reopen(2, comesAgain),
      object(2, repeats),
      object(4),
      reopen(5, isNew),
      unwrap(5, single),
      way(a.asItIs, undefined, 5, { to: ITEM }),
    ],
  ],
  [
    [ITEM],
    [NAME],
    [
      leave(KEY, 4, and(bare, inObject)),
      reopen(2, and(bare, comesAgain)),
      object(2, and(bare, repeats)),
      object(4, bare),
      reopen(5, and(bare, isNew)),
      way(a.asItIs, undefined, 2, { to: ITEM }),
    ],
  ],
  // Commas
  [[AFTER_MEMBER, AFTER_ITEM], [COMMA], only(a.takeComma)],
  [[AFTER_MEMBER], [KEY_TEXT, NAME], [insert(",", KEY, "missing-comma", 3)]],
  [
    [AFTER_MEMBER],
    [TEXT],
    [
      way(a.join, "concatenation", 2, { when: (one) => one.lineEnds && t.partAhead(one) }),
      way(a.join, "concatenation", 4, { when: t.partAhead }),
      drop("extra-quote", 4),
      insert(",", KEY, "missing-comma", 3),
      swap(",", KEY, 5),
      asCloser,
      stop,
    ],
  ],
  [
    [AFTER_ITEM],
    [LITERAL],
    [
      insert(",", ITEM, "missing-comma", 3, not(groups)),
      way(a.insert, "missing-comma", 3, { by: ",", to: ITEM, sure: false, when: groups }),
    ],
  ],
  [[AFTER_ITEM], [BRACE, t.BRACKET, ROUND], [insert(",", ITEM, "missing-comma", 3)]],
  [[AFTER_ITEM], [TEXT], [insert(",", ITEM, "missing-comma", 3), drop("extra-quote", 4), swap(",", ITEM, 5), asCloser]],
  [
    [AFTER_ITEM],
    [KEY_TEXT],
    [
      leave(KEY, 4, inObject),
      object(6, undefined, ",{"),
      insert(",", ITEM, "missing-comma", 6),
      drop("extra-quote", 5),
    ],
  ],
  [[FIRST_KEY, KEY, FIRST_ITEM, ITEM], [COMMA], [drop("extra-comma", 3)]],
  [
    [VALUE],
    [COMMA],
    [insert("null", AFTER_MEMBER, "missing-value", 4), drop("extra-comma", 4), instead("{", 6), instead("[", 6)],
  ],
  [
    [COLON],
    [COMMA],
    [
      retype(4, firstInner),
      insert(":null", AFTER_MEMBER, "missing-value", 5, begun),
      way(a.swap, "separator", 5, { by: ":", to: VALUE, when: begun }),
      swap(":", VALUE, 5, false),
      drop("extra-comma", 5),
      unwrap(4, firstKey),
      way(a.refuse, undefined, 7, { when: untouched }),
    ],
  ],
  // Colons
  [[COLON], [COLON_SIGN], only(a.takeColon)],
  [[COLON], [LITERAL], [insert(":", VALUE, "missing-colon", 3)]],
  [[COLON], OPENERS, [insert(":", VALUE, "missing-colon", 3), drop("extra-opener", 4), swap(":", VALUE, 5)]],
  [[COLON], [TEXT], [insert(":", VALUE, "missing-colon", 3), drop("extra-quote", 3), swap(":", VALUE, 5)]],
  [[COLON], [WORD], [insert(":", VALUE, "missing-colon", 5), stop, way(a.refuse, undefined, 7, { when: untouched })]],
  [
    [COLON],
    [KEY_TEXT],
    [insert(":null,", KEY, "missing-value", 5), insert(":", VALUE, "missing-colon", 4), drop("extra-quote", 3)],
  ],
  [[COLON], [NAME], [insert(":null,", KEY, "missing-value", 5), insert(":", VALUE, "missing-colon", 4)]],
  [[FIRST_KEY, KEY, FIRST_ITEM, ITEM], [COLON_SIGN], [drop("extra-colon", 3)]],
  [[VALUE], [COLON_SIGN], [drop("extra-colon", 3), instead("{", 6), instead("[", 6)]],
  [[AFTER_ITEM], [COLON_SIGN], [swap(",", ITEM, 5), drop("extra-colon", 4), asCloser]],
  [[AFTER_MEMBER], [COLON_SIGN], [swap(",", KEY, 4), drop("extra-colon", 4), asCloser]],
  // Brackets that close
  [
    [...IN_OBJECT, ...IN_LIST],
    CLOSERS,
    [
      way(a.closeInstead, "wrong-closer", 4),
      way(a.closeMissing, "missing-closer", 4, { when: opensWanted }),
      drop("extra-closer", 4),
      way(a.wrapOne, "missing-opener", 3, { when: onNextLine }),
      way(a.wrapOne, "missing-opener", 5, { when: closesList }),
      unwrap(3, doubled),
      unwrap(4, inner),
    ],
  ],
  [
    [VALUE],
    [CURLY, PAREN],
    [
      insert("null", AFTER_MEMBER, "missing-value", 4),
      drop("extra-closer", 4),
      object(5),
      instead("{", 6),
      instead("[", 6),
    ],
  ],
  [
    [VALUE],
    [SQUARE],
    [
      way(a.open, "missing-opener", 4, { by: "[", to: LIST }),
      insert("null", AFTER_MEMBER, "missing-value", 4),
      drop("extra-closer", 4),
      instead("{", 6),
      instead("[", 5),
    ],
  ],
  [
    [COLON],
    CLOSERS,
    [
      retype(4, firstInner),
      unwrap(4, firstKey),
      insert(":null", AFTER_MEMBER, "missing-value", 5, begun),
      swap(":", VALUE, 5),
      drop("extra-closer", 4),
      way(a.refuse, undefined, 7, { when: untouched }),
    ],
  ],
  // Brackets that open
  [[r.START, VALUE, FIRST_ITEM, ITEM], OPENERS, only(a.openBracket)],
  [[VALUE, FIRST_ITEM, ITEM], [ROUND], only(a.openRound)],
  [[FIRST_KEY], OPENERS, [drop("extra-opener", 4), unwrap(4, () => true)]],
  [[KEY], [BRACE], [leave(ITEM, 4, inList), reopen(4, behindList), wrap(5), drop("extra-opener", 4)]],
  [[KEY], [t.BRACKET], [leave(ITEM, 5, inList), reopen(4, behindList), wrap(5), drop("extra-opener", 4)]],
  [[AFTER_MEMBER], [BRACE], [leave(ITEM, 4, inList), swap(",", KEY, 5), drop("extra-opener", 4), asCloser]],
  [[AFTER_MEMBER], [t.BRACKET], [swap(",", KEY, 5), drop("extra-opener", 4), asCloser]],
  // Words behind a value
  [[AFTER_MEMBER, AFTER_ITEM], [WORD], [words(4), stop]],
  [[AFTER_ITEM], [NAME], [leave(KEY, 4, and(bare, inObject)), stop]],
  [[AFTER_MEMBER], [LITERAL], [words(4), stop]],
];

const TABLE: (readonly Way[])[] = new Array(r.FAILED * t.TOKENS).fill([stop]);
/** Those that do not depend on where the reading stands. */
const FREE = new Set<readonly Way[]>();
for (const [states, tokens, ways] of ROWS) {
  for (const state of states) for (const token of tokens) TABLE[state * t.TOKENS + token] = ways;
  if (ways.every(({ when }) => when === undefined)) FREE.add(ways);
}

/** What the token may mean where the reading stands. */
export function waysOf(reading: r.Reading, token: number): readonly Way[] {
  const ways = TABLE[reading.state * t.TOKENS + token] as readonly Way[];
  return ways.length === 1 || FREE.has(ways) ? ways : possible(reading, ways);
}

export function possible(reading: r.Reading, ways: readonly Way[]): readonly Way[] {
  return ways.filter(({ when }) => when === undefined || when(reading));
}
