import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** Installs packages, by name or as tarballs, into a folder of their own. */
export function npmInstall(folder, ...packages) {
  mkdirSync(folder, { recursive: true });
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error"];
  execFileSync("npm", ["install", "--prefix", folder, ...quiet, ...packages], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
}
