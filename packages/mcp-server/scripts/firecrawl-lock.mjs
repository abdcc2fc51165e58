// Writes src/firecrawl/lock.json: Firecrawl's MCP server and all that it needs, each package with its digest.
// node scripts/firecrawl-lock.mjs 3.22.2
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? "")) throw new Error("a version is expected, such as 3.22.2");
const folder = mkdtempSync(join(tmpdir(), "firecrawl-lock-"));
try {
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "firecrawl", private: true, dependencies: { "firecrawl-mcp": version } }),
  );
  // Without addresses, so that a person's own registry serves it.
  const args = [
    "install",
    "--package-lock-only",
    "--ignore-scripts",
    "--omit=dev",
    "--omit-lockfile-registry-resolved",
  ];
  execFileSync("npm", args, { cwd: folder, stdio: "inherit" });
  copyFileSync(
    join(folder, "package-lock.json"),
    fileURLToPath(new URL("../src/firecrawl/lock.json", import.meta.url)),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
