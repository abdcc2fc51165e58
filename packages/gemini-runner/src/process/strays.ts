import { readdir, readFile } from "node:fs/promises";

/** How often is looked again: one that is ended may have started another meanwhile. */
const ROUNDS = 5;

/**
 * Ends processes that have left the group of their run, as daemons do. They are told by a variable of their environment,
 * `NAME=value`, which they took along from the run. Only Linux says what environment a process has: elsewhere none is found.
 * `after` is a process that was there before them.
 */
export async function endStrays(variable: string, after = 0): Promise<void> {
  if (process.platform !== "linux") return;
  // Ids are given in order, and from the lowest again when they are used up: then ours is higher than those of later processes.
  const least = process.pid < after ? after : 0;
  for (let round = 0; round < ROUNDS; round++) {
    const strays = await withVariable(variable, least);
    if (strays.length === 0) return;
    for (const pid of strays) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone already.
      }
    }
  }
}

async function withVariable(variable: string, least: number): Promise<number[]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name) && Number(name) > least);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // Of another user's process nothing can be read, and of one that has ended there is nothing.
      const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return environment.split("\0").includes(variable) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
