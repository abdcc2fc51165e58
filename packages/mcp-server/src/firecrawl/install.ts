import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "@x/owned-files";
import LOCK from "./lock.json" with { type: "json" };

/** A name of its own for each set of packages. */
const NAME = `firecrawl-${createHash("sha256").update(JSON.stringify(LOCK)).digest("hex").slice(0, 12)}`;
const PROGRAM = join("node_modules", "firecrawl-mcp", LOCK.packages["node_modules/firecrawl-mcp"].bin["firecrawl-mcp"]);
const DRAFT = "firecrawl-draft-";
/** An install that takes longer was left. */
const LEFT_MS = 10 * 60_000;
/** npm takes no package that is not the one of the lock file, by its digest, and runs none of their scripts. */
const NPM = ["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"];

/**
 * Gives the program of Firecrawl's MCP server in a folder of `home`, where it is installed once: each of its packages must
 * have the digest that stands beside this file.
 */
export async function installed(home: string): Promise<string> {
  const folder = join(home, NAME);
  if (await stat(join(folder, PROGRAM)).catch(() => undefined)) return join(folder, PROGRAM);
  await makeFolder(home, { mode: 0o700 });
  await removeLeft(home);
  const draft = await mkdtemp(join(home, DRAFT));
  try {
    await writeFile(join(draft, "package.json"), JSON.stringify({ private: true, ...LOCK.packages[""] }));
    await writeFile(join(draft, "package-lock.json"), JSON.stringify(LOCK));
    await npm(draft);
    // Another process may have been faster.
    await rename(draft, folder).catch(() => {});
    return join(folder, PROGRAM);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function npm(cwd: string): Promise<void> {
  // On Windows npm is a script of the shell; nothing of what it is given comes from outside.
  const shell = process.platform === "win32";
  const child = spawn("npm", NPM, { cwd, shell, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-500);
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`npm could not install it: ${said.trim() || `exit code ${code}`}`);
}

async function removeLeft(home: string): Promise<void> {
  for (const name of (await readdir(home)).filter((each) => each.startsWith(DRAFT))) {
    const made = await stat(join(home, name)).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > LEFT_MS) await rm(join(home, name), { recursive: true, force: true });
  }
}
