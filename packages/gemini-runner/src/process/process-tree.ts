import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Sends `signal` to every process of a group. The CLI alone is not enough: its MCP servers survive it, and in its
 * two-process form it ignores SIGTERM. On Windows, where groups and signals do not exist, the tree is ended.
 */
export function signalTree(pid: number, signal: NodeJS.Signals, platform: NodeJS.Platform = process.platform): void {
  if (platform === "win32") {
    spawn(...taskkill(pid), { stdio: "ignore", windowsHide: true })
      .on("error", () => endAlone(pid))
      .on("exit", (code) => afterTaskkill(code, pid));
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // No such group: gone already.
  }
}

/** The same for the moment our own process ends, when nothing can be waited for. */
export function killTreeNow(pid: number, platform: NodeJS.Platform = process.platform): void {
  if (platform === "win32")
    afterTaskkill(spawnSync(...taskkill(pid), { stdio: "ignore", windowsHide: true }).status, pid);
  else signalTree(pid, "SIGKILL", platform);
}

/** The same, and waits a little until its leader runs no more. Only Linux says so: elsewhere nothing is waited for. */
export function endTreeNow(pid: number, platform: NodeJS.Platform = process.platform): void {
  killTreeNow(pid, platform);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; waitedMs < ENDED_WITHIN_MS && runsNow(pid); waitedMs += POLL_MS) {
    Atomics.wait(pause, 0, 0, POLL_MS);
  }
}

/** How long our own end may be put off. */
const ENDED_WITHIN_MS = 200;

function runsNow(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /^[^ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

export function taskkill(pid: number): [file: string, args: string[]] {
  return ["taskkill", ["/pid", String(pid), "/T", "/F"]];
}

/** What taskkill answers when there is no such process. */
const NOT_FOUND = 128;

/** A taskkill that cannot do it, or is not there, must not keep a run alive for ever. */
function afterTaskkill(code: number | null, pid: number): void {
  if (code !== 0 && code !== NOT_FOUND) endAlone(pid);
}

function endAlone(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** Whether a process of the group is there. One that has ended but was not yet reaped is. */
export function treeExists(pid: number, platform: NodeJS.Platform = process.platform): boolean {
  try {
    process.kill(platform === "win32" ? pid : -pid, 0);
    return true;
  } catch {
    return false;
  }
}

const POLL_MS = 5;
const REAPED_WITHIN_MS = 25;
const GONE_WITHIN_MS = 1_000;

/** Kills what is left of the group and waits until none of it runs. */
export async function endTree(pid: number): Promise<void> {
  signalTree(pid, "SIGKILL");
  for (let waitedMs = 0; treeExists(pid) && waitedMs < GONE_WITHIN_MS; waitedMs += POLL_MS) {
    // In a container nobody may reap the orphans: they stay, but run no more.
    if (waitedMs >= REAPED_WITHIN_MS && !(await runs(pid))) return;
    await delay(POLL_MS);
  }
}

/** Whether a process of the group runs, by what Linux says of every process; elsewhere it is taken for granted. */
async function runs(group: number): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const states = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  // `pid (name) state parent group …`; the name may hold anything.
  return states.some((stat) => {
    const [state, , ofGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(ofGroup) === group && state !== "Z" && state !== "X";
  });
}
