import { posix } from "node:path";
import type { Host } from "./io.js";

/**
 * Where programs keep a person's settings by the XDG base directory specification, which wants a path that is empty or
 * relative to be ignored.
 */
export function configHome(
  { XDG_CONFIG_HOME }: Readonly<Record<string, string | undefined>>,
  { homeDir }: Pick<Host, "homeDir">,
): string {
  return XDG_CONFIG_HOME && posix.isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : posix.join(homeDir, ".config");
}
