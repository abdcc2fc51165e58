import { describe } from "../jobs/activity.js";
import { type JobHead, subjectOf } from "../jobs/job-record.js";
import { markOf } from "../jobs/thread.js";
import { shortVerdict } from "../report/verdict.js";
import { ageOf } from "../text/duration.js";
import { escapeHtml } from "../text/escape.js";
import { shortLine } from "../text/plain-text.js";
import { layout, postForm } from "./layout.js";

/** Which researches the list shows. */
export interface Filter {
  words: string;
  state: string;
  /** A day, as `2026-11-22`; empty: any. */
  since: string;
  /** From 1. */
  page: number;
}

const STATES = ["running", "completed", "interrupted", "failed", "cancelled"];
const ON_A_PAGE = 30;

/** Reads the filter of an address; what makes no sense is as if it was not there. */
export function filterOf(parameters: URLSearchParams): Filter {
  const state = parameters.get("state") ?? "";
  const since = parameters.get("since") ?? "";
  const page = Number(parameters.get("page") ?? 1);
  return {
    words: (parameters.get("q") ?? "").slice(0, 200),
    state: STATES.includes(state) ? state : "",
    since: /^\d{4}-\d\d-\d\d$/.test(since) && !Number.isNaN(Date.parse(since)) ? since : "",
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

export interface ListParts {
  secret: string;
  /** Why nothing was asked. */
  problem?: string;
  /** The research that is asked on from. */
  earlier?: JobHead | undefined;
  /** What the form was sent with: nobody writes a question twice. */
  given?: URLSearchParams;
}

/** All researches that fit, the newest first, and the form that asks a new one. */
export function listPage(heads: readonly JobHead[], filter: Filter, { secret, problem, earlier, given }: ListParts) {
  return layout({
    title: "Researches",
    kind: "x-research",
    before: `${problem === undefined ? "" : `<p class="note" role="alert">${escapeHtml(problem)}</p>`}
${postForm("/start", secret, askFields(earlier, given), "ask")}
${filterForm(filter)}`,
    live: { events: `/events?${queryOf(filter)}`, html: listHtml(heads, filter, Date.now()) },
  });
}

/** What a question is asked with; after an earlier research it begins with what that one found. */
function askFields(earlier: JobHead | undefined, given = new URLSearchParams()): string {
  const label =
    earlier === undefined ? "A new question" : `Ask on after: ${escapeHtml(shortLine(subjectOf(earlier), 200))}`;
  const follow = earlier === undefined ? "" : `<input type="hidden" name="follow" value="${escapeHtml(earlier.id)}">`;
  // Asked on as the earlier one was asked, as in the terminal.
  const tool = given.get("tool") ?? earlier?.tool ?? "";
  return `${follow}<label class="whole-row" for="query" dir="auto">${label}</label>
<textarea class="whole-row" id="query" name="query" required maxlength="50000" dir="auto">\n${escapeHtml(given.get("query") ?? "")}</textarea>
<div><label for="tool">How</label>${choiceOf("tool", TOOLS, tool)}</div>
<div><label for="recency">Pages of</label>${choiceOf("recency", TIMES, given.get("recency") ?? "")}</div>
<button>Ask</button>`;
}

function choiceOf(name: string, options: Readonly<Record<string, string>>, chosen: string): string {
  const each = Object.entries(options).map(
    ([value, text]) => `<option value="${value}"${value === chosen ? " selected" : ""}>${text}</option>`,
  );
  return `<select id="${name}" name="${name}">${each.join("")}</select>`;
}

const TOOLS = {
  search: "Search: one round, about 30 s",
  deep_search: "Deep search: checked in rounds",
};
const TIMES = {
  "": "any time",
  day: "the last day",
  week: "the last week",
  month: "the last month",
  year: "the last year",
};

function filterForm({ words, state, since }: Filter): string {
  const states = Object.fromEntries(["", ...STATES].map((name) => [name, name || "any"]));
  return `<form method="get" action="/" class="filter" role="search">
<div class="grow"><label for="q">Words of the question</label><input id="q" name="q" type="search" value="${escapeHtml(words)}" dir="auto"></div>
<div><label for="state">State</label>${choiceOf("state", states, state)}</div>
<div><label for="since">Asked since</label><input id="since" name="since" type="date" value="${since}"></div>
<button>Show</button></form>`;
}

function queryOf({ words, state, since, page }: Filter, other: Partial<Filter> = {}): string {
  const values = { q: words, state, since, page: String(other.page ?? page) };
  return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "")).toString();
}

/** The part of the page that lives. */
export function listHtml(heads: readonly JobHead[], filter: Filter, now: number): string {
  const fitting = heads.filter((head) => isWanted(head, filter));
  const pages = Math.max(1, Math.ceil(fitting.length / ON_A_PAGE));
  const page = Math.min(filter.page, pages);
  const shown = fitting.slice((page - 1) * ON_A_PAGE, page * ON_A_PAGE);
  const running = heads.filter(({ state }) => state === "running").length;
  const count = fitting.length === 1 ? "1 research" : `${fitting.length} researches`;
  const links = [
    ...(page > 1 ? [`<a id="newer" href="/?${escapeHtml(queryOf(filter, { page: page - 1 }))}">Newer</a>`] : []),
    ...(page < pages ? [`<a id="older" href="/?${escapeHtml(queryOf(filter, { page: page + 1 }))}">Older</a>`] : []),
  ];
  if (fitting.length === 0) return `<p class="hint" role="status">${heads.length === 0 ? NOTHING_KEPT : NONE_FITS}</p>`;
  return `<p class="hint" role="status">${count}${running > 0 ? `, ${running} running` : ""}${pages > 1 ? `; page ${page} of ${pages}` : ""}</p>
<ul class="jobs">${shown.map((head) => rowHtml(head, now)).join("\n")}</ul>
${links.length > 0 ? `<nav class="pages" aria-label="Pages">${links.join(" ")}</nav>` : ""}`;
}

const NOTHING_KEPT =
  "No research is kept yet. What you ask here, in the terminal and in your MCP clients is listed in this place.";
const NONE_FITS = 'No research fits. <a href="/">Show all of them</a>';

function rowHtml(head: JobHead, now: number): string {
  const { id, createdAt, activity } = head;
  const progress = head.state === "running" ? `<small>${escapeHtml(describe(activity))}</small>` : "";
  const age = ageOf(now - Date.parse(createdAt));
  return `<li><a id="${escapeHtml(id)}" href="/research/${encodeURIComponent(id)}" dir="auto">${markHtml(head)}${escapeHtml(shortLine(subjectOf(head), 200))}</a>${stateHtml(head)}<time datetime="${escapeHtml(createdAt)}">${age}</time>${progress}</li>`;
}

function markHtml(head: JobHead): string {
  const mark = markOf(head);
  if (mark === undefined) return "";
  return `<span role="img" aria-label="${mark.meaning}" title="${mark.meaning}">${mark.sign}</span> `;
}

/** What became of a research, in a word or two. */
export function stateHtml(head: JobHead): string {
  const [tone, text] = toneOf(head);
  return `<span class="job-state ${tone}">${escapeHtml(text)}</span>`;
}

function toneOf(head: JobHead): [tone: string, text: string] {
  const { state, failure } = head;
  if (state === "running") return ["", "running"];
  if (state === "failed") return ["failed", failure?.code ?? "failed"];
  if (state !== "completed") return ["careful", state];
  const { tone, text } = shortVerdict(head);
  return [tone, text];
}

function isWanted(head: JobHead, { words, state, since }: Filter): boolean {
  if (state !== "" && head.state !== state) return false;
  if (since !== "" && Date.parse(head.createdAt) < Date.parse(since)) return false;
  const question = subjectOf(head).toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => question.includes(word));
}
