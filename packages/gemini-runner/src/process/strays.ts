import { closeSync, openSync, readdirSync, readFile as readFileOpen, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const readOpen = promisify(readFileOpen);

/** How many processes are looked at together: a thousand would be as many open files, and hold up our own work. */
const AT_ONCE = 32;

/** How often is looked again: one that is ended may have started another meanwhile. */
const ROUNDS = 5;

const POLL_MS = 5;
const GONE_WITHIN_MS = 1_000;

/**
 * Ends processes that have left the group of their run, as daemons do, and waits until they are gone. They are told by a variable
 * of their environment, `NAME=value`, which they took along from the run. Only Linux says what environment a process has:
 * elsewhere none is found.
 */
export async function endStrays(variable: string): Promise<void> {
  if (process.platform !== "linux") return;
  for (let round = 0; round < ROUNDS; round++) {
    const strays = await withVariable(variable);
    if (strays.length === 0) return;
    await Promise.all(strays.map(end));
  }
}

/** The same of several variables for the moment our own process ends, when nothing can be waited for. */
export function killStraysNow(variables: readonly string[]): void {
  if (process.platform !== "linux") return;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let round = 0; round < ROUNDS; round++) {
    const strays = withVariablesNow(variables);
    if (strays.length === 0) return;
    for (const pid of strays) kill(pid);
    Atomics.wait(pause, 0, 0, POLL_MS);
  }
}

function withVariablesNow(variables: readonly string[]): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => (environmentNow(pid).some((each) => variables.includes(each)) ? [Number(pid)] : []));
  } catch {
    return [];
  }
}

function environmentNow(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // Another user's, or it has ended.
    return [];
  }
}

async function withVariable(variable: string): Promise<number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found: number[] = [];
  for (let from = 0; from < pids.length; from += AT_ONCE) {
    const some = pids.slice(from, from + AT_ONCE);
    const environments = await Promise.all(some.map(environmentOf));
    found.push(...some.filter((_, i) => environments[i]?.split("\0").includes(variable)).map(Number));
  }
  return found;
}

/** Empty for another user's process, and for one that has ended. */
async function environmentOf(pid: string): Promise<string> {
  try {
    // Opening and closing take microseconds; reading waits for a process whose own file system hangs.
    const file = openSync(`/proc/${pid}/environ`, "r");
    return await readOpen(file, "utf8").finally(() => closeSync(file));
  } catch {
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

async function end(pid: number): Promise<void> {
  kill(pid);
  for (let waitedMs = 0; waitedMs < GONE_WITHIN_MS && (await runs(pid)); waitedMs += POLL_MS) await delay(POLL_MS);
}

/** `pid (name) state …`; the name may hold anything. */
async function runs(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return /^[^ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}
