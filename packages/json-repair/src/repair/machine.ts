/** Reads a text that should be JSON as it was meant, token by token, and notes what has to be changed to make it JSON. */
import { parseContainer, parseWhole } from "../decode/strict.js";
import { Source } from "./ahead.js";
import { applyEdits, assure, type Edit, inOrder, makesOdd, sortIn, undoFrom } from "./edits.js";
import { waysOf } from "./grammar.js";
import { tookPlain } from "./plain.js";
import { DONE, EDIT_WORK, type Failure, MOST, OBJECT, Reading, STOPPED, STRING, type Way } from "./reading.js";
import { stepString } from "./strings.js";
import * as t from "./tokens.js";

interface Rewritten {
  json: string;
  /** What `json` is. */
  value: object;
  /** Where the value ends. */
  end: number;
  edits: readonly Edit[];
  /** False when the text ended inside the value. */
  complete: boolean;
  /** What the reading and the parsing of `json` cost, in characters: edits cost more than what they stand for. */
  work: number;
  failed?: undefined;
}

/** What stands at `at` is something else, or has more levels than allowed. */
type Unreadable = { failed: Failure; at: number; work: number };

interface RewriteOptions {
  maxDepth: number;
  /** Where the text ends for this value. Default: at its end. */
  limit?: number;
  /** The opening brace is missing: the value starts with its first key. */
  implied?: boolean;
}

/** What has so many edits, and one at nearly each of its characters, is no JSON; names in Chinese signs have eight at ten. */
const [MANY_EDITS, MOST_EDITS] = [10_000, 0.9];

/** Every step takes a token or pays for an edit, and every trial is bounded: the time grows with the text alone. */
export function rewrite(source: Source, start: number, options: RewriteOptions): Rewritten | Unreadable {
  const { limit = source.text.length, maxDepth, implied } = options;
  const { credit } = source;
  const r = new Reading(source, start, limit, maxDepth);
  const log: Edit[] = [];
  r.log = log;
  if (implied) {
    r.edit(start, start, "{", "missing-opener", false);
    r.push(OBJECT, -1);
  }
  finish(r, log);
  let work = r.pos - start + r.again + EDIT_WORK * log.length + CHARACTERS * (credit - source.credit);
  if (r.failure !== undefined) return { failed: r.failure, at: r.pos, work };
  // Read to its closing bracket: the brace stood before what was read.
  if (implied && r.complete) assure(log, "missing-opener", 0);
  const edits = inOrder(log);
  const json = applyEdits(edits, r.text, start, r.pos);
  const value = parseContainer(json);
  work += json.length;
  if (value === undefined) return { failed: "not-json", at: start, work };
  if (makesOdd(edits, value)) for (const edit of edits) edit.sure = false;
  return { json, value, edits, end: r.pos, complete: r.complete, work };
}

/** JSON in a string, repaired if need be. */
export function readText(
  text: string,
  options: { maxDepth: number; whole: boolean },
): { value: unknown; sure: boolean } | undefined {
  const { maxDepth, whole } = options;
  const written = text.startsWith('"') ? parseWhole(text)?.value : undefined;
  if (typeof written === "string") return /^\s*[[{]/.test(written) ? readText(written, options) : undefined;
  const read = rewrite(new Source(text), 0, { maxDepth });
  if (read.failed) return undefined;
  const rest = text.slice(read.end).trim();
  const isBroken = rest !== "" || (whole && !read.complete);
  // `[Old town`, `[draft]]`: as all of a text they are names.
  if (isBroken && !(/^[\]}]*$/.test(rest) && /^\s*(?:\{|\[\s*["{])/.test(text))) return undefined;
  return { value: read.value, sure: !isBroken && text.length - read.end < 3 && read.edits.every((edit) => edit.sure) };
}

/** Reads on to the end of the value or of the text, and closes what is open. */
export function finish(r: Reading, log: Edit[]): undefined {
  while (r.state < DONE && !r.failure) {
    advance(r);
    if (log.length > MANY_EDITS && log.length > MOST_EDITS * (r.pos - r.start)) r.fail("not-json");
  }
  // The brackets between two objects may be missing.
  if (r.twice) for (const edit of log) edit.sure = false;
  // Nothing was read, and the text goes on as something else.
  if (r.untouched && r.pos < r.limit && !"`<+-".includes(r.text[r.pos] as string)) r.failure ??= "not-json";
  if (r.top === undefined || r.failure !== undefined) return;
  r.complete = false;
  if (r.keyAt >= 0) {
    // A key without its value is left out, with the comma before it.
    const from = r.comma >= 0 ? r.comma : r.keyAt;
    // What was put in before the comma or the key stays.
    const isPut = ({ at, end }: Edit) => at === from && end === at;
    const comma = log.findLastIndex((edit) => isPut(edit) && edit.by === ",");
    const before = log.findLastIndex((edit) => edit.at < from || (isPut(edit) && (r.comma >= 0 || edit.by === "{")));
    undoFrom(log, from, r.comma < 0 && comma > before ? comma : before + 1);
    r.edit(from, r.pos, "");
  } else if (r.comma >= 0) r.dropComma();
  else {
    const comma = log.findLastIndex(({ at, end, by }) => by === "," && at === end && at >= r.last);
    if (comma >= 0) log.splice(comma, 1);
  }
  r.edit(r.pos, r.pos, r.closers(), "unclosed", false);
}

/** Reads one token, or decides what stands there. */
export function advance(r: Reading): undefined {
  r.margin = MOST;
  const ways = step(r);
  if (ways) r.take(ways.length === 1 ? (ways[0] as Way) : decide(r, ways));
}

/** Reads one token, or gives the ways in which what stands there may be read. */
function step(r: Reading): readonly Way[] | undefined {
  if (r.state === STRING) return stepString(r);
  if (!r.lineEnds && tookPlain(r)) return undefined;
  t.skipSpace(r);
  if (r.lineEnds && !t.isOutdented(r) && tookPlain(r)) return undefined;
  const token = t.tokenAt(r);
  if (token !== t.END) return waysOf(r, token);
  r.cost += 4;
  r.state = STOPPED;
  return undefined;
}

/** So many readings are followed at once, so far behind the place where they part, in characters and in steps. */
const [WIDTH, HORIZON, MAX_STEPS] = [8, 640, 160];
/** In a string the next quotes tell: a text of quotes would use up the credit. */
const STRING_HORIZON = 160;
/** A reading that costs so much more than the best one is given up; so many characters that a trial reads count as a step. */
const [GIVE_UP, CHARACTERS] = [12, 4];

/** Follows all ways for a while, and gives the cheapest one; the margin to the second says how sure that is. */
function decide(r: Reading, ways: readonly Way[]): Way {
  const { source } = r;
  if (source.credit <= 0) {
    r.margin = 0;
    return ways.reduce((least, way) => (way.cost < least.cost ? way : least));
  }
  const until = r.pos + (r.state === STRING ? STRING_HORIZON : HORIZON);
  r.margin = GIVE_UP;
  let trials = pruned(ways.map((way, nth) => r.trial(way, nth, until)));
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    let next: Reading | undefined;
    for (const one of trials) if (one.state < DONE && one.pos < Math.min(until, next?.pos ?? until)) next = one;
    if (next === undefined || trials.every((one) => one.way === next.way)) break;
    const { pos, way } = next;
    const more = step(next);
    source.credit -= 1 + (next.pos - pos) / CHARACTERS;
    for (const other of more?.slice(1) ?? []) trials.push(next.trial(other, way, until));
    if (more) next.take(more[0] as Way);
    trials = pruned(trials);
  }
  const [best, ...others] = trials as [Reading, ...Reading[]];
  const second = others.find((one) => one.way !== best.way);
  r.margin = Math.min(best.margin, second ? second.cost - best.cost : GIVE_UP);
  return ways[best.way] as Way;
}

/** The cheapest first, without those that cost too much, and one of two that go on alike; for want of a place none is surer. */
function pruned(trials: Reading[]): Reading[] {
  sortIn(trials, (a, b) => a.cost - b.cost || a.way - b.way);
  const kept: Reading[] = [];
  for (const one of trials) {
    if (one.cost > (trials[0] as Reading).cost + GIVE_UP) break;
    const same = kept.find((other) => goOnAlike(one, other)) ?? (kept.length < WIDTH ? undefined : kept[0]);
    if (same === undefined) kept.push(one);
    else if (one.way !== same.way) same.margin = Math.min(same.margin, one.cost - same.cost);
  }
  return kept;
}

function goOnAlike(a: Reading, b: Reading): boolean {
  if (a.pos !== b.pos || a.state !== b.state || a.depth !== b.depth) return false;
  let [x, y] = [a.top, b.top];
  for (; x !== y && x?.kind === y?.kind; x = x?.up) y = y?.up;
  return x === y && (a.state !== STRING || (a.string.open === b.string.open && a.string.role === b.string.role));
}
