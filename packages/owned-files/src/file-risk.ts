import type { Stats } from "node:fs";

const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/**
 * Why somebody else may change what stands in a file: `owner`, it belongs to neither this user nor root; `mode`, its group
 * or everybody may write to it. `undefined`: nobody else may. On Windows nothing is said.
 *
 * @param ownGroup This process's own group may write to it, and root's: where each user has a group, editors make such files.
 */
export function fileRisk(
  { uid, gid, mode }: Pick<Stats, "uid" | "gid" | "mode">,
  { ownGroup = false } = {},
): "owner" | "mode" | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  if (uid !== user && uid !== 0) return "owner";
  const mayGroup = ownGroup && (gid === process.getegid?.() || gid === 0);
  return (mode & (mayGroup ? OTHERS_WRITE : OTHERS_WRITE | GROUP_WRITES)) === 0 ? undefined : "mode";
}
