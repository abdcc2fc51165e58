import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Sends `signal` to every process of a group. The CLI alone is not enough: its MCP servers survive it, and in its
 * two-process form it ignores SIGTERM. On Windows, where groups and signals do not exist, the tree is ended.
 */
export function signalTree(pid: number, signal: NodeJS.Signals, platform: NodeJS.Platform = process.platform): void {
  if (platform === "win32") {
    endWindowsTree(pid);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // No such group: gone already.
  }
}

export function taskkill(pid: number): [file: string, args: string[]] {
  return ["taskkill", ["/pid", String(pid), "/T", "/F"]];
}

function endWindowsTree(pid: number): void {
  const [file, args] = taskkill(pid);
  spawn(file, args, { stdio: "ignore", windowsHide: true }).on("error", () => {});
}

/** Whether a process of the group lives. A process that ended but was not yet reaped counts as living. */
export function treeLives(pid: number, platform: NodeJS.Platform = process.platform): boolean {
  try {
    process.kill(platform === "win32" ? pid : -pid, 0);
    return true;
  } catch {
    return false;
  }
}

const GONE_POLL_MS = 5;
const GONE_LIMIT_MS = 1_000;

/** Kills what is left of the group and waits until it is gone. */
export async function endTree(pid: number): Promise<void> {
  signalTree(pid, "SIGKILL");
  for (let waited = 0; treeLives(pid) && waited < GONE_LIMIT_MS; waited += GONE_POLL_MS) await delay(GONE_POLL_MS);
}
