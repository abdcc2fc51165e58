import type { ResearchEvent } from "@x/research";
import { durationOf } from "../text/duration.js";
import { shortLine } from "../text/plain-text.js";
import { siteOf } from "../text/site.js";

/** A search or a read of pages. */
interface Step {
  id: string;
  kind: "search" | "read";
  /** What is searched, or the addresses that are read. */
  what: string;
  state: "running" | "done" | "failed";
}

/** The round that runs. */
export interface CurrentRound {
  /** Missing: its beginning was not told. */
  startedMs?: number;
  /** Steps that have not failed. */
  searches: number;
  reads: number;
  /** The latest ones. */
  steps: Step[];
}

/** What became of a round. */
export interface RoundOutcome {
  round: number;
  end: "verified" | "unverified" | "failed";
  /** Why it failed. */
  reason?: string;
  /** Steps that have not failed. */
  searches: number;
  reads: number;
  durationMs: number;
}

/** What is known of a research that still runs. */
export interface Activity {
  /** What happens at this moment, in a few words. */
  now: string;
  round: number;
  /** Most rounds there may be. */
  rounds: number;
  /** Rounds that are done, whatever came of them. */
  roundsDone: number;
  /** One line of what the last finished round found. */
  known?: string;
  queries: string[];
  pages: string[];
  /** How many of the pages have been read, or could not be. */
  pagesDone: number;
  current: CurrentRound;
  /** What became of the rounds that are over, in order. */
  outcomes: RoundOutcome[];
}

export function newActivity(): Activity {
  return {
    ...{ now: "starting", round: 1, rounds: 1, roundsDone: 0, queries: [], pages: [], pagesDone: 0 },
    current: newRound(),
    outcomes: [],
  };
}

function newRound(): CurrentRound {
  return { searches: 0, reads: 0, steps: [] };
}

/** Notes an event. Gives `true` when something changed that is worth a line for people. */
export function update(activity: Activity, event: ResearchEvent, nowMs: number): boolean {
  const before = activity.now;
  switch (event.type) {
    case "research-start":
      // What an earlier process was at has no end that could be told.
      activity.current = newRound();
      return false;
    case "round-start":
      activity.current = { ...newRound(), startedMs: nowMs };
      // A research that begins anew repeats its rounds.
      activity.outcomes = activity.outcomes.filter(({ round }) => round < event.round);
      activity.round = event.round;
      activity.rounds = event.of;
      activity.now = "starting the Gemini CLI";
      return true;
    case "step":
      return step(activity, event.step, before);
    case "attempt-failed":
      activity.now = `attempt ${event.attempt} of ${event.of} gave no readable answer`;
      return true;
    case "correction-start":
      activity.now = "having the answer put into the right form";
      return true;
    case "correction-failed":
      activity.now = "the correction failed";
      return true;
    case "wait":
      activity.now = `waiting ${Math.round(event.ms / 1000)} s before the next attempt`;
      return true;
    case "model-fallback":
      activity.now = `asking ${event.to} instead`;
      return true;
    case "round-end":
      endRound(activity, { round: event.round, end: event.verified ? "verified" : "unverified" }, nowMs);
      activity.known = firstWords(event.result);
      activity.now = event.verified ? "verified" : "round done, not yet verified";
      return true;
    case "round-failed":
      endRound(activity, { round: event.round, end: "failed", reason: shortLine(event.reason, LONGEST_ITEM) }, nowMs);
      activity.now = `round ${event.round} failed`;
      return true;
    case "log":
      return false;
  }
}

function endRound(activity: Activity, outcome: Pick<RoundOutcome, "round" | "end" | "reason">, nowMs: number): void {
  const { searches, reads, startedMs = nowMs } = activity.current;
  const ended = { ...outcome, searches, reads, durationMs: Math.max(0, nowMs - startedMs) };
  activity.outcomes = [...activity.outcomes, ended].slice(-MOST_OUTCOMES);
  activity.roundsDone = outcome.round;
  activity.current = newRound();
}

function step(activity: Activity, event: Extract<ResearchEvent, { type: "step" }>["step"], before: string): boolean {
  noteStep(activity.current, event);
  switch (event.type) {
    // Until it asks the model, which takes minutes on a machine that is very busy.
    case "run-start":
      activity.now = "waiting for the Gemini CLI";
      break;
    case "turn-start":
      activity.now = "thinking";
      break;
    case "tool-call":
      if (event.query !== undefined) {
        addNew(activity.queries, [event.query]);
        activity.now = `searching "${shortLine(event.query, 60)}"`;
      } else if (event.urls !== undefined && event.urls.length > 0) {
        addNew(activity.pages, event.urls);
        activity.now = reading(activity);
      } else {
        // The page tool names documents of the person's own, which are no addresses of the web.
        activity.now = event.tool.endsWith("_read_page") ? "reading a document" : `using ${event.tool}`;
      }
      return true;
    case "tool-result":
      if (event.tool === "web_fetch") {
        activity.pagesDone = Math.min(activity.pagesDone + 1, activity.pages.length);
        activity.now = activity.pagesDone < activity.pages.length ? reading(activity) : "thinking";
      } else if (!event.ok) activity.now = `${event.tool} failed`;
      break;
    case "text-delta":
      activity.now = "writing";
      break;
    case "warning":
    case "run-end":
      break;
  }
  return activity.now !== before;
}

function noteStep(round: CurrentRound, event: Extract<ResearchEvent, { type: "step" }>["step"]): void {
  if (event.type === "tool-call") {
    const { id, query, urls = [] } = event;
    const what = shortLine(query ?? urls.slice(0, MOST_STEPS).map(shownUrl).join(", "), LONGEST_ITEM);
    if (what === "") return;
    const step: Step = { id, kind: query === undefined ? "read" : "search", what, state: "running" };
    round[COUNT_OF[step.kind]] += 1;
    round.steps = [...round.steps, step].slice(-MOST_STEPS);
  } else if (event.type === "tool-result") {
    const ended = round.steps.findLast(({ id }) => id === event.id);
    if (ended?.state !== "running") return;
    ended.state = event.ok ? "done" : "failed";
    if (!event.ok) round[COUNT_OF[ended.kind]] -= 1;
  }
}

const COUNT_OF = { search: "searches", read: "reads" } as const;

function shownUrl(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "");
}

/** `Round 2 of 5`; nothing where there is one alone. */
export function roundName({ round, rounds }: Activity): string {
  return rounds > 1 ? `Round ${round} of ${rounds}` : "";
}

/** What happens at this moment, where the steps stand beside it. */
export function doing({ now, current }: Activity): string {
  const running = current.steps.findLast(({ state }) => state === "running");
  return running === undefined ? now : DOING[running.kind];
}

export const DOING = { search: "searching", read: "reading" } as const;

/** What became of a round: `verified · 3 searches · 2 reads · 40 s`. */
export function summaryOf({ end, reason, searches, reads, durationMs }: RoundOutcome): string {
  const counted = (count: number, one: string, many: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  return [
    end === "failed" ? (reason ?? "failed") : end === "verified" ? "verified" : "not verified",
    ...counted(searches, "search", "searches"),
    ...counted(reads, "read", "reads"),
    durationOf(durationMs),
  ].join(" · ");
}

/** One line of at most 120 characters. */
export function describe(activity: Activity): string {
  const round = activity.rounds > 1 ? `round ${activity.round}/${activity.rounds} · ` : "";
  return shortLine(`${round}${activity.now}`, 120);
}

function reading({ pages, pagesDone }: Activity): string {
  const at = Math.min(pagesDone, pages.length - 1);
  return `reading ${at + 1} of ${pages.length} · ${shortLine(siteOf(pages[at] ?? ""), 60)}`;
}

/** The most queries and pages that are kept of a running research: every save writes them. */
const LONGEST_LIST = 500;
const LONGEST_ITEM = 300;
/** Of the present round: more than either view has room for. */
const MOST_STEPS = 20;
const MOST_OUTCOMES = 50;

function addNew(list: string[], items: readonly string[]): void {
  for (const item of items.slice(0, LONGEST_LIST)) {
    const text = item.slice(0, LONGEST_ITEM);
    if (list.length < LONGEST_LIST && !list.includes(text)) list.push(text);
  }
}

/** The first sentence of a report in Markdown that is prose, in one line of at most 300 characters. */
function firstWords(report: string): string {
  let first = "";
  for (let from = 0; from < report.length && first === ""; ) {
    const end = report.indexOf("\n", from);
    const line = report.slice(from, end < 0 ? undefined : Math.min(end, from + 1_000)).trim();
    if (!/^(?:#|```|---|\||<!--)/.test(line)) first = line;
    from = end < 0 ? report.length : end + 1;
  }
  return shortLine(first, 300);
}
