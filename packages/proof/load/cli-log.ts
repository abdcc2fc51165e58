import { watch } from "node:fs";
import { readFile } from "node:fs/promises";

/** One run of the fake CLI, as it noted itself. Times in milliseconds since the epoch. */
export interface Run {
  pid: number;
  /** Name of the server process that started it. */
  by: string;
  mark: string;
  round: number;
  start: number;
  /** None while it goes on, and when it was killed. */
  end?: number;
  /** A process that it started itself. */
  child?: number;
}

/** Reads the lines of the log, in order. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  const open = new Map<number, Run>();
  for (const line of text.split("\n")) {
    const [what, pid = "", at = "", by = "", mark = "", round = ""] = line.split(" ");
    if (what === "start") {
      const run = { pid: Number(pid), by, mark, round: Number(round), start: Number(at) };
      runs.push(run);
      open.set(run.pid, run);
    }
    if (what === "end") {
      const run = open.get(Number(pid));
      if (run?.mark === mark) run.end = Number(at);
    }
    if (what === "child") {
      const run = runs.findLast((each) => each.mark === mark && each.by === by && each.child === undefined);
      if (run !== undefined) run.child = Number(pid);
    }
  }
  return runs;
}

/** The log of all runs in one world. */
export class CliLog {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async runs(mark?: string): Promise<Run[]> {
    const all = runsOf(await readFile(this.#file, "utf8"));
    return mark === undefined ? all : all.filter((run) => run.mark === mark);
  }

  /** Looks each time the log grows; gives the runs as soon as they are as they should be, or at the end of the time. */
  async until(limitMs: number, there: (runs: Run[]) => boolean): Promise<Run[]> {
    const limit = AbortSignal.timeout(limitMs);
    const ended = new Promise((resolve) => limit.addEventListener("abort", resolve));
    let grown = () => {};
    const watcher = watch(this.#file, () => grown());
    try {
      for (;;) {
        const growing = new Promise<void>((resolve) => {
          grown = resolve;
        });
        const runs = await this.runs();
        if (limit.aborted || there(runs)) return runs;
        await Promise.race([growing, ended]);
      }
    } finally {
      watcher.close();
    }
  }
}
