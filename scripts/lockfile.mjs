// Every native optional dependency that an installed package declares must stand in the lockfile, for all platforms:
// a registry that lacks one makes pnpm leave it out silently, and the install then breaks on that platform only.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const lock = readFileSync(new URL("pnpm-lock.yaml", root), "utf8");
/** What pnpm-workspace.yaml leaves out on purpose. */
const ignored =
  readFileSync(new URL("pnpm-workspace.yaml", root), "utf8").split("ignoredOptionalDependencies:")[1] ?? "";
const store = new URL("node_modules/.pnpm/", root);
const missing = new Set();
for (const entry of readdirSync(store)) {
  const name = entry.replace(/@[^@(_]*(?:[_(].*)?$/u, "").replace("+", "/");
  const manifest = new URL(`${entry}/node_modules/${name}/package.json`, store);
  if (!existsSync(manifest)) continue;
  const { optionalDependencies = {}, version } = JSON.parse(readFileSync(manifest, "utf8"));
  for (const [dependency, range] of Object.entries(optionalDependencies)) {
    if (ignored.includes(`- ${dependency}\n`)) continue;
    if (!lock.includes(`  '${dependency}@`) && !lock.includes(`  ${dependency}@`)) {
      missing.add(`${name}@${version}: ${dependency}@${range}`);
    }
  }
}
for (const line of missing) console.error(`not in pnpm-lock.yaml: ${line}`);
process.exitCode = missing.size > 0 ? 1 : 0;
