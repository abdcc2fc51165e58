import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Where the id of a process means this one: the machine and, on Linux, its start and the container; hexadecimal. Programs in
 * containers share directories and often have the same process id, and each sees its own processes alone.
 */
export function ownPlace(): string {
  const machine = orElse(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8"), hostname());
  const container = orElse(() => readlinkSync("/proc/self/ns/pid"), "");
  return createHash("sha256").update(`${machine}\n${container}`).digest("hex").slice(0, 12);
}

function orElse(read: () => string, otherwise: string): string {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
