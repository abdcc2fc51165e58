import type { ResearchEvent } from "@x/research";
import { shortLine } from "../text/plain-text.js";
import { siteOf } from "../text/site.js";

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
}

export function newActivity(): Activity {
  return { now: "starting", round: 1, rounds: 1, roundsDone: 0, queries: [], pages: [], pagesDone: 0 };
}

/** Notes an event. Gives `true` when something changed that is worth a line for people. */
export function update(activity: Activity, event: ResearchEvent): boolean {
  const before = activity.now;
  switch (event.type) {
    case "round-start":
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
      activity.roundsDone = event.round;
      activity.known = firstWords(event.result);
      activity.now = event.verified ? "verified" : "round done, not yet verified";
      return true;
    case "round-failed":
      activity.roundsDone = event.round;
      activity.now = `round ${event.round} failed`;
      return true;
    case "research-start":
    case "log":
      return false;
  }
}

function step(activity: Activity, event: Extract<ResearchEvent, { type: "step" }>["step"], before: string): boolean {
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
