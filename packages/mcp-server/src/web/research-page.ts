import type { Activity } from "../jobs/activity.js";
import { type JobRecord, subjectOf } from "../jobs/job-record.js";
import { escapeHtml } from "../text/escape.js";
import { shortLine } from "../text/plain-text.js";
import { HOME_LINK, layout, postForm } from "./layout.js";
import { stateHtml } from "./list-page.js";

const LONGEST_TITLE = 200;
/** Of the latest searches and pages. */
const MOST_SHOWN = 12;

/** A research without a report: how far it is, or why there is none. */
export function researchPage(record: JobRecord, secret: string): string {
  const path = pathOf(record.id);
  const isRunning = record.state === "running";
  const act = isRunning
    ? postForm(`${path}/cancel`, secret, '<button class="danger">Stop it</button>')
    : `${postForm(`${path}/resume`, secret, "<button>Go on with it</button>")}<p><a href="${path}/delete">Delete it</a></p>`;
  return layout({
    title: shortLine(subjectOf(record), LONGEST_TITLE),
    kind: HOME_LINK,
    before: `<div class="acts">${act}</div>`,
    live: { events: isRunning ? `/events?of=${encodeURIComponent(record.id)}` : undefined, html: progressHtml(record) },
  });
}

/** The part of it that lives. */
export function progressHtml(record: JobRecord): string {
  const { activity, state, failure } = record;
  const why =
    failure === undefined
      ? ""
      : `<p class="note">${[failure.message, failure.details ?? ""].map(escapeHtml).join("<br>")}</p>`;
  return `<div class="progress"><p role="status">${stateHtml(record)} ${state === "running" ? escapeHtml(nowOf(activity)) : ""}</p>${why}
${activity.known === undefined ? "" : `<p dir="auto">${escapeHtml(activity.known)}</p>`}
${linesHtml("Searched for", activity.queries)}
${linesHtml("Read", activity.pages)}</div>`;
}

function nowOf({ round, rounds, now }: Activity): string {
  return shortLine(rounds > 1 ? `Round ${round} of ${rounds}: ${now}` : now, 200);
}

function linesHtml(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const shown = lines
    .slice(-MOST_SHOWN)
    .map((line) => `<li dir="auto">${escapeHtml(shortLine(line, LONGEST_TITLE))}</li>`);
  return `<h2 class="section">${title} (${lines.length})</h2><ul>${shown.join("")}</ul>`;
}

/** Asks whether a research is to be deleted. */
export function deletePage(record: JobRecord, secret: string): string {
  return layout({
    title: `Delete “${shortLine(subjectOf(record), 100)}”?`,
    kind: HOME_LINK,
    before: `<p>Its report, its rounds and its page are deleted, here and for every client.</p>
<div class="acts">${postForm(`${pathOf(record.id)}/delete`, secret, '<button class="danger">Delete it</button>')}<p><a href="${pathOf(record.id)}">Keep it</a></p></div>`,
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
