import { readdir, readFile, readlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "./sandbox.js";

/** A process as `/proc` shows it. */
export interface Found {
  pid: number;
  state: string;
  command: string;
}

/** Every process of a sandbox but `except`: by its environment, by where it runs, by its parents. */
export async function processesOf({ marker, folder }: Sandbox, except: readonly number[] = []): Promise<Found[]> {
  const all = new Map<number, { parent: number; state: string; own: boolean }>();
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  await Promise.all(
    pids.map(async (pid) => {
      const [stat, environ, cwd] = await Promise.all([
        readFile(`/proc/${pid}/stat`, "utf8").catch(() => ""),
        readFile(`/proc/${pid}/environ`, "utf8").catch(() => ""),
        readlink(`/proc/${pid}/cwd`).catch(() => ""),
      ]);
      // The name of the program stands in parentheses and may hold any character.
      const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (stat !== "")
        all.set(pid, { parent: Number(parent), state, own: environ.includes(marker) || cwd.startsWith(folder) });
    }),
  );
  const isOwn = (pid: number): boolean => {
    const found = all.get(pid);
    return found !== undefined && (found.own || except.includes(pid) || isOwn(found.parent));
  };
  const own = [...all.keys()].filter((pid) => !except.includes(pid) && isOwn(pid));
  return Promise.all(
    own.map(async (pid) => ({
      pid,
      state: all.get(pid)?.state ?? "",
      command: (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ").trim(),
    })),
  );
}

/** What may stay: finished jobs and rounds, which are kept for days, what finds them, and what filled a disk. */
const KEPT = /^config\/(?:(?:jobs|rounds)\/[\w-]+\.json|jobs\/(?:[0-9a-f]{32}\.last|index\.jsonl)|filler-[\d-]+)$/;

/** The files of a sandbox that should not be there, as paths relative to it. */
export async function filesOf({ folder }: Sandbox): Promise<string[]> {
  const found: string[] = [];
  for (const name of ["home", "config", "tmp"]) {
    const entries = readdir(path.join(folder, name), { recursive: true, withFileTypes: true });
    // It may have been taken away, or a file may stand in its place.
    for (const entry of await entries.catch(() => [])) {
      const file = path.relative(folder, path.join(entry.parentPath, entry.name));
      if (!entry.isDirectory() && !KEPT.test(file)) found.push(file);
    }
  }
  return found.sort();
}

/** Whether it is a process of the CLI that serves several runs. */
export function servesMany({ command }: Found): boolean {
  return command.split(" ").includes("--acp");
}

/** Whether it is what ends the runs of a server that is killed. */
export function watchesOver({ command }: Found): boolean {
  return command.startsWith("/bin/sh -c trap");
}

/** Whether a file may be of such a process. When its server has ended it is to be gone, too. */
export function isOfPool(file: string): boolean {
  return /^config\/runs\/gemini-(?:run|compile-cache)-/.test(file);
}

/** Whether it is the empty file by which a server says that it writes a record. Of one that was killed the next one removes it. */
export function isRecordLock(file: string): boolean {
  return /^config\/jobs\/[\w-]+\.\d+\.\d+\.[0-9a-f]+\.[0-9a-f-]+\.lock$/.test(file);
}

/** What a process has open: the targets of its descriptors, sorted. */
export async function descriptorsOf(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => undefined)));
  return targets.filter((target) => target !== undefined).sort();
}

/** What each thread of Node has open for its loop. */
const LOOP: ReadonlyMap<string, number> = new Map([
  ["anon_inode:[eventpoll]", 1],
  ["anon_inode:[eventfd]", 1],
  ["pipe", 2],
]);
/** The server keeps this many idle threads for half a minute. */
const KEPT_THREADS = 2;

/**
 * What `now` has beyond `before`. Sockets and pipes are counted by kind. The one watcher of files that Node makes at first
 * use stays for as long as the process lives, and the loops of the threads that the server keeps are no leak.
 */
export function grown(before: readonly string[], now: readonly string[]): string[] {
  const left = new Map<string, number>([["anon_inode:inotify", 1]]);
  for (const target of before.map(kindOf)) left.set(target, (left.get(target) ?? 0) + 1);
  const more = beyond(now, left);
  const loops = more.filter((target) => kindOf(target) === "anon_inode:[eventpoll]").length;
  const kept = Math.min(loops, KEPT_THREADS);
  return beyond(more, new Map(Array.from(LOOP, ([kind, count]) => [kind, kept * count])));
}

/** The targets without as many of each kind as may be there. */
function beyond(targets: readonly string[], allowed: ReadonlyMap<string, number>): string[] {
  const left = new Map(allowed);
  return targets.filter((target) => {
    const count = left.get(kindOf(target)) ?? 0;
    left.set(kindOf(target), count - 1);
    return count <= 0;
  });
}

function kindOf(target: string): string {
  return target.replace(/:\[\d+\]$/, "");
}

/** Looks again and again until nothing is left or the time is over, and gives what is left then. */
export async function lastOf<T>(look: () => Promise<T[]>, limitMs: number): Promise<T[]> {
  for (const until = performance.now() + limitMs; ; await sleep(25)) {
    const left = await look();
    if (left.length === 0 || performance.now() > until) return left;
  }
}

/** Ends what a server left behind, so that a failed cell does not disturb the next one. */
export async function killAll(sandbox: Sandbox): Promise<void> {
  for (const { pid } of await processesOf(sandbox)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone by itself.
    }
  }
}
