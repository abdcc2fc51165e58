/** Other versions of Node, from the npm package that brings the program. */
import { execFileSync } from "node:child_process";

/** The newest of each line that is kept up, and the one that comes. */
export const NODE_VERSIONS = ["20.20.2", "22.23.3", "24.21.0", "26.9.0"];

/** Path of the program; npm keeps what it fetched. */
export function fetchNode(version) {
  const args = ["--yes", "--prefer-offline", `--package=node@${version}`, "--", "node", "-p", "process.execPath"];
  const file = execFileSync("npx", args, { encoding: "utf8", shell: process.platform === "win32" }).trim();
  const found = execFileSync(file, ["--version"], { encoding: "utf8" }).trim();
  if (found !== `v${version}`) throw new Error(`npm's node@${version} is ${found}`);
  return file;
}
