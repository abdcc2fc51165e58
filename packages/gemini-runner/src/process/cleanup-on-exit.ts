import { rmSync } from "node:fs";
import { endTreeNow, killTreeNow } from "./process-tree.js";
import { killStraysNow } from "./strays.js";

/** What must be ended when our own process ends before a run does. */
export interface Ending {
  folder: string;
  /** A variable of its environment, `NAME=value`, by which what has left its group is told. */
  mark: string;
  /** The run's process, once it has one. */
  pid?: number;
  /** The process that watches over it, and over others. */
  watcher: number | undefined;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const endings = new Set<Ending>();

/**
 * From now on `ending` is ended when our process exits or is told to by a signal, until the returned function is
 * called. The guard inside the CLI sees to the same, even for SIGKILL, but only when it has been loaded, and a CLI that
 * is not JavaScript has none. Our listeners are there only while something is: a program that does nothing with a signal
 * still dies of it.
 */
export function endWithHost(ending: Ending): () => void {
  if (endings.size === 0) {
    process.on("exit", endAll);
    // As the first listener: a listener that the host added with `once` still counts then.
    for (const signal of SIGNALS) process.prependListener(signal, onSignal);
  }
  endings.add(ending);
  return () => {
    if (!endings.delete(ending) || endings.size > 0) return;
    process.off("exit", endAll);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}

function endAll(): void {
  for (const { pid } of endings) if (pid !== undefined) killTreeNow(pid);
  killStraysNow([...endings].map(({ mark }) => mark));
  for (const { folder } of endings) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  // They would see to the same, a moment after us.
  const watchers = new Set([...endings].flatMap(({ watcher }) => watcher ?? []));
  for (const watcher of watchers) endTreeNow(watcher);
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  // Nobody else listens, so without this listener the signal would have ended the process.
  endAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}
