import type { Estimate, EstimatedRange } from "../report.js";
import type { PlanRequest } from "../request.js";

/** Plan and estimate in Markdown, for a person. */
export function planInWords(
  { aspects, queries }: { aspects: readonly string[]; queries: readonly string[] },
  estimate: Estimate,
  kind: PlanRequest["kind"],
): string {
  const parts = [
    ...(aspects.length > 0 ? ["## What the answer must cover", listOf(aspects, () => "-")] : []),
    kind === "search" ? "## What would be searched" : "## What would be searched first",
    listOf(queries, (place) => `${place}.`),
    ...(kind === "search" ? [] : ["Later rounds check what was found, by searches of their own."]),
    "## What it would cost",
    costInWords(estimate, kind),
  ];
  return parts.join("\n\n");
}

function listOf(lines: readonly string[], mark: (place: number) => string): string {
  return lines.map((line, at) => `${mark(at + 1)} ${line}`).join("\n");
}

function costInWords({ researches, runs, total_tokens, duration_ms }: Estimate, kind: PlanRequest["kind"]): string {
  const of = kind === "search" ? ["search", "searches"] : ["deep search", "deep searches"];
  const basis =
    researches === 0
      ? `No earlier ${of[0]} is known, so nothing can be said of tokens and time.`
      : `By what ${researches === 1 ? `the last ${of[0]}` : `the last ${researches} ${of[1]}`} cost a round.`;
  const lines = [
    `${rangeInWords(runs, String)} ${runs.high === 1 ? "run" : "runs"}`,
    ...(total_tokens ? [`${rangeInWords(total_tokens, (tokens) => tokens.toLocaleString("en-GB"))} tokens`] : []),
    ...(duration_ms ? [rangeInWords(duration_ms, timeInWords)] : []),
  ];
  return `${listOf(lines, () => "-")}\n\n${basis}`;
}

function rangeInWords({ low, typical, high }: EstimatedRange, inWords: (value: number) => string): string {
  const [least, most] = [inWords(low), inWords(high)];
  if (least === most) return low === high ? least : `about ${least}`;
  const range = `${least} to ${most}`;
  return typical === undefined ? range : `about ${inWords(typical)} (${range})`;
}

function timeInWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
