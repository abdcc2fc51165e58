import type { RepairKind } from "./edits.js";
import { type Reading, STRING, type Way } from "./reading.js";

/** So many readings are followed at once. */
const WIDTH = 8;
/** So far behind the place where they part, in characters and in steps. */
const HORIZON = 160;
const MAX_STEPS = 120;
/** A reading that costs so much more than the best one is given up. */
const GIVE_UP = 12;

/** Reads one token, or gives the ways in which it may be read. */
type Step = (r: Reading) => readonly Way[] | undefined;

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
export function decide(r: Reading, ways: readonly Way[], step: Step): Way {
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
    const { cost, pos } = reading;
    const more = step(reading);
    source.credit -= 1 + (reading.pos - pos) / CHARACTERS;
    if (more !== undefined) {
      for (const way of more.slice(1)) trials.push(tried(reading, way, next.way, until));
      take(reading, more[0] as Way);
    }
    const alone = reading.cost === cost && !trials.some((one) => one !== next && one.reading.pos === reading.pos);
    if (!alone || (more !== undefined && more.length > 1)) trials = pruned(trials, gaps);
  }
  return cheapest(r, ways, trials, gaps);
}

/** Who leaves out one of these leaves out others: the next one costs less. */
const HABITS: Partial<Record<RepairKind, number>> = { "missing-comma": 1, "missing-colon": 2 };
const COST_OF_HABIT = 1;

export function take(r: Reading, way: Way): undefined {
  const habit = (way.kind && HABITS[way.kind]) ?? 0;
  r.cost += (r.habits & habit) === 0 ? way.cost : Math.min(way.cost, COST_OF_HABIT);
  r.habits |= habit;
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
    if (reading.over || reading.pos >= until) continue;
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
  if (a.pos !== b.pos || a.state !== b.state || a.depth !== b.depth) return false;
  if ((a.top?.hash ?? 0) !== (b.top?.hash ?? 0)) return false;
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
