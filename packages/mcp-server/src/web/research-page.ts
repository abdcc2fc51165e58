import { type Activity, type CurrentRound, doing, type RoundOutcome, roundName, summaryOf } from "../jobs/activity.js";
import { type JobRecord, startedMsOf, subjectOf } from "../jobs/job-record.js";
import { withoutMarks } from "../report/citation-marks.js";
import { lineHtml } from "../report/html/evidence.js";
import { clockOf } from "../text/duration.js";
import { escapeHtml } from "../text/escape.js";
import { shortLine } from "../text/plain-text.js";
import { HOME_LINK, layout, postForm } from "./layout.js";
import { stateHtml } from "./list-page.js";

const LONGEST_TITLE = 200;
/** Of the latest steps, searches and pages. */
const MOST_SHOWN = 12;

/** A research without a report: how far it is, or why there is none. */
export function researchPage(record: JobRecord, secret: string): string {
  const path = pathOf(record.id);
  const isRunning = record.state === "running";
  const { button, meaning } = againOf(record);
  const act = isRunning
    ? postForm(`${path}/cancel`, secret, '<button class="danger">Stop it</button>')
    : `${postForm(`${path}/resume`, secret, `<button>${button}</button>`)}<p>${meaning}</p>`;
  const time = isRunning ? `<p class="clock"><span id="time">${timeOf(record)}</span> since it began</p>` : "";
  return layout({
    title: shortLine(subjectOf(record), LONGEST_TITLE),
    kind: HOME_LINK,
    before: `<div class="acts">${act}<p><a href="${path}/delete">Delete it</a></p></div>${time}`,
    live: { events: isRunning ? `/events?of=${encodeURIComponent(record.id)}` : undefined, html: progressHtml(record) },
  });
}

/** What the button of a research that does not run does: a round that has ended is not repeated, but of what failed none is kept. */
function againOf({ state, researchId, activity }: JobRecord): { button: string; meaning: string } {
  const rounds = state === "failed" || researchId === undefined ? 0 : activity.roundsDone;
  return rounds === 0
    ? { button: "Ask it again", meaning: "It begins anew: no finished round is kept." }
    : { button: `Go on after round ${rounds}`, meaning: "What the finished rounds have found is kept." };
}

/** The part of it that lives. */
export function progressHtml(record: JobRecord): string {
  const { activity, state, failure } = record;
  // That it was cancelled is said beside it, and how it goes on above.
  const told = failure === undefined || failure.code === "CANCELLED" ? [] : [failure.message, failure.details ?? ""];
  const lines = told.flatMap((text) => text.split("\n")).filter((line) => line.trim() !== "");
  const why = lines.length === 0 ? "" : `<div class="note">${lines.map(lineHtml).join("")}</div>`;
  return `<div class="progress"><p role="status">${stateHtml(record)} ${state === "running" ? escapeHtml(nowOf(activity)) : ""}</p>${why}
${roundsHtml(activity.outcomes)}
${activity.known === undefined ? "" : `<p dir="auto">${escapeHtml(withoutMarks(activity.known))}</p>`}
${state === "running" ? stepsHtml(activity.current) : `${linesHtml("Searched for", activity.queries)}${linesHtml("Read", activity.pages)}`}</div>`;
}

/** How long the present work on it takes already; it stands beside the part that lives, which changes with what happens alone. */
export function timeOf(record: JobRecord): string {
  return clockOf(Date.now() - startedMsOf(record));
}

function nowOf(activity: Activity): string {
  return shortLine([roundName(activity), doing(activity)].filter(Boolean).join(": "), LONGEST_TITLE);
}

function roundsHtml(outcomes: readonly RoundOutcome[]): string {
  if (outcomes.length === 0) return "";
  const lines = outcomes.map((outcome) => {
    const sign = outcome.end === "failed" ? "failed" : "done";
    return `<li>${SIGNS[sign]} <b>Round ${outcome.round}</b> <span dir="auto">${escapeHtml(summaryOf(outcome))}</span></li>`;
  });
  return `<ul class="steps">${lines.join("")}</ul>`;
}

function stepsHtml({ steps }: CurrentRound): string {
  if (steps.length === 0) return "";
  const lines = steps
    .slice(-MOST_SHOWN)
    .map(
      ({ kind, what, state }) => `<li>${SIGNS[state]} <b>${kind}</b> <span dir="auto">${escapeHtml(what)}</span></li>`,
    );
  return `<h2 class="section">This round</h2><ul class="steps">${lines.join("")}</ul>`;
}

const signOf = (sign: string, tone: string, meaning: string) =>
  `<span class="sign ${tone}" role="img" aria-label="${meaning}">${sign}</span>`;
const SIGNS = {
  running: signOf("›", "", "running"),
  done: signOf("✓", "good", "done"),
  failed: signOf("✗", "failed", "failed"),
};

function linesHtml(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const shown = lines
    .slice(-MOST_SHOWN)
    .map((line) => `<li dir="auto">${escapeHtml(shortLine(line, LONGEST_TITLE))}</li>`);
  return `<h2 class="section">${title} (${lines.length})</h2><ul>${shown.join("")}</ul>`;
}

/** Asks whether a research is to be deleted. */
export function deletePage(record: JobRecord, secret: string): string {
  const isRunning = record.state === "running";
  const first = isRunning ? "It still runs, and is stopped first. " : "";
  const button = `<button class="danger">${isRunning ? "Stop and delete it" : "Delete it"}</button>`;
  return layout({
    title: `Delete “${shortLine(subjectOf(record), 100)}”?`,
    kind: HOME_LINK,
    before: `<p>${first}Its report, its rounds and its page are deleted, here and for every client.</p>
<div class="acts">${postForm(`${pathOf(record.id)}/delete`, secret, button)}<p><a href="${pathOf(record.id)}">Keep it</a></p></div>`,
  });
}

/** What cannot be done, and why. */
export function problemPage(title: string, text: string): string {
  return layout({ title, kind: HOME_LINK, before: `<p>${escapeHtml(text)}</p>` });
}

/** Where a research stands. */
export function pathOf(id: string): string {
  return `/research/${encodeURIComponent(id)}`;
}
