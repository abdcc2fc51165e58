import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { type JobHead, subjectOf } from "../../jobs/job-record.js";
import { shortVerdict } from "../../report/verdict.js";
import { jsonText } from "../../text/json-text.js";
import { plainLine } from "../../text/plain-text.js";
import { cutToWidth, layOut, NO_BREAK, type Piece } from "../terminal/layout.js";
import { type Screen, screenOf } from "../terminal/paint.js";
import { openSession } from "./session.js";

/** Researches of this person, the newest first, whoever asked: the terminal or a client. */
export async function listResearches(
  options: { json?: boolean; ids?: boolean; limit: number },
  io: Io,
): Promise<number> {
  const session = openSession(io, (message) => io.stderr.write(`! ${message}\n`));
  try {
    const records = await session.jobs.list(options.limit);
    if (options.json) {
      io.stdout.write(jsonText(records.map(jsonRow)));
    } else if (options.ids) {
      io.stdout.write(records.map(({ id }) => `${id}\n`).join(""));
    } else {
      const screen = screenOf(io.stdout, io.env);
      if (records.length === 0) io.stdout.write("No research is kept yet.\n");
      const fitting = io.stdout.isTTY ? screen : { ...screen, columns: LONGEST_PIPED };
      for (const record of records) io.stdout.write(`${rowOf(record, fitting)}\n`);
    }
    return EXIT.ok;
  } finally {
    await session.close();
  }
}

function jsonRow(head: JobHead): Record<string, unknown> {
  const { verified, citations, failure } = head;
  return {
    job_id: head.id,
    tool: head.tool,
    state: head.state,
    query: subjectOf(head),
    created_at: head.createdAt,
    updated_at: head.updatedAt,
    ...(verified !== undefined && { verified }),
    ...(citations !== undefined && { citations: citations.cited, citations_never_seen: citations.unseen }),
    ...(failure !== undefined && { error: { code: failure.code, message: failure.message } }),
  };
}

/** Characters of a question where there is no window to fit. */
const LONGEST_PIPED = 200;

/** What it is, and a line of the question. */
function rowOf(head: JobHead, { paint, columns }: Screen): string {
  const when = head.createdAt.slice(0, 16).replace("T", " ");
  const pieces: Piece[] = [
    { text: head.id, style: paint.bold },
    { text: `  ${when}${NO_BREAK}UTC`, style: paint.dim },
    "  ",
    stateOf(head, paint),
  ];
  const question = cutToWidth(plainLine(subjectOf(head)), columns - 2);
  return `${layOut(pieces, { columns, indent: "  " }).join("\n")}\n  ${question}`;
}

function stateOf(head: JobHead, paint: Screen["paint"]): Piece {
  switch (head.state) {
    case "running":
      return { text: "› running", style: paint.cyan };
    case "interrupted":
    case "cancelled":
      return { text: `■ ${head.state}`, style: paint.yellow };
    case "failed":
      return { text: `✗ failed${head.failure ? `: ${head.failure.code}` : ""}`, style: paint.red };
    case "completed": {
      const { tone, text } = shortVerdict(head);
      return tone === "good" ? { text: `✓ ${text}`, style: paint.green } : { text: `! ${text}`, style: paint.yellow };
    }
  }
}
