import type { ProcessIdentity } from "@x/owned-files";

/** A process of the machine of the tests. */
export function processOf(pid: number, place = "test"): ProcessIdentity {
  return { pid, place, start: "0" };
}
