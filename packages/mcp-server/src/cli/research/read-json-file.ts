import { resolve } from "node:path";
import { readProblem, readText } from "@x/owned-files";
import type { Io } from "../../host/io.js";
import { shortLine } from "../../text/plain-text.js";

/** What a person writes by hand is far smaller. */
const MAX_BYTES = 1_000_000;

/** Reads the file that an option names. Rejects with `INVALID_INPUT` that names the option and what is wrong. */
export async function readJsonFile(option: string, path: string, { cwd }: Pick<Io["host"], "cwd">): Promise<unknown> {
  const refuse = (why: string) =>
    Object.assign(new Error(`${option} ${shortLine(path, 200)}: ${why}.`), { code: "INVALID_INPUT" });
  const file = resolve(cwd, path);
  const text = await textOf(file).catch((error: unknown) => {
    throw refuse(error instanceof RangeError ? error.message : `it cannot be read: ${readProblem(error)}`);
  });
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw refuse(`it is no JSON: ${shortLine((error as Error).message, 200)}`);
  }
}

/** Reads a plan: as it is, or inside the answer that it came in. */
export async function readPlanFile(option: string, path: string, host: Pick<Io["host"], "cwd">): Promise<unknown> {
  const value = await readJsonFile(option, path, host);
  const isAnswer = typeof value === "object" && value !== null && "plan" in value;
  return isAnswer ? value.plan : value;
}

const inWords = (number: number) => number.toLocaleString("en-GB");

function textOf(file: string): Promise<string> {
  // What it is like is seen once it is open: a device says that it is empty, and gives without end.
  return readText(file, {
    check({ size }) {
      if (size > MAX_BYTES)
        throw new RangeError(`it has ${inWords(size)} bytes, at most ${inWords(MAX_BYTES)} are read`);
    },
  });
}
