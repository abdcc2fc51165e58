import { isJobId, type JobHead, subjectOf } from "../jobs/job-record.js";
import type { Jobs } from "../jobs/jobs.js";
import { outgoingText } from "../report/outgoing.js";
import { shortLine } from "../text/plain-text.js";
import { doTask, type FindOffload } from "../tools/index.js";
import { MARKDOWN, SCHEME } from "./resource-templates.js";

const LISTED = 50;

/** The last finished reports, newest first. */
export async function listReports(jobs: Jobs) {
  const heads = await jobs.list(LISTED).catch(() => [] as JobHead[]);
  const finished = heads.filter(({ state }) => state === "completed");
  return finished.map((record) => ({
    uri: SCHEME + record.id,
    name: record.id,
    title: outgoingText(shortLine(subjectOf(record), 100)),
    mimeType: MARKDOWN,
    annotations: { lastModified: record.updatedAt },
  }));
}

/** `undefined`: there is no such report. */
export async function readReport(jobs: Jobs, uri: string, offload?: FindOffload) {
  const id = uri.startsWith(SCHEME) ? uri.slice(SCHEME.length) : "";
  if (!isJobId(id)) return undefined;
  const record = await jobs.look(id);
  if (record?.report === undefined) return undefined;
  return { uri, mimeType: MARKDOWN, text: await doTask("document", { record }, offload) };
}
