/** Runs the pinned pnpm, which npm brings where there is none: these scripts start from `npm run` too. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { packageManager } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));

/** Gives what it prints; throws when it fails. */
function pnpm(args, options) {
  const inside = process.env.npm_config_user_agent?.startsWith("pnpm/");
  const npx = ["--yes", "--prefer-offline", "--ignore-scripts=false", `--package=${packageManager}`, "--", "pnpm"];
  return execFileSync(inside ? "pnpm" : "npx", inside ? args : [...npx, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 28,
    shell: process.platform === "win32",
    ...options,
  });
}

/** Packs a package as it would be published. */
export function pack(folder, tarball) {
  pnpm(["--silent", "pack", "--out", tarball], { cwd: folder });
}

/** What a script of a package prints, called with these words, within a limit of time. */
export function scriptOutput(folder, words, timeout) {
  return pnpm(["--silent", "run", ...words], { cwd: folder, timeout }).trim();
}
