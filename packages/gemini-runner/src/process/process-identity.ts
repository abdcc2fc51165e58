import { createHash } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import os from "node:os";
import { toRecord } from "../parse-record.js";

/** A process, as it can be told from every other one that has, or will have, the same id. */
export interface Owner {
  pid: number;
  /** Where its id means this process: the machine and, on Linux, its start and the container. Hexadecimal. */
  place: string;
  /** On Linux when it was started, in ticks since the machine was. `0`: it is not known. */
  start: string;
}

export async function ownProcess(): Promise<Owner> {
  const [place, start] = await Promise.all([ownPlace(), startOf(process.pid)]);
  return { pid: process.pid, place, start };
}

/** `undefined`: nobody here can say, as of a process of another machine or container that sees the same files. */
export async function isGone({ pid, place, start }: Owner): Promise<boolean | undefined> {
  if (place !== (await ownPlace())) return undefined;
  if (!lives(pid)) return true;
  const now = await startOf(pid);
  // What cannot be told from a live one, as where the start is not known or cannot be read now, is taken for one.
  return now !== UNKNOWN && start !== UNKNOWN && now !== start;
}

/** The number of a container alone is not enough: outside of containers it is `pid:[4026531836]` on every machine. */
async function ownPlace(): Promise<string> {
  const [machine, container] = await Promise.all([
    readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => os.hostname()),
    readlink("/proc/self/ns/pid").catch(() => ""),
  ]);
  return createHash("sha256").update(`${machine}\n${container}`).digest("hex").slice(0, 12);
}

const UNKNOWN = "0";

/** The 22nd field of `pid (name) state parent …`; the name may hold anything. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? UNKNOWN;
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return toRecord(error)["code"] !== "ESRCH";
  }
}
