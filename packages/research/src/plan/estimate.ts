import type { Estimate, EstimatedRange } from "../report.js";
import type { Budget, PastResearch } from "../request.js";

/** How many of the earlier researches count. */
const MAX_PAST = 100;

/** What a research will cost, from what earlier ones of its kind cost a round. */
export function estimateOf(
  given: readonly PastResearch[],
  { fewest, most, budget = {} }: { fewest: number; most: number; budget?: Budget | undefined },
): Estimate {
  const past = given.slice(0, MAX_PAST).map(({ rounds = 1, ...cost }) => ({ rounds: Math.max(1, rounds), ...cost }));
  if (past.length === 0) return { researches: 0, runs: capped({ low: fewest, high: most }, budget.maxRuns) };
  const inBounds = (rounds: number) => Math.min(Math.max(rounds, fewest), most);
  const typicalRounds = inBounds(middleOf(past.map(({ rounds }) => rounds)));
  const rangeOf = (name: "runs" | "total_tokens" | "duration_ms", max: number | undefined) => {
    const aRound = past.map((each) => each[name] / each.rounds).filter((cost) => cost > 0);
    if (aRound.length === 0) return undefined;
    const low = Math.min(...aRound) * fewest;
    const typical = middleOf(aRound) * typicalRounds;
    return capped({ low, typical, high: Math.max(...aRound) * most }, max);
  };
  const runs = rangeOf("runs", budget.maxRuns) ?? capped({ low: fewest, high: most }, budget.maxRuns);
  const tokens = rangeOf("total_tokens", budget.maxTokens);
  const durationMs = rangeOf("duration_ms", budget.maxDurationMs);
  return {
    researches: past.length,
    runs: each(runs, Math.ceil),
    ...(tokens && { total_tokens: each(tokens, roughly) }),
    ...(durationMs && { duration_ms: each(durationMs, roughly) }),
  };
}

function capped(range: EstimatedRange, max = Number.POSITIVE_INFINITY): EstimatedRange {
  return each(range, (value) => Math.min(value, max));
}

function each({ low, typical, high }: EstimatedRange, change: (value: number) => number): EstimatedRange {
  return { low: change(low), ...(typical !== undefined && { typical: change(typical) }), high: change(high) };
}

/** An estimate is no more exact than two digits. */
function roughly(value: number): number {
  return Math.round(Number(value.toPrecision(2)));
}

function middleOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
