/** Reads a text that should be JSON as it was meant, token by token, and notes what has to be changed to make it JSON. */
import { isJsonBlank } from "../decode/signs.js";
import { close, drop, join, leave, refuse, stay, stop, swap } from "./acts.js";
import { readBare } from "./bare.js";
import { applyEdits, doubted, type Edit, EditLog } from "./edits.js";
import { possible, waysOf } from "./grammar.js";
import { leftover } from "./leftover.js";
import { readName } from "./names.js";
import {
  AFTER_ITEM,
  AFTER_MEMBER,
  COLON,
  FAILED,
  type Failure,
  FIRST_ITEM,
  FIRST_KEY,
  type Frame,
  ITEM,
  KEY,
  NO_OTHER,
  OBJECT,
  Reading,
  START,
  STOPPED,
  STRING,
  VALUE,
  type Way,
} from "./reading.js";
import type { Source } from "./source.js";
import { stepString } from "./strings.js";
import * as t from "./tokens.js";
import { decide, take } from "./trial.js";

export interface Rewritten {
  /** JSON, if the reading was right; the caller parses it. */
  json: string;
  /** Where the value ends. */
  end: number;
  edits: readonly Edit[];
  /** False when the text ended inside the value. */
  complete: boolean;
  /** What the reading and the parsing of `json` cost, in characters: edits cost more than what they stand for. */
  work: number;
  failed?: undefined;
}

export interface Unreadable {
  /**
   * `not-json`: what stands here is something else. `foreign`: a construct of another notation. `escaped`: every quote
   * has a backslash; `markdown`: brackets have one. `too-deep`: more levels than allowed.
   */
  failed: Failure;
  at: number;
  work: number;
}

export interface RewriteOptions {
  maxDepth: number;
  /** Where the text ends for this value. Default: at its end. */
  limit?: number;
  /** The opening brace is missing: the value starts with its first key. */
  implied?: boolean;
  /** The value stands in a Markdown fence. */
  fenced?: boolean;
}

/** What an edit costs, in characters read. */
const EDIT_WORK = 12;

/** Every step takes a token or pays for an edit, and every trial is bounded: the time grows with the text alone. */
export function rewrite(source: Source, start: number, options: RewriteOptions): Rewritten | Unreadable {
  const { limit = source.text.length, maxDepth, fenced = false } = options;
  const r = new Reading(source, start, limit, maxDepth, fenced);
  const log = new EditLog();
  r.log = log;
  if (options.implied) {
    r.edit(start, start, "{", "missing-opener", false);
    r.push(OBJECT, -1);
  }
  while (!r.over) {
    const ways = step(r);
    if (ways === undefined) continue;
    r.margin = NO_OTHER;
    take(r, ways.length === 1 ? (ways[0] as Way) : decide(r, ways, step));
  }
  const read = r.state === FAILED ? undefined : finish(r, log);
  const work = r.pos - start + r.again + EDIT_WORK * log.length;
  if (read === undefined) return { failed: r.failure ?? "not-json", at: r.pos, work };
  // Read to its closing bracket, behind which nothing goes on: the brace stood before what was read.
  const whole =
    options.implied && r.complete && !t.closesOrSeparates(source.text, t.skipBlanks(source.text, r.pos, limit));
  const [first, ...others] = whole ? read.edits : [];
  const edits = first === undefined ? read.edits : [{ ...first, sure: true }, ...others];
  return { json: read.json, edits, end: r.pos, complete: r.complete, work: work + read.json.length };
}

/** What was read so far as a whole: closes what is open. Undefined when that is nothing. */
function finish(r: Reading, log: EditLog): { json: string; edits: readonly Edit[] } | undefined {
  if (r.top !== undefined) {
    if (isNothing(r)) return undefined;
    r.complete = false;
    if (r.keyAt >= 0) {
      // A key without its value is left out, with the comma before it.
      const from = r.comma >= 0 ? r.comma : r.keyAt;
      log.undoFrom(from, 0);
      r.edit(from, r.pos, "");
      r.comma = -1;
    }
    r.dropComma();
    r.pos = Math.max(r.pos, r.last);
    r.edit(r.pos, r.pos, r.closers(), "unclosed", false);
  }
  const edits = doubted(log.done(), r.text);
  return { json: applyEdits(edits, r.text, r.start, r.pos), edits };
}

/** Whether nothing was read, and the text goes on as something else, or in a key that has swallowed quotes and brackets. */
function isNothing(r: Reading): boolean {
  if (!r.untouched) return false;
  if (r.pos < r.limit && !"`<".includes(r.text[r.pos] as string)) return true;
  return r.openKey && /["}\]]/.test(r.text.slice(r.keyAt + 1, r.keyAt + 120));
}

/** Reads one token, or gives the ways in which what stands there may be read. */
function step(r: Reading): readonly Way[] | undefined {
  if (r.state === STRING) return stepString(r);
  t.skipSpace(r);
  const token = t.tokenAt(r);
  if (token === t.END) {
    r.cost += UNCLOSED;
    r.state = STOPPED;
    return undefined;
  }
  if (token === t.ODD) return odd(r);
  return (r.lineEnds && outdented(r, token)) || closesOddly(r, token) || special(r, token) || waysOf(r, token);
}

/** What it costs that the text ends before the value. */
const UNCLOSED = 4;

/** A member in the column of those around the innermost bracket: it may have closed before. */
function outdented(r: Reading, token: number): readonly Way[] | undefined {
  const { top, state, stays } = r;
  r.stays = false;
  if (top === undefined || t.isCloser(token)) return undefined;
  const column = r.pos - r.lineStart;
  if (state === FIRST_KEY || state === FIRST_ITEM) top.column = column;
  if ((state !== KEY && state !== ITEM) || column >= top.column || stays) return undefined;
  let levels = 1;
  let frame = top.up;
  while (frame !== undefined && levels < 5 && frame.column !== column) {
    frame = frame.up;
    levels++;
  }
  if (frame?.column !== column) return undefined;
  const to = frame.kind === OBJECT ? KEY : ITEM;
  const left = levels;
  return [
    { act: (one, way) => leave(one, way, left), to, kind: "missing-closer", cost: 2 },
    { act: stay, cost: 3 },
  ];
}

const CLOSE: Way = { act: close, cost: 0 };
const EXTRA: Way = { act: drop, kind: "extra-closer", cost: 4 };

/** A bracket that closes the innermost one, but so that it may be one too many. */
function closesOddly(r: Reading, token: number): readonly Way[] | undefined {
  if (!t.isCloser(token) || r.state === COLON || r.state === VALUE) return undefined;
  const top = r.top as Frame;
  const kind = r.closerKind;
  if (top.kind !== kind && top.also !== kind) return undefined;
  if (top.up === undefined) return leftover(r, r.pos + 1) > 0 ? [CLOSE, EXTRA] : ONLY_CLOSE;
  // Its members have lines of their own, and it has none.
  if (r.lineEnds || top.column < 0) return ONLY_CLOSE;
  const comma: Way = { act: swap, by: ",", to: kind === OBJECT ? KEY : ITEM, kind: "separator", cost: 5 };
  return [{ ...CLOSE, cost: 2 }, EXTRA, comma];
}

const ONLY_CLOSE: readonly Way[] = [CLOSE];

/** Tokens that mean something of their own: `["key"] =`, a remark in round brackets. */
function special(r: Reading, token: number): readonly Way[] | undefined {
  const { state } = r;
  if (token === t.BRACKET && (state === KEY || state === FIRST_KEY)) {
    const end = t.bracketedKeyEnd(r.text, r.pos);
    return end < 0 ? undefined : [{ act: (one) => readBracketedKey(one, end), cost: 0 }];
  }
  const remark = token === t.ROUND && state !== VALUE && state !== START ? t.remarkEnd(r.text, r.pos) : -1;
  return remark < 0 ? undefined : [{ act: (one) => cut(one, remark, "comment"), cost: 2 }];
}

function readBracketedKey(r: Reading, end: number): undefined {
  const key = r.text
    .slice(r.pos + 1, end - 1)
    .trim()
    .slice(1, -1);
  r.keyAt = r.pos;
  r.edit(r.pos, end, JSON.stringify(key), "unquoted");
  r.pos = end;
  r.last = end;
  r.state = COLON;
}

const ODD: readonly Way[] = [
  { act: drop, cost: 4, kind: "separator" },
  { act: stop, cost: 0 },
];
const STRAY: readonly Way[] = [{ act: drop, cost: 3, kind: "separator", sure: true }];
const ODD_COLON: readonly Way[] = [
  { act: swap, by: ":", to: VALUE, cost: 5, kind: "separator", sure: false },
  { act: drop, cost: 4, kind: "separator", sure: false },
  { act: refuse, cost: 4, when: (r) => r.untouched },
];
/** A quote with a backslash, where others have none. */
const ESCAPED_KEY: readonly Way[] = [{ act: drop, cost: 2, kind: "escape", sure: false }];

/** A sign that JSON does not have outside of strings. */
function odd(r: Reading): readonly Way[] | undefined {
  const { text, pos, state } = r;
  const c = text[pos] as string;
  const after = state === AFTER_MEMBER || state === AFTER_ITEM;
  const value = state === VALUE || state === ITEM || state === FIRST_ITEM;
  const key = state === KEY || state === FIRST_KEY;
  const dots = t.ellipsisEnd(text, pos);
  if (dots >= 0) return ellipsis(r, dots);
  if (c === "\\") {
    const next = text[pos + 1] ?? "";
    if (state === KEY && next === '"') return ESCAPED_KEY;
    if (!after || "[]{}".includes(next)) return r.fail(t.backslashBefore(next));
  }
  if (c === "/" && value) return regularExpression(r);
  const bullet = key || value ? t.bulletEnd(text, pos, !key) : -1;
  if (bullet >= 0 && state !== VALUE) return cut(r, bullet, "comment");
  if (after && c === "+") {
    const next = t.skipBlanks(text, pos + 1, r.limit);
    if (r.isQuote(next) && r.isQuote(r.last - 1)) return join(r, ODD[0] as Way, next);
  }
  if (value) return readBare(r);
  // `{."a": 1}`
  if (key && c !== "+" && c !== "-" && t.keyAhead(text, t.skipBlanks(text, pos + 1, r.limit), r.limit)) return STRAY;
  if (key && "@.*/-".includes(c)) return readName(r);
  return state === COLON ? possible(r, ODD_COLON) : ODD;
}

function cut(r: Reading, end: number, kind: "comment" | "ellipsis"): undefined {
  r.edit(r.pos, end, "", kind, false);
  r.pos = end;
}

/** `...` in place of members, and the comma behind it. */
function ellipsis(r: Reading, end: number): undefined {
  const { state, text } = r;
  if (state === VALUE) {
    r.edit(r.pos, end, "null", "ellipsis", false);
    const from = r.pos;
    r.pos = end;
    return r.ended(from);
  }
  cut(r, end, "ellipsis");
  let comma = end;
  while (isJsonBlank(text.charCodeAt(comma))) comma++;
  if (state === AFTER_MEMBER || state === AFTER_ITEM || text[comma] !== ",") return undefined;
  r.edit(comma, comma + 1, "");
  r.pos = comma + 1;
  return undefined;
}

/** `/^[a-z]+$/i`, as JavaScript writes it. */
function regularExpression(r: Reading): undefined {
  const { pos } = r;
  const end = t.regularExpressionEnd(r.text, pos);
  if (end < 0 || end > r.limit) return r.fail("foreign");
  r.edit(pos, end, JSON.stringify(r.text.slice(pos, end)), "unquoted", false);
  r.pos = end;
  return r.ended(pos);
}
