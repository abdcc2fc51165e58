import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { makeFolder } from "@x/owned-files";
import stringWidth from "fast-string-width";
import type { Config } from "../../host/config.js";
import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { earlierIn } from "../../jobs/earlier-job.js";
import { type JobHead, subjectOf } from "../../jobs/job-record.js";
import { markOf, threadOf } from "../../jobs/thread.js";
import { shortVerdict } from "../../report/verdict.js";
import { ageOf } from "../../text/duration.js";
import { jsonText } from "../../text/json-text.js";
import { plainLine } from "../../text/plain-text.js";
import { fail } from "../terminal/fail.js";
import { cutToWidth, layOut } from "../terminal/layout.js";
import { type Screen, screenOf } from "../terminal/paint.js";
import { openSession } from "./session.js";
import { shortId, unknownId, whichResearch } from "./which.js";

export interface ListOptions {
  json?: boolean;
  ids?: boolean;
  /** Researches on a page. */
  limit: number;
  /** From 1. */
  page: number;
  /** Words that the question must hold, all of them. */
  search?: string;
  state?: string[];
  /** Milliseconds since 1970. */
  since?: number;
  /** Only the researches that follow each other with this one, by its id or the beginning of it; `true` with {@link last}. */
  thread?: string | true;
  /** It is the thread of the research that was asked last. */
  last?: boolean;
}

const LAST_ALONE = "--last says whose thread is listed: --thread --last. The newest research alone: --limit 1.";

/** Researches of this person, the newest first, whoever asked: the terminal or a client. */
export async function listResearches(options: ListOptions, io: Io): Promise<number> {
  const { json, ids, limit, page, thread, last } = options;
  if (last && thread === undefined) return fail({ code: "INVALID_INPUT", message: LAST_ALONE }, options, io);
  const session = openSession(io);
  try {
    const kept = await session.jobs.list(Number.POSITIVE_INFINITY);
    // Where nothing can be kept, that nothing is there says nothing.
    if (kept.length === 0) await checkWritable(session.config.configDir);
    let all = kept;
    if (thread !== undefined) {
      const found = await whichResearch(session.jobs, { id: thread === true ? undefined : thread, last }, io.command);
      if ("missing" in found) return fail({ code: "INVALID_INPUT", message: found.missing }, options, io);
      all = threadOf(found.id, kept).reverse();
      if (all.length === 0)
        return fail({ code: "INVALID_INPUT", message: unknownId(found.id, io.command) }, options, io);
    }
    const fitting = all.filter((head) => isWanted(head, options));
    const shown = fitting.slice((page - 1) * limit, page * limit);
    const pages = Math.ceil(fitting.length / limit);
    if (json) io.stdout.write(jsonText(shown.map(jsonRow)));
    else if (ids) io.stdout.write(shown.map(({ id }) => `${id}\n`).join(""));
    else if (shown.length > 0) io.stdout.write(table(shown, io));
    else if (all.length === 0) io.stdout.write(nothingKept(session.config, io));
    else io.stdout.write(fitting.length === 0 ? "None fits.\n" : `The last page is ${pages}.\n`);
    if (io.stdout.isTTY && !json && !ids && page < pages)
      io.stderr.write(`Page ${page} of ${pages}: --page ${page + 1} shows more.\n`);
    return EXIT.ok;
  } finally {
    await session.close();
  }
}

/** A client may keep its researches in another folder. */
function nothingKept({ configDir }: Pick<Config, "configDir">, { stdout, env }: Pick<Io, "stdout" | "env">): string {
  const text = `No research is kept yet in ${plainLine(configDir)}. A client whose entry sets GEMINI_SEARCH_CONFIG_DIR keeps its researches in that folder.`;
  return `${layOut(text, { columns: screenOf(stdout, env).columns, wholeWords: true }).join("\n")}\n`;
}

/** Rejects when nothing can be written into a folder, which is made when it is missing. */
async function checkWritable(folder: string): Promise<void> {
  await makeFolder(folder, { mode: 0o700 });
  await access(folder, constants.W_OK | constants.X_OK);
}

function isWanted(head: JobHead, { search = "", state, since = 0 }: ListOptions): boolean {
  if (state !== undefined && !state.includes(head.state)) return false;
  if (Date.parse(head.createdAt) < since) return false;
  const question = subjectOf(head).toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => question.includes(word));
}

function jsonRow(head: JobHead): Record<string, unknown> {
  const { verified, citations, failure } = head;
  const [follows, renews] = [earlierIn(head, "followUpOf"), earlierIn(head, "refreshOf")];
  return {
    job_id: head.id,
    tool: head.tool,
    state: head.state,
    query: subjectOf(head),
    ...(follows !== undefined && { follow_up_of: follows.job }),
    ...(renews !== undefined && { refresh_of: renews.job }),
    created_at: head.createdAt,
    updated_at: head.updatedAt,
    ...(verified !== undefined && { verified }),
    ...(citations !== undefined && { citations: citations.cited, citations_never_seen: citations.unseen }),
    ...(failure !== undefined && { error: { code: failure.code, message: failure.message } }),
  };
}

/** Characters of a line where there is no window to fit. */
const LONGEST_PIPED = 240;

/** One line each: the last part of its id, when it was asked, what became of it, and the question as far as it fits. */
export function table(
  heads: readonly JobHead[],
  { stdout, env }: Pick<Io, "stdout" | "env">,
  now = Date.now(),
): string {
  const screen = screenOf(stdout, env);
  const { paint } = screen;
  const columns = stdout.isTTY ? screen.columns : LONGEST_PIPED;
  const rows = heads.map((head) => ({
    id: stdout.isTTY ? shortId(head) : head.id,
    when: stdout.isTTY ? ageOf(now - Date.parse(head.createdAt)) : head.createdAt.slice(0, 16),
    state: stateOf(head, paint),
    question: `${signOf(head)}${plainLine(subjectOf(head).slice(0, 2 * columns))}`,
  }));
  const widest = (texts: string[]) => texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
  const widths = [
    widest(rows.map(({ id }) => id)),
    widest(rows.map(({ when }) => when)),
    widest(rows.map(({ state }) => state.text)),
  ] as const;
  const left = columns - widths[0] - widths[1] - widths[2] - 6;
  const lines = rows.map(({ id, when, state, question }) => {
    const pad = (text: string, width: number) => " ".repeat(width - stringWidth(text));
    const cells = [
      paint.bold(id) + pad(id, widths[0]),
      paint.dim(when) + pad(when, widths[1]),
      state.style(state.text) + pad(state.text, widths[2]),
      cutToWidth(question, Math.max(left, 12)),
    ];
    return cells.join("  ");
  });
  return `${lines.join("\n")}\n`;
}

function signOf(head: JobHead): string {
  const mark = markOf(head);
  return mark === undefined ? "" : `${mark.sign} `;
}

function stateOf(head: JobHead, paint: Screen["paint"]): { text: string; style: (text: string) => string } {
  switch (head.state) {
    case "running":
      return { text: "› running", style: paint.cyan };
    case "interrupted":
    case "cancelled":
      return { text: `■ ${head.state}`, style: paint.yellow };
    case "failed":
      return { text: `✗ ${head.failure?.code ?? "failed"}`, style: paint.red };
    case "completed": {
      const { tone, text } = shortVerdict(head);
      return tone === "good" ? { text: `✓ ${text}`, style: paint.green } : { text: `! ${text}`, style: paint.yellow };
    }
  }
}
