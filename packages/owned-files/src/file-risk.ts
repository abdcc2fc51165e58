import type { Stats } from "node:fs";

const OTHERS_WRITE = 0o022;

/**
 * Why somebody else may change what stands in a file: `owner`, it belongs to neither this user nor root; `mode`, its group
 * or everybody may write to it. `undefined`: nobody else may. On Windows nothing is said.
 */
export function fileRisk({ uid, mode }: Pick<Stats, "uid" | "mode">): "owner" | "mode" | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  if (uid !== user && uid !== 0) return "owner";
  return (mode & OTHERS_WRITE) === 0 ? undefined : "mode";
}
