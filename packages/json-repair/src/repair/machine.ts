/** Reads a text that should be JSON as it was meant, token by token, and notes what has to be changed to make it JSON. */
import { leave, stay } from "./acts.js";
import { applyEdits, type Edit, EditLog } from "./edits.js";
import { waysOf } from "./grammar.js";
import { tookPlain } from "./plain.js";
import * as s from "./reading.js";
import { FIRST_ITEM, FIRST_KEY, ITEM, KEY, OBJECT, Reading, STOPPED, STRING, type Way } from "./reading.js";
import type { Source } from "./source.js";
import { stepString } from "./strings.js";
import * as t from "./tokens.js";

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
  failed: s.Failure;
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

/** What has so many edits, and one at nearly each of its characters, is no JSON; names in Chinese signs have eight at ten. */
const MANY_EDITS = 10_000;
const MOST = 0.9;
/** What an edit costs, in characters read. */
const EDIT_WORK = 12;

/** Every step takes a token or pays for an edit, and every trial is bounded: the time grows with the text alone. */
export function rewrite(source: Source, start: number, options: RewriteOptions): Rewritten | Unreadable {
  const { limit = source.text.length, maxDepth, fenced = false } = options;
  const { credit } = source;
  const r = new Reading(source, start, limit, maxDepth, fenced);
  const log = new EditLog();
  r.log = log;
  if (options.implied) {
    r.edit(start, start, "{", "missing-opener", false);
    r.push(OBJECT, -1);
  }
  while (r.state < s.DONE) {
    const ways = step(r);
    if (ways === undefined) continue;
    r.margin = s.NO_OTHER;
    take(r, ways.length === 1 ? (ways[0] as Way) : decide(r, ways));
    if (log.length > MANY_EDITS && log.length > MOST * (r.pos - start)) r.fail("not-json");
  }
  const read = r.state === s.FAILED ? undefined : finish(r, log);
  const work = r.pos - start + r.again + EDIT_WORK * log.length + CHARACTERS * (credit - source.credit);
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
    // Nothing was read, and the text goes on as something else.
    if (r.untouched && r.pos < r.limit && !"`<".includes(r.text[r.pos] as string)) return undefined;
    r.complete = false;
    if (r.keyAt >= 0) {
      // A key without its value is left out, with the comma before it.
      const from = r.comma >= 0 ? r.comma : r.keyAt;
      log.undoFrom(from);
      r.edit(from, r.pos, "");
      r.comma = -1;
    }
    r.dropComma();
    r.pos = Math.max(r.pos, r.last);
    r.edit(r.pos, r.pos, r.closers(), "unclosed", false);
  }
  const edits = log.done(r.text);
  return { json: applyEdits(edits, r.text, r.start, r.pos), edits };
}

/** What it costs that the text ends before the value. */
const UNCLOSED = 4;

/** Reads one token, or gives the ways in which what stands there may be read. */
function step(r: Reading): readonly Way[] | undefined {
  if (r.state === STRING) return stepString(r);
  if (tookPlain(r)) return undefined;
  t.skipSpace(r);
  const token = t.tokenAt(r);
  if (token !== t.END) return outdented(r, token) ?? waysOf(r, token);
  r.cost += UNCLOSED;
  r.state = STOPPED;
  return undefined;
}

const FAR = 5;

/** A member in the column of those around the innermost bracket: it may have closed before. */
function outdented(r: Reading, token: number): readonly Way[] | undefined {
  const { top, state, pos } = r;
  if (!r.lineEnds || top === undefined || t.isCloser(token) || r.stayedAt === pos) return undefined;
  const column = pos - r.lineStart;
  if (state === FIRST_KEY || state === FIRST_ITEM) top.column = column;
  if ((state !== KEY && state !== ITEM) || column >= top.column) return undefined;
  let levels = 1;
  let frame = top.up;
  for (; frame !== undefined && frame.column !== column && levels < FAR; frame = frame.up) levels++;
  if (frame?.column !== column) return undefined;
  const to = frame.kind === OBJECT ? KEY : ITEM;
  return [
    { act: (one, way) => leave(one, way, levels), to, kind: "missing-closer", cost: 2 },
    { act: stay, cost: 3 },
  ];
}

/** So many readings are followed at once. */
const WIDTH = 8;
/** So far behind the place where they part, in characters and in steps. */
const HORIZON = 160;
const MAX_STEPS = 120;
/** A reading that costs so much more than the best one is given up. */
const GIVE_UP = 12;

/** So many characters that a trial reads count as a step. */
const CHARACTERS = 4;

/** A reading that is tried, and which of the ways it began with. */
interface Trial {
  reading: Reading;
  way: number;
}

/** Two readings went on in the same way: by how much one way is dearer than the other. */
interface Gap {
  winner: number;
  loser: number;
  gap: number;
}

/** Follows all ways for a while, and gives the cheapest one; the margin to the second says how sure that is. */
function decide(r: Reading, ways: readonly Way[]): Way {
  const { source } = r;
  if (source.credit <= 0) {
    r.margin = 0;
    return ways.reduce((least, way) => (way.cost < least.cost ? way : least));
  }
  const until = r.pos + HORIZON;
  const gaps: Gap[] = [];
  let trials = pruned(
    ways.map((way, nth) => tried(r, way, nth, until)),
    gaps,
  );
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const next = farthestBehind(trials, until);
    if (next === undefined || trials.every((one) => one.way === next.way)) break;
    const { reading } = next;
    const { pos } = reading;
    const more = step(reading);
    source.credit -= 1 + (reading.pos - pos) / CHARACTERS;
    if (more !== undefined) {
      for (const way of more.slice(1)) trials.push(tried(reading, way, next.way, until));
      take(reading, more[0] as Way);
    }
    trials = pruned(trials, gaps);
  }
  return cheapest(r, ways, trials, gaps);
}

/** Who leaves out one of these leaves out others: the next one costs less. */
const COST_OF_HABIT = 1;

function take(r: Reading, way: Way): undefined {
  const habit = way.kind === "missing-comma" || way.kind === "missing-colon" ? way.kind : undefined;
  r.cost += habit !== undefined && r.habit === habit ? Math.min(way.cost, COST_OF_HABIT) : way.cost;
  r.habit = habit ?? r.habit;
  way.act(r, way);
}

function tried(r: Reading, way: Way, nth: number, until: number): Trial {
  r.source.credit--;
  const reading = r.trial(until);
  take(reading, way);
  return { reading, way: nth };
}

/** Of those that are not at their end. */
function farthestBehind(trials: readonly Trial[], until: number): Trial | undefined {
  let found: Trial | undefined;
  for (const one of trials) {
    const { reading } = one;
    if (reading.state >= s.DONE || reading.pos >= until) continue;
    if (found === undefined || reading.pos < found.reading.pos) found = one;
  }
  return found;
}

/** Without those that cost too much, and one of two that go on in the same way. */
function pruned(trials: Trial[], gaps: Gap[]): Trial[] {
  trials.sort((a, b) => a.reading.cost - b.reading.cost || a.way - b.way);
  const best = trials[0]?.reading.cost ?? 0;
  const kept: Trial[] = [];
  for (const one of trials) {
    const { cost } = one.reading;
    if (cost > best + GIVE_UP || kept.length >= WIDTH) break;
    const same = kept.find((other) => goOnAlike(one.reading, other.reading));
    if (same === undefined) kept.push(one);
    else if (same.way !== one.way) gaps.push({ winner: same.way, loser: one.way, gap: cost - same.reading.cost });
  }
  return kept;
}

function goOnAlike(a: Reading, b: Reading): boolean {
  if (a.pos !== b.pos || a.state !== b.state || a.depth !== b.depth || a.top?.kind !== b.top?.kind) return false;
  if (a.state !== STRING) return true;
  const { string } = a;
  return string.quote === b.string.quote && string.role === b.string.role && string.open === b.string.open;
}

function cheapest(r: Reading, ways: readonly Way[], trials: readonly Trial[], gaps: readonly Gap[]): Way {
  const costs = ways.map(() => Number.POSITIVE_INFINITY);
  for (const { way, reading } of trials) costs[way] = Math.min(costs[way] as number, reading.cost);
  let best = 0;
  for (const [nth, cost] of costs.entries()) if (cost < (costs[best] as number)) best = nth;
  r.margin = GIVE_UP;
  for (const [nth, cost] of costs.entries()) {
    if (nth !== best) r.margin = Math.min(r.margin, cost - (costs[best] as number));
  }
  for (const { winner, loser, gap } of gaps) if (winner === best && loser !== best) r.margin = Math.min(r.margin, gap);
  return ways[best] as Way;
}
