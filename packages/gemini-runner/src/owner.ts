import { readFile, readlink } from "node:fs/promises";
import { toRecord } from "./loose.js";

/** A process, as it can be told from every other one that has, or will have, the same id. */
export interface Owner {
  pid: number;
  /** On Linux the container that it runs in; elsewhere `0`. */
  namespace: string;
  /** On Linux when it was started, in ticks since the system was; elsewhere `0`. */
  start: string;
}

export async function ownProcess(): Promise<Owner> {
  const [namespace, start] = await Promise.all([ownNamespace(), startOf(process.pid)]);
  return { pid: process.pid, namespace, start };
}

/** `undefined`: it belongs to another container, which sees the same files and other processes. */
export async function isGone({ pid, namespace, start }: Owner): Promise<boolean | undefined> {
  if (namespace !== (await ownNamespace())) return undefined;
  return !lives(pid) || (await startOf(pid)) !== start;
}

/** `pid:[4026531836]` */
async function ownNamespace(): Promise<string> {
  const link = await readlink("/proc/self/ns/pid").catch(() => "");
  return /\d+/.exec(link)?.[0] ?? "0";
}

/** The 22nd field of `pid (name) state parent …`; the name may hold anything. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "0";
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return toRecord(error)["code"] !== "ESRCH";
  }
}
