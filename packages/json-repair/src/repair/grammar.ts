/** The grammar: what each token may mean in each state, with its edit, what is told of it, and what it costs. */
import { OPEN_LIST } from "../decode/signs.js";
import type { RepairKind } from "./edits.js";
import * as d from "./edits.js";
import { openBracket, readBare, readName, takeColon, takeComma } from "./plain.js";
import * as s from "./reading.js";
import { join, startString } from "./strings.js";
import * as t from "./tokens.js";

function way(act: s.Way["act"], kind: RepairKind | undefined, cost: number, more?: Partial<s.Way>): s.Way {
  return { act, kind, cost, ...more };
}
const asItIs = (act: s.Way["act"], cost = 0) => way(act, undefined, cost);
const drop = (kind: RepairKind, cost: number, doubt: s.When = () => false) => way(put, kind, cost, { takes: 1, doubt });
const insert = (by: string, kind: RepairKind, cost: number, more?: Partial<s.Way>) =>
  way(put, kind, cost, { by, ...more });
const always = () => true;
/** `by` stands before the token, or takes its place: it opens an object, or is what the state awaits. */
function put(r: s.Reading, way: s.Way): undefined {
  const { by = "", takes = 0 } = way;
  d.edit(r, way, r.pos, r.pos + takes, by);
  r.pos += takes;
  if (by === "{") r.push(s.OBJECT);
  else if (by === ",") {
    // Where it is missing at the end of a line, it is so at others.
    if (r.lineEnds) r.cost -= way.cost - 1;
    r.goOn(-1);
  } else if (by === ":") r.state = s.VALUE;
  else if (by !== "") r.ended(r.pos);
}
const object = insert("{", "missing-opener", 4, { doubt: (r) => r.top?.leads === true });
const noValue = insert("null", "missing-value", 4);
const noPair = insert(":null", "missing-value", 5, { doubt: always, when: (r) => !r.untouched });
const inOnePair = way(d.splitPair, "missing-quote", 3, { when: d.holdsPair });
const noColon = insert(":", "missing-colon", 3, { doubt: d.mayBeIn });
const asColon = insert(":", "separator", 5, {
  takes: 1,
  // `{"a": "x", "y", "z"}`: all of them may be of one list.
  doubt: (r) => r.text[r.pos] === "," && (r.untouched || (r.hasValue && /["'[]/.test(r.text[r.valueAt] ?? ""))),
});
const noComma = insert(",", "missing-comma", 3, { doubt: d.mayBeOne });
/** A word, as Hjson writes a list line by line: only where keys have no quotes, either. */
const noCommaBeforeWord: s.Way = { ...noComma, when: (r) => r.bareKeys && t.isOwnLine(r) };
/** Behind a free line it is the first word of a remark, if other keys have quotes. */
const noCommaBeforeName: s.Way = {
  ...noComma,
  when: ({ text, last, pos, bareKeys }) => bareKeys || !/\n[ \t\r]*\n/.test(text.slice(last, pos)),
};
const noCommaBeforeLoneWord: s.Way = { ...noComma, when: (r) => !r.bareKeys && t.isLoneWord(r), doubt: always };
const extraComma = drop("extra-comma", 3, d.mayBeEmpty);
/** Beside quotes that are content it may be one of these. */
const extraQuote = drop("extra-quote", 4, (r) => d.mayBeLeft(r) || r.string.inner > 0 || r.text[r.pos] !== '"');
const extraColon = drop("extra-colon", 2, d.mayBeKey);
const extraCloser = drop("extra-closer", 4, d.lacksOpener);
/** `,}name": 1`: it stands for the quote. */
const asQuote: s.Way = {
  ...drop("extra-closer", 1, d.lacksOpener),
  when: ({ text, pos }) => /^.[\p{L}_][\w -]{0,40}"\s{0,8}:/u.test(text.slice(pos, pos + 55)),
};
/** `[7[, 8]`: nothing begins with it. */
const opensNothing: s.Way = {
  ...drop("extra-opener", 3, ({ text, pos }) => /^\s?\]/.test(text.slice(pos + 1, pos + 3))),
  when: ({ text, pos }) => /^.\s?[,\]}]/.test(text.slice(pos, pos + 3)),
};

/** Words that belong to nothing, before the next key. */
const words = way((r) => d.leaveOut(r, d.wordsEnd(r), "comment"), "comment", 4, { when: (r) => d.wordsEnd(r) > 0 });
/** `"a":` and the next key on a line of its own. */
const noValueOnLine: s.Way = { ...noValue, when: t.isMemberLine, doubt: always };
/** `"a": "a": 1`: the key was written twice. */
const keyAgain: s.Way = way((r) => d.leaveOut(r, d.againEnd(r), "extra-colon"), "extra-colon", 1, {
  when: (r) => d.againEnd(r) > 0,
});
/** `9",name": 1`: the quote stands on the wrong side of the comma. */
const quoteBeforeComma: s.Way = {
  ...drop("extra-quote", 0, always),
  when: ({ text, pos }) => /^(?:",\s?[\p{L}_][\w -]{0,40}|', "[^"\n]{1,40})"\s{0,8}:/u.test(text.slice(pos, pos + 55)),
};
/** `{"{"a": 1}`: the object was begun twice. */
const begunTwice: s.Way = {
  ...drop("extra-opener", 2),
  takes: 2,
  when: ({ text, pos, limit }) => text.startsWith('"{"', pos) && t.keyAhead(text, pos + 2, limit),
};

const notJson = (r: s.Reading) => r.fail("not-json");
const refuse = (r: s.Reading) => r.fail("not-json", 0);
const refuseAtOnce: s.Way = { ...asItIs(refuse, 7), when: (r) => r.untouched };
const stop = (r: s.Reading) => r.stop();
const STOP = [asItIs(stop)];

/** The token closes the innermost bracket. */
function close(r: s.Reading, way: s.Way): undefined {
  r.dropComma();
  const closer = r.closers(1);
  const kind = r.top?.kind === s.TUPLE ? way.kind : "wrong-closer";
  if (r.text[r.pos] !== closer) d.edit(r, way, r.pos, r.pos + 1, closer, kind);
  r.pos++;
  r.pop();
  if (r.state === s.DONE) r.cost += t.leftover(r, r.pos);
}
const fits: s.When = (r) => r.inner === 0;
/** It cannot be one too many: the members have lines of their own, or nothing is left behind the outermost. */
const closesOnly: s.When = (r) =>
  !t.isOutdented(r) &&
  fits(r) &&
  (r.top?.up ? r.lineEnds || r.top.at === -1 || r.top.at >= r.lineStart : t.leftover(r, r.pos + 1) === 0);

/** The innermost bracket ends behind its last member, and so do those up to the one that the token closes. */
const leave = way(leaveInner, "missing-closer", 4, {
  doubt: always,
  when: (r) => (t.isClosingSign(r.sign()) ? r.inner > 0 : r.depth > 1 && r.state !== s.FIRST_ITEM),
});
/** It ends before a line that begins too far left to stand in it. */
const outdent = way(leaveInner, "missing-closer", 2, { doubt: always, when: t.isOutdented });
function leaveInner(r: s.Reading, way: s.Way): undefined {
  const { comma, last, state } = r;
  const levels = Math.max(1, r.inner);
  d.putIn(r, way, last, r.closers(levels), ({ by }) => by === ",");
  for (let level = levels; level > 0; level--) r.pop();
  r.last = last;
  if (r.state === s.DONE) r.pos = last;
  else if (state !== s.AFTER_MEMBER && state !== s.AFTER_ITEM) r.goOn(comma);
}

/** The object ends, since the next line begins another one at the same column, with the same key. */
const endHere = way(leaveInner, "missing-closer", 3, { doubt: always, when: t.beginsAgain });

/** What was read stands in a bracket of the other kind, which goes on: it closes too early, or its opening one is missing. */
function goOnIn(r: s.Reading, way: s.Way): undefined {
  const { last, valueAt, comma, pos, log, text } = r;
  const isEmpty = EMPTY.test(text.slice(valueAt, last));
  if (way.by) d.putIn(r, way, valueAt, way.by, ({ at, end, by }) => end > at || !/[,:]/.test(by));
  else d.edit(r, way, last - 1, last, "");
  r.push(otherKind(r));
  // `["a"], ["b"]`: the second list is the rest of the first one.
  const isRest = !way.by && r.sign() === OPEN_LIST && /^\[\s?["{]/.test(text.slice(valueAt, valueAt + 3));
  if (isRest) r.edit(pos, ++r.pos, "");
  if (way.by || !isEmpty) return r.goOn(comma);
  // What stands or was put in behind an empty one is its first member.
  if (comma < 0) r.cost -= 2;
  if (comma >= 0) r.edit(comma, comma + 1, "");
  else if (log?.at(-2)?.by === "," && log.at(-2)?.at === pos) log.splice(-2, 1);
}
/** `{}"a": 1}`: so many blanks may be in it. */
const EMPTY = /^[[{]\s{0,80}[}\]]$/;
const otherKind = ({ top }: s.Reading) => (top?.kind === s.OBJECT ? s.LIST : s.OBJECT);
const reopen = way(goOnIn, "extra-closer", 4, {
  doubt: (r) => r.sign() === OPEN_LIST || EMPTY.test(r.text.slice(r.valueAt, r.last)),
  when: (r) => "{}[]".startsWith(`${r.text[r.valueAt]}${r.text[r.last - 1]}`, 2 * otherKind(r)),
});
/** A closing bracket that was too many stands before the comma: it was the one before that. */
const reopenBehind: s.Way = {
  ...reopen,
  cost: 1,
  doubt: always,
  when: (r) => reopen.when?.(r) === true && /^\s{0,40}[}\]]/.test(r.text.slice(r.last, r.last + 42)),
};
const wrap = way(goOnIn, "missing-opener", 5, {
  by: "[",
  when: (r) => r.valueAt >= 0 && r.hasValue,
});

/** The innermost opening bracket was meant as one of the other kind, or what it holds stands in the one around it. */
function reframe(r: s.Reading, way: s.Way): undefined {
  const { top, state } = r as { top: s.Frame; state: number };
  const kind = otherKind(r);
  const stays = way.kind === "wrong-opener";
  d.edit(r, way, top.at, top.at + 1, stays ? "{[".charAt(kind) : "");
  r.top = top.up;
  if (stays) r.push(kind, top.at);
  else r.awaitValue();
  if (state === s.COLON) r.ended(top.at + 1);
}
/** Nothing but a key has been read behind the bracket, which stands in the text. */
const isFirst: s.When = ({ top, hasValue }) => !hasValue && top !== undefined && top.at >= 0;
const unwrap = way(reframe, "extra-opener", 4, { doubt: d.mayBePair, when: (r) => isFirst(r) && r.depth > 1 });
/** `{"a", "b", "c"}`, if that is all: strings and nothing else. Two may be a key and its value. */
const SET = /^\s{0,80}\{(?:\s{0,80}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}')\s{0,80}[,}]){3,}\s{0,80}$/;
const retype = way(reframe, "wrong-opener", 4, {
  // Both brackets of `{"a"]` may be wrong.
  doubt: (r) => r.untouched || (otherKind(r) === s.LIST && /^[^{}[\]]{0,400}\]/.test(r.text.slice(r.pos, r.pos + 402))),
  when: (r) => isFirst(r) && (!r.untouched || r.state !== s.COLON || SET.test(r.text.slice(0, 2_000))),
});

/** `{"a": {1, 2}}`, of Python or Lua; numbers in braces are a set of mathematics elsewhere. */
const set: s.Way = { ...retype, cost: 1, doubt: always, when: (r) => isFirst(r) && d.isSet(r) };

/** `"a" + "b"`, and strings that follow each other line by line, as Python and C join them: the quotes between them go. */
const joined = way(join, "concatenation", 2, {
  // Whole words on lines of their own may be the members of a list.
  doubt: ({ text, pos, last }) => text[pos] !== "+" && !/\s.$/.test(text.slice(Math.max(0, last - 2), last)),
  when: (r) => (r.lineEnds || r.text[r.pos] === "+") && r.isQuote(r.last - 1) && r.isQuote(t.behindPlus(r)),
});

const broken: s.Way = { ...joined, cost: 0, when: (r) => joined.when?.(r) === true && d.isBroken(r) };

const KEYS = [s.FIRST_KEY, s.KEY];
const ITEMS = [s.FIRST_ITEM, s.ITEM];
const AFTER = [s.AFTER_MEMBER, s.AFTER_ITEM];
const [CLOSERS, OPENERS] = ["}])", "{["];

type Row = readonly [states: readonly number[], tokens: string, ...ways: s.Way[]];

/** Where there is none for what stands there, the text goes on as something else. */
export const ROWS: readonly Row[] = [
  // Texts and words
  [[s.FIRST_KEY], t.TEXT, begunTwice, asItIs(startString)],
  [KEYS, t.KEY_TEXT, outdent, asItIs(startString)],
  [KEYS, t.NAME, outdent, asItIs(readName)],
  [KEYS, t.WORD, words, asItIs(readName, 1)],
  [[s.AFTER_MEMBER], t.WORD, words],
  [[s.VALUE, ...ITEMS], t.TEXT, asItIs(startString)],
  [[s.VALUE, ...ITEMS], t.WORD + t.LITERAL + t.ODD, asItIs(readBare)],
  [[s.KEY], t.TEXT, outdent, asItIs(startString, 1), reopen, wrap],
  [[s.FIRST_KEY], t.LITERAL, unwrap, set, asItIs(refuse, 7)],
  [[s.KEY], t.LITERAL, outdent, reopen, wrap],
  [[s.VALUE], t.KEY_TEXT, keyAgain, noValueOnLine, asItIs(startString, 2), object],
  [ITEMS, t.KEY_TEXT, retype, leave, reopenBehind, { ...reopen, cost: 5 }, object],
  [ITEMS, t.NAME, retype, object, asItIs(readBare, 2)],
  // Commas
  [AFTER, ",", asItIs(takeComma)],
  [[s.AFTER_MEMBER], t.KEY_TEXT, quoteBeforeComma, outdent, noComma],
  [[s.AFTER_MEMBER], t.NAME, outdent, noCommaBeforeName],
  [[s.AFTER_MEMBER], t.TEXT, { ...quoteBeforeComma, cost: 1 }, joined, extraQuote, noComma],
  [[s.AFTER_ITEM], `${t.LITERAL}(`, noComma],
  [[s.AFTER_ITEM], t.WORD, noCommaBeforeWord, noCommaBeforeLoneWord],
  [[s.AFTER_ITEM], OPENERS, opensNothing, noComma],
  [[s.AFTER_ITEM], t.TEXT, broken, noComma, extraQuote],
  [[s.AFTER_ITEM], t.KEY_TEXT, outdent, noComma, extraQuote],
  [[...KEYS, ...ITEMS], ",", extraComma],
  [[s.VALUE], ",", noValue, drop("extra-comma", 4)],
  // Colons
  [[s.COLON], ":", asItIs(takeColon)],
  [[s.COLON], t.LITERAL, noColon],
  [[s.COLON], OPENERS, noColon, drop("extra-opener", 4), asColon],
  [[s.COLON], t.TEXT, noColon, drop("extra-quote", 3, ({ text, last }) => /\d"/.test(text.slice(last - 2, last)))],
  [[s.COLON], `,${CLOSERS}`, inOnePair, retype, unwrap, noPair, asColon, refuseAtOnce],
  [[s.COLON], t.ODD, { ...refuseAtOnce, cost: 4 }],
  [[...KEYS, s.VALUE, ...ITEMS, ...AFTER], ":", extraColon],
  // Brackets that close
  [
    [...KEYS, ...ITEMS, ...AFTER],
    CLOSERS,
    asQuote,
    outdent,
    way(close, undefined, 0, { when: closesOnly, doubt: d.closesList }),
    way(close, undefined, 1, { when: (r) => fits(r) && !t.isOutdented(r), doubt: d.closesList }),
    way(close, undefined, 4, { when: (r) => fits(r) && t.isOutdented(r), doubt: d.closesList }),
    way(close, "wrong-closer", 4, { when: (r) => !fits(r), doubt: d.opensWrongly }),
    leave,
    extraCloser,
  ],
  [[s.VALUE], CLOSERS, noValue, drop("extra-closer", 4)],
  // Brackets that open
  [[s.START, s.VALUE, s.FIRST_ITEM], `${OPENERS}(`, asItIs(openBracket)],
  [[s.ITEM], "{(", asItIs(openBracket)],
  [[s.ITEM], "[", asItIs(openBracket)],
  [[s.FIRST_KEY], OPENERS, set, drop("extra-opener", 4, d.mayBeginAnew)],
  [[s.KEY], OPENERS, outdent, leave, reopen, wrap, drop("extra-opener", 4)],
  [
    [s.AFTER_MEMBER],
    OPENERS,
    endHere,
    drop("extra-opener", 4, (r) => r.lineEnds),
    way(close, "wrong-closer", 5, { doubt: d.mayBeNothing }),
  ],
  // Odd signs
  [[s.FIRST_KEY, s.VALUE, ...ITEMS], "\\", asItIs(notJson)],
  [[s.KEY], "\\", drop("escape", 2, always)],
  [AFTER, "\\", { ...drop("escape", 2, always), when: ({ text, pos }) => /[,\]}]/.test(text[pos + 1] ?? "") }],
  [KEYS, t.ODD, drop("separator", 4, d.mayBeMark)],
  [
    AFTER,
    t.ODD,
    joined,
    drop("separator", 4, (r) => r.last === r.pos || (r.lineEnds && /[<>]/.test(r.text.charAt(r.pos)))),
  ],
];

const TABLE = Array.from({ length: s.STRING }, () => new Map<string, readonly s.Way[]>());
for (const [states, tokens, ...ways] of ROWS)
  for (const state of states) for (const token of tokens) TABLE[state]?.set(token, ways);

/** What the token may mean where the reading stands; what costs nothing stands alone. */
export function waysOf(reading: s.Reading, token: string): readonly s.Way[] {
  const ways = TABLE[reading.state]?.get(token) ?? STOP;
  if (ways.length === 1 && ways[0]?.when === undefined) return ways;
  const found: s.Way[] = [];
  for (const one of ways) {
    if (one.when?.(reading) === false || (one.cost === 0 && found.length > 0)) continue;
    found.push(one);
    if (one.cost === 0) return found;
  }
  return found.length > 0 ? found : STOP;
}
