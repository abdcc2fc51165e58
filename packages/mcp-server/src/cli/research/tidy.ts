import { rm } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { EXIT, exitCodeOfSignal } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { isUnfinished, type JobHead, subjectOf } from "../../jobs/job-record.js";
import { shortLine } from "../../text/plain-text.js";
import { failureText } from "../terminal/failure.js";
import { screenOf } from "../terminal/paint.js";
import { told } from "../terminal/told.js";
import { table } from "./list-researches.js";
import { pageFileOf } from "./open-page.js";
import { openSession, type Session } from "./session.js";
import { unknownId, type Which, whichResearch } from "./which.js";

/** Stops a research, in whatever process it runs. Gives the exit code. */
export function cancelResearch(which: Which, io: Io): Promise<number> {
  return inSession(io, async ({ jobs }, say) => {
    const found = await whichResearch(jobs, which, io.command);
    if ("missing" in found) return say.failed(found.missing);
    const before = await jobs.look(found.id);
    if (before === undefined) return say.failed(unknownId(found.id, io.command));
    if (!isUnfinished(before)) return say.failed(`${found.id} does not run: it is ${before.state}.`);
    await jobs.cancel(found.id);
    return say.done(`Stopped ${found.id}: ${shortLine(subjectOf(before), 60)}`);
  });
}

/** Deletes some researches. What does not exist or runs is named, and the others are deleted all the same. */
export function deleteResearches(all: readonly Which[], io: Io): Promise<number> {
  return inSession(io, async (session, say) => {
    let code: number = EXIT.ok;
    for (const which of all) {
      const ended = await deleteMeant(which, session, say, io);
      if (ended !== EXIT.ok) code = ended;
    }
    return code;
  });
}

/** Deletes all researches that were asked before a time and do not run. Asks first, in a terminal. */
export function clearResearches({ olderThan, yes }: { olderThan: number; yes?: boolean }, io: Io): Promise<number> {
  return inSession(io, async (session, say) => {
    const heads = await session.jobs.list(Number.POSITIVE_INFINITY);
    const old = heads.filter(({ createdAt, state }) => Date.parse(createdAt) < olderThan && state !== "running");
    if (old.length === 0) return say.done("Nothing is that old.");
    const several = old.length === 1 ? "1 research" : `${old.length} researches`;
    if (!yes) {
      io.stderr.write(table(old.slice(0, 10), { stdout: io.stderr, env: io.env }));
      if (old.length > 10) io.stderr.write(`… and ${old.length - 10} more\n`);
      if (!io.stdin.isTTY) return say.failed(`${several} would be deleted. Give --yes to delete without being asked.`);
      if (!(await agrees(`Delete ${several}? [y/N] `, io))) {
        io.stderr.write("Nothing was deleted.\n");
        return io.signal.aborted ? exitCodeOfSignal(io.signal.reason) : EXIT.ok;
      }
    }
    for (const head of old) await deleteOne(head, session, { ...say, done: () => EXIT.ok }, io);
    return say.done(`Deleted ${several}.`);
  });
}

/** What a command tells on stderr; each gives an exit code. */
interface Say {
  done(text: string): number;
  failed(text: string): number;
}

async function deleteMeant(which: Which, session: Session, say: Say, io: Io): Promise<number> {
  // What failed to start was asked last all the same: the report before it is not to be lost in its place.
  const found = await whichResearch(session.jobs, which, io.command, { failedStart: true });
  if ("missing" in found) return say.failed(found.missing);
  const record = await session.jobs.look(found.id);
  if (record === undefined) return say.failed(unknownId(found.id, io.command));
  return deleteOne(record, session, say, io);
}

async function deleteOne(head: JobHead, { jobs, config }: Session, say: Say, { command }: Io): Promise<number> {
  const { id } = head;
  const removed = await jobs.remove(id);
  if (removed === undefined) return say.failed(unknownId(id, command));
  if (removed === "running") return say.failed(`${id} still runs. Stop it first: ${command} cancel ${id}`);
  await rm(pageFileOf(config.configDir, id), { force: true });
  return say.done(`Deleted ${id}: ${shortLine(subjectOf(head), 60)}`);
}

async function inSession(io: Io, work: (session: Session, say: Say) => Promise<number>): Promise<number> {
  const screen = screenOf(io.stderr, io.env);
  const session = openSession(io);
  const say: Say = {
    done(text) {
      io.stderr.write(told("✓", text, io.stderr, io.env));
      return EXIT.ok;
    },
    failed(text) {
      io.stderr.write(failureText({ code: "INVALID_INPUT", message: text }, screen));
      return EXIT.usage;
    },
  };
  try {
    return await work(session, say);
  } finally {
    await session.close();
  }
}

async function agrees(question: string, { stdin, stderr, signal }: Io): Promise<boolean> {
  const asked = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(?:es)?$/i.test((await asked.question(question, { signal })).trim());
  } catch {
    return false;
  } finally {
    asked.close();
  }
}
