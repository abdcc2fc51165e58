import { constants, open, stat } from "node:fs";
import { Socket } from "node:net";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { readProblem, readText } from "@x/owned-files";
import type { Io } from "../../host/io.js";
import { durationOf } from "../../text/duration.js";
import { shortLine } from "../../text/plain-text.js";
import { readUpTo } from "./read-stdin.js";

/** What a person writes by hand is far smaller. */
const MAX_BYTES = 1_000_000;
/** A pipe that says nothing for so long is one that nobody writes to. */
const SILENT_MS = 30_000;

/** What reading takes of a command, and how long a pipe may say nothing: default 30 s. */
export interface ReadingOptions {
  host: Pick<Io["host"], "cwd">;
  signal: AbortSignal;
  silentMs?: number;
}

/**
 * Reads the file that an option names, or the pipe: a shell makes one of `<(…)`. Rejects with `INVALID_INPUT` that names the
 * option and what is wrong; with the signal's reason when the person stops the command before.
 */
export async function readJsonFile(option: string, path: string, options: ReadingOptions): Promise<unknown> {
  const refuse = (why: string) =>
    Object.assign(new Error(`${option} ${shortLine(path, 200)}: ${why}.`), { code: "INVALID_INPUT" });
  const text = await textOf(resolve(options.host.cwd, path), options).catch((error: unknown) => {
    options.signal.throwIfAborted();
    throw refuse(error instanceof RangeError ? error.message : `it cannot be read: ${problemOf(error)}`);
  });
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw refuse(`it is no JSON: ${shortLine((error as Error).message, 200)}`);
  }
}

/** Reads a plan: as it is, or inside the answer that it came in. */
export async function readPlanFile(option: string, path: string, options: ReadingOptions): Promise<unknown> {
  const value = await readJsonFile(option, path, options);
  const isAnswer = typeof value === "object" && value !== null && "plan" in value;
  return isAnswer ? value.plan : value;
}

const inWords = (number: number) => number.toLocaleString("en-GB");

async function textOf(file: string, options: ReadingOptions): Promise<string> {
  if ((await promisify(stat)(file)).isFIFO()) return textOfPipe(file, options);
  // What it is like is seen once it is open: a device says that it is empty, and gives without end.
  return readText(file, {
    check({ size }) {
      if (size > MAX_BYTES)
        throw new RangeError(`it has ${inWords(size)} bytes, at most ${inWords(MAX_BYTES)} are read`);
    },
  });
}

async function textOfPipe(file: string, { signal, silentMs = SILENT_MS }: ReadingOptions): Promise<string> {
  // Opened otherwise it takes a thread, which nothing ends before somebody writes.
  const fd = await promisify(open)(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const pipe = new Socket({ fd, readable: true, writable: false });
  pipe.setTimeout(silentMs, () => {
    pipe.destroy(new RangeError(`it is a pipe, and nobody wrote to it for ${durationOf(silentMs)}`));
  });
  const found = await readUpTo(pipe, MAX_BYTES, signal);
  if (found.length > MAX_BYTES)
    throw new RangeError(`it gives more than the ${inWords(MAX_BYTES)} bytes that are read`);
  return found.toString("utf8");
}

function problemOf(error: unknown): string {
  const isOther = (error as NodeJS.ErrnoException).code === "EINVAL";
  return isOther ? "it is a device; a file or a pipe is expected" : readProblem(error);
}
