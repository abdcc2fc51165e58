import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, as it can be told from every other one that has, or will have, the same id. Plain data. */
export interface ProcessIdentity {
  /** Process id. */
  pid: number;
  /** Where `pid` means this process: the machine and, on Linux, its start and the container. Hexadecimal. */
  place: string;
  /** When the process was started, in ticks since the start of the machine. `"0"` where it is not known, as outside of Linux. */
  start: string;
}

/** Gives the identity of this process. */
export function ownProcess(): ProcessIdentity {
  return { pid: process.pid, place: ownPlace(), start: startOf(process.pid) };
}

/**
 * Tells whether a process has ended. `undefined`: nobody here can say, as of a process of another machine or container
 * that sees the same files.
 */
export function isGone({ pid, place, start }: ProcessIdentity): boolean | undefined {
  if (place !== ownPlace()) return undefined;
  if (!isAlive(pid)) return true;
  const now = startOf(pid);
  // What cannot be told from a live process is taken for one.
  return now !== UNKNOWN && start !== UNKNOWN && now !== start;
}

/** The number of a container alone is not enough: outside of containers it is `pid:[4026531836]` on every machine. */
function ownPlace(): string {
  const machine = orElse(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"), hostname);
  const container = orElse(
    () => readlinkSync("/proc/self/ns/pid"),
    () => "",
  );
  return createHash("sha256").update(`${machine}\n${container}`).digest("hex").slice(0, 12);
}

const UNKNOWN = "0";

/** The 22nd field of `pid (name) state parent …`; the name may hold anything. */
function startOf(pid: number): string {
  const stat = orElse(
    () => readFileSync(`/proc/${pid}/stat`, "utf8"),
    () => "",
  );
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? UNKNOWN;
}

function orElse(read: () => string, otherwise: () => string): string {
  try {
    return read();
  } catch {
    return otherwise();
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
