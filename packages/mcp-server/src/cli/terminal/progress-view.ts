import type { ResearchEvent } from "@x/research";
import stringWidth from "fast-string-width";
import { type Activity, DOING, doing, roundName, summaryOf } from "../../jobs/activity.js";
import { type JobRecord, startedMsOf } from "../../jobs/job-record.js";
import { clockOf, durationOf } from "../../text/duration.js";
import { plainLine } from "../../text/plain-text.js";
import { cutToWidth } from "./layout.js";
import type { Screen } from "./paint.js";

/** What a person sees of a research while it runs. */
export type Shown = Pick<JobRecord, "activity" | "startedAt" | "createdAt">;

/** A line for an event that the activity has noted, for outputs that cannot be redrawn; `undefined`: it is not worth one. */
export function lineOf(event: ResearchEvent, record: Shown, nowMs: number): string | undefined {
  const text = wordsOf(event, record.activity);
  return text && `${elapsed(record, nowMs)}  ${text}`;
}

function wordsOf(event: ResearchEvent, activity: Activity): string | undefined {
  switch (event.type) {
    case "round-start":
      return roundName(activity).toLowerCase();
    case "step":
      return stepWords(event.step, activity);
    case "round-end":
    case "round-failed": {
      const outcome = activity.outcomes.at(-1);
      return outcome && `round ${outcome.round} ${outcome.end === "failed" ? "failed" : "done"}: ${summaryOf(outcome)}`;
    }
    case "correction-start":
      return "having the answer put into the right form";
    case "correction-failed":
      return `the correction failed: ${plainLine(event.reason)}`;
    case "wait":
      return `waiting ${durationOf(event.ms)} before the next attempt`;
    // A warning of the log says these.
    case "attempt-failed":
    case "model-fallback":
    case "research-start":
    case "log":
      return undefined;
  }
}

function stepWords(event: Extract<ResearchEvent, { type: "step" }>["step"], { current }: Activity): string | undefined {
  if (event.type === "warning") return `warning: ${plainLine(event.message)}`;
  if (event.type !== "tool-call" && event.type !== "tool-result") return undefined;
  const step = current.steps.findLast(({ id }) => id === event.id);
  if (event.type === "tool-call") return step && `${DOING[step.kind]}  ${step.what}`;
  return step && !event.ok ? `failed     ${step.what}` : undefined;
}

function elapsed(record: Shown, nowMs: number): string {
  return clockOf(nowMs - startedMsOf(record));
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 80;
const SHOWN_STEPS = 6;

/** The whole view as lines that fit the screen. */
export function liveLines(record: Shown, nowMs: number, screen: Screen): string[] {
  const { paint, columns } = screen;
  const { activity } = record;
  const fit = (text: string, room: number) => cutToWidth(text, Math.max(8, room));
  const spinner = SPINNER[Math.floor(nowMs / FRAME_MS) % SPINNER.length] ?? "";
  const lines = doneLines(activity, screen);
  const name = roundName(activity);
  const title = name && `${name}  `;
  const time = elapsed(record, nowMs);
  const now = fit(plainLine(doing(activity)), columns - stringWidth(title) - time.length - 4);
  lines.push(`${paint.cyan(spinner)} ${paint.bold(title)}${now}  ${paint.dim(time)}`);
  for (const step of activity.current.steps.slice(-SHOWN_STEPS)) {
    const sign = { running: paint.cyan("›"), done: paint.green("✓"), failed: paint.red("✗") }[step.state];
    lines.push(`  ${sign} ${paint.dim(step.kind.padEnd("search".length))} ${fit(step.what, columns - 11)}`);
  }
  lines.push(paint.dim(fit("  Ctrl-C stops; finished rounds are kept.", columns)));
  return lines;
}

/** The rounds that are over, one line each. */
export function doneLines({ outcomes }: Activity, { paint, columns }: Screen): string[] {
  return outcomes.map((outcome) => {
    const text = cutToWidth(`Round ${outcome.round}  ${summaryOf(outcome)}`, columns - 2);
    return outcome.end === "failed" ? `${paint.red("✗")} ${text}` : `${paint.green("✓")} ${paint.dim(text)}`;
  });
}
