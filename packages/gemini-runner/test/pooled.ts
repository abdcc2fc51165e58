import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { RunEvent } from "../src/index.js";
import { leftIn } from "./small-world.js";

/** Which process served a run, and whether it was there before. */
export function startOf(events: readonly RunEvent[]): { pid: number; warm: boolean } {
  const start = events.find(({ type }) => type === "run-start");
  return start?.type === "run-start" ? start : { pid: 0, warm: false };
}

/** Where the sessions of the processes that have a folder there have theirs. */
export function sessionFolders(folder: string): string[] {
  const all = leftIn(folder).map((name) => path.join(folder, name, "sessions"));
  return all.flatMap((sessions) => (existsSync(sessions) ? readdirSync(sessions) : []));
}

/** Makes a program be taken for Gemini CLI. */
export async function packageOf(program: string, folder: string): Promise<string> {
  const manifest = { name: "@google/gemini-cli", version: "0.61.0", type: "module", bin: { gemini: "gemini.js" } };
  const command = path.join(folder, "gemini.js");
  await Promise.all([
    writeFile(path.join(folder, "package.json"), JSON.stringify(manifest)),
    writeFile(command, program),
  ]);
  return command;
}
