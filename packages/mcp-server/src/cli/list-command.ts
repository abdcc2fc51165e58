import type { Io } from "../host/io.js";
import { type JobHead, subjectOf } from "../jobs/job-record.js";
import { plainLine } from "../text/plain-text.js";
import { EXIT } from "./exit-codes.js";
import { jsonText } from "./json-text.js";
import { openSession } from "./session.js";
import { layOut } from "./terminal/layout.js";
import { type Screen, screenOf } from "./terminal/paint.js";

/** Researches of this person, the newest first, whoever asked: the terminal or a client. */
export async function listResearches(
  options: { json?: boolean; ids?: boolean; limit: number },
  io: Io,
): Promise<number> {
  const session = openSession(io, (message) => io.stderr.write(`! ${message}\n`));
  try {
    const records = await session.jobs.list(options.limit);
    if (options.json) {
      const rows = records.map((record) => ({
        job_id: record.id,
        tool: record.tool,
        state: record.state,
        query: subjectOf(record),
        created_at: record.createdAt,
        updated_at: record.updatedAt,
        ...(record.verified !== undefined && { verified: record.verified }),
      }));
      io.stdout.write(jsonText(rows));
    } else if (options.ids) {
      io.stdout.write(records.map(({ id }) => `${id}\n`).join(""));
    } else {
      const screen = screenOf(io.stdout, io.env);
      if (records.length === 0) io.stdout.write("No research is kept yet.\n");
      for (const record of records) io.stdout.write(`${rowOf(record, screen)}\n`);
    }
    return EXIT.ok;
  } finally {
    await session.close();
  }
}

function rowOf(record: JobHead, { paint, columns }: Screen): string {
  const { verified } = record;
  const state = {
    running: paint.cyan("› running"),
    interrupted: paint.yellow("■ interrupted"),
    cancelled: paint.yellow("■ cancelled"),
    failed: paint.red(`✗ failed${record.failure ? `: ${record.failure.code}` : ""}`),
    completed: paint.green(verified === undefined ? "✓ done" : verified ? "✓ verified" : "✓ done, not verified"),
  }[record.state];
  const when = record.createdAt.slice(0, 16).replace("T", " ");
  const question = layOut(plainLine(subjectOf(record)), { columns, first: "  " }).join("\n");
  return `${paint.bold(record.id)}  ${paint.dim(`${when} UTC`)}  ${state}\n${question}`;
}
