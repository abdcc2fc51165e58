import { readdir, readFile } from "node:fs/promises";

/** How often is looked again: one that is ended may have started another meanwhile. */
const ROUNDS = 5;

/**
 * Ends processes that have left the group of their run, as daemons do. They are told by a variable of their environment,
 * `NAME=value`, which they took along from the run. Only Linux says what environment a process has: elsewhere none is found.
 */
export async function endStrays(variable: string): Promise<void> {
  if (process.platform !== "linux") return;
  for (let round = 0; round < ROUNDS; round++) {
    const strays = await withVariable(variable);
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

async function withVariable(variable: string): Promise<number[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // Of another user's process nothing can be read, and of one that has ended there is nothing.
      const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return environment.split("\0").includes(variable) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
