import type { ResearchEvent } from "@x/research";
import stringWidth from "fast-string-width";
import type { JobRecord } from "../../jobs/job-record.js";
import { durationOf } from "../../text/duration.js";
import { plainLine } from "../../text/plain-text.js";
import { cutToWidth } from "./layout.js";
import type { Screen } from "./paint.js";

interface Step {
  id: string;
  kind: "search" | "read";
  /** What is searched, or the addresses that are read. */
  what: string;
  state: "running" | "done" | "failed";
}

interface Round {
  number: number;
  startedAtMs: number;
  endedAtMs?: number;
  outcome?: { verified: boolean } | { failed: string };
  steps: Step[];
}

/** What a person sees of a research while it runs. */
export interface ProgressView {
  rounds: Round[];
  startedAtMs: number;
}

/** Of a research that begins now. */
export function newProgressView(nowMs: number): ProgressView {
  return { rounds: [], startedAtMs: nowMs };
}

/** Notes an event. Gives a line for it, for outputs that cannot be redrawn, when the event is worth one. */
export function takeIn(view: ProgressView, event: ResearchEvent, nowMs: number): string | undefined {
  const prefix = (text: string) => `${clock(nowMs - view.startedAtMs)}  ${text}`;
  switch (event.type) {
    case "round-start":
      view.rounds.push({ number: event.round, startedAtMs: nowMs, steps: [] });
      return event.of > 1 ? prefix(`round ${event.round} of ${event.of}`) : undefined;
    case "step": {
      const line = takeStep(roundOf(view, event.round, nowMs), event.step);
      return line && prefix(line);
    }
    case "round-end": {
      const round = roundOf(view, event.round, nowMs);
      Object.assign(round, { endedAtMs: nowMs, outcome: { verified: event.verified } });
      return prefix(`round ${event.round} done: ${summaryOf(round)}`);
    }
    case "round-failed": {
      const round = roundOf(view, event.round, nowMs);
      Object.assign(round, { endedAtMs: nowMs, outcome: { failed: plainLine(event.reason) } });
      return prefix(`round ${event.round} failed: ${plainLine(event.reason)}`);
    }
    case "correction-start":
      return prefix("having the answer put into the right form");
    case "correction-failed":
      return prefix(`the correction failed: ${plainLine(event.reason)}`);
    case "wait":
      return prefix(`waiting ${durationOf(event.ms)} before the next attempt`);
    // A warning of the log says these.
    case "attempt-failed":
    case "model-fallback":
    case "research-start":
    case "log":
      return undefined;
  }
}

function takeStep(round: Round, step: Extract<ResearchEvent, { type: "step" }>["step"]): string | undefined {
  if (step.type === "tool-call") {
    const kind = step.query === undefined ? "read" : "search";
    const what = step.query ?? step.urls?.map(shownUrl).join(", ");
    if (what === undefined || what === "") return undefined;
    round.steps.push({ id: step.id, kind, what: plainLine(what), state: "running" });
    return `${kind === "search" ? "searching" : "reading"}  ${plainLine(what)}`;
  }
  if (step.type === "tool-result") {
    const found = round.steps.find(({ id }) => id === step.id);
    if (found) found.state = step.ok ? "done" : "failed";
    return found && !step.ok ? `failed     ${found.what}` : undefined;
  }
  if (step.type === "warning") return `warning: ${plainLine(step.message)}`;
  return undefined;
}

function roundOf(view: ProgressView, number: number, nowMs: number): Round {
  const last = view.rounds.at(-1);
  if (last?.number === number) return last;
  const round: Round = { number, startedAtMs: nowMs, steps: [] };
  view.rounds.push(round);
  return round;
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 80;
const SHOWN_STEPS = 6;

/** The whole view as lines that fit the screen. */
export function liveLines(
  view: ProgressView,
  { activity }: Pick<JobRecord, "activity">,
  nowMs: number,
  screen: Screen,
): string[] {
  const { paint, columns } = screen;
  const fit = (text: string, room: number) => cutToWidth(text, Math.max(8, room));
  const spinner = SPINNER[Math.floor(nowMs / FRAME_MS) % SPINNER.length] ?? "";
  const lines = doneLines(view, screen);
  const round = view.rounds.findLast(({ endedAtMs }) => endedAtMs === undefined);
  const title = activity.rounds > 1 ? `Round ${activity.round} of ${activity.rounds}  ` : "";
  const time = clock(nowMs - view.startedAtMs);
  const running = round?.steps.findLast((step) => step.state === "running");
  const doing = running === undefined ? plainLine(activity.now) : running.kind === "search" ? "searching" : "reading";
  const now = fit(doing, columns - stringWidth(title) - time.length - 4);
  lines.push(`${paint.cyan(spinner)} ${paint.bold(title)}${now}  ${paint.dim(time)}`);
  for (const step of round?.steps.slice(-SHOWN_STEPS) ?? []) {
    const sign = { running: paint.cyan("›"), done: paint.green("✓"), failed: paint.red("✗") }[step.state];
    const verb = step.kind === "search" ? "search" : "read  ";
    lines.push(`  ${sign} ${paint.dim(verb)} ${fit(step.what, columns - 11)}`);
  }
  lines.push(paint.dim(fit("  Ctrl-C stops; finished rounds are kept.", columns)));
  return lines;
}

/** The rounds that are over, one line each. */
export function doneLines(view: ProgressView, { paint, columns }: Screen): string[] {
  return view.rounds.flatMap((round) => {
    if (round.endedAtMs === undefined) return [];
    const failed = round.outcome !== undefined && "failed" in round.outcome;
    const text = cutToWidth(`Round ${round.number}  ${summaryOf(round)}`, columns - 2);
    return [failed ? `${paint.red("✗")} ${text}` : `${paint.green("✓")} ${paint.dim(text)}`];
  });
}

function summaryOf(round: Round): string {
  const { outcome, steps, startedAtMs, endedAtMs = startedAtMs } = round;
  const number = (kind: Step["kind"], word: string, many: string) => {
    const count = steps.filter((step) => step.kind === kind && step.state !== "failed").length;
    return count === 0 ? [] : [`${count} ${count === 1 ? word : many}`];
  };
  const said =
    outcome === undefined ? [] : "failed" in outcome ? [outcome.failed] : outcome.verified ? ["verified"] : [];
  return [
    ...said,
    ...number("search", "search", "searches"),
    ...number("read", "read", "reads"),
    durationOf(endedAtMs - startedAtMs),
  ].join(" · ");
}

/** `1:05`, `1:02:05`. */
function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${padded(m)}:${padded(s)}` : `${m}:${padded(s)}`;
}

function padded(number: number): string {
  return String(number).padStart(2, "0");
}

function shownUrl(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "");
}
