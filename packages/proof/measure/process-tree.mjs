/** What Linux says about running processes. Elsewhere the numbers are not measured. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const PAGE_KIB = 4;

/** Whether processes can be looked into here. */
export const observable = process.platform === "linux";

/** `pid` and everything it started that still runs; a process that ended and was not yet waited for is none. */
export function treeOf(pid) {
  const children = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    if (stat === undefined) continue;
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") continue;
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
  }
  const tree = [];
  for (const next = [pid]; next.length > 0; ) {
    const each = next.pop();
    tree.push(each);
    next.push(...(children.get(each) ?? []));
  }
  return tree;
}

/** Resident memory in MiB; 0 when the process is gone. */
export function residentMiB(pid) {
  return (Number(read(`/proc/${pid}/statm`)?.split(" ")[1] ?? 0) * PAGE_KIB) / 1024;
}

/** The open descriptors by kind: how many sockets, pipes, files and others. */
export function openDescriptors(pid) {
  const kinds = { socket: 0, pipe: 0, file: 0, other: 0 };
  let names = [];
  try {
    names = readdirSync(`/proc/${pid}/fd`);
  } catch {
    // Gone.
  }
  for (const name of names) {
    let target;
    try {
      target = readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      continue;
    }
    const kind = target.startsWith("socket:")
      ? "socket"
      : target.startsWith("pipe:")
        ? "pipe"
        : target.startsWith("/")
          ? "file"
          : "other";
    kinds[kind] += 1;
  }
  return { ...kinds, all: kinds.socket + kinds.pipe + kinds.file + kinds.other };
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
