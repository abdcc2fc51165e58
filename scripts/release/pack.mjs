#!/usr/bin/env node
// All that a release consists of, from the built packages, into one folder: a tarball of each package, what it is made of
// (CycloneDX), the bundle for Claude Desktop, the entries of the MCP registry and of Docker's catalogue, the notices, and a checksum of each file.
//   pack.mjs FOLDER     inside pnpm
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { dockerEntry } from "../../packages/mcp-server/scripts/manifests/docker.mjs";
import { isServer, packedIn } from "./packed.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const server = join(root, "packages/mcp-server");
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("pack.mjs FOLDER: say where to");
const out = resolve(folder);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

run(
  "pnpm",
  ["--recursive", ...publicPackages().flatMap((name) => ["--filter", name]), "pack", "--pack-destination", out],
  root,
);
const packages = packedIn(out);
for (const { tarball, manifest } of packages) {
  const file = tarball.replace(/\.tgz$/, ".cdx.json");
  if (!isServer(manifest)) writeFileSync(file, componentsOf(manifest, tarball));
  // What is bundled stands in no manifest, but in what the bundler said of its work.
  else run("pnpm", ["exec", "cyclonedx-esbuild", "--validate", "-o", file, ".turbo/metafile-esm.json"], server);
}
run(process.execPath, ["scripts/mcpb.mjs", out], server);
copyFileSync(join(server, "server.json"), join(out, "server.json"));
const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
writeFileSync(join(out, "docker-mcp.yaml"), dockerEntry(commit));
copyFileSync(join(server, "dist/THIRD-PARTY-NOTICES.txt"), join(out, "THIRD-PARTY-NOTICES.txt"));
const names = readdirSync(out).sort();
const sums = names.map(
  (name) =>
    `${createHash("sha256")
      .update(readFileSync(join(out, name)))
      .digest("hex")}  ${name}\n`,
);
writeFileSync(join(out, "SHA256SUMS"), sums.join(""));
console.log(names.join("\n"));

function publicPackages() {
  const folders = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name, "package.json"));
  const manifests = folders.map((file) => JSON.parse(readFileSync(file, "utf8")));
  return manifests.filter((manifest) => !manifest.private).map(({ name }) => name);
}

/** What `npm install` of a package puts there, as CycloneDX. Of our own packages, those of this release. */
function componentsOf(manifest, tarball) {
  const scratch = mkdtempSync(join(tmpdir(), "components-"));
  try {
    execFileSync("tar", ["-xzf", tarball, "-C", scratch]);
    const home = join(scratch, "package");
    const { name, version, description, license, repository, dependencies } = manifest;
    const own = { name, version, description, license, repository, dependencies };
    writeFileSync(join(home, "package.json"), JSON.stringify(own));
    const siblings = packages.filter(({ manifest: { name } }) => name in (dependencies ?? {}));
    const quiet = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    run("npm", ["install", ...quiet, ...siblings.map((sibling) => sibling.tarball)], home);
    const text = execFileSync("npm", ["sbom", "--sbom-format=cyclonedx", "--sbom-type=library", "--loglevel=error"], {
      cwd: home,
      encoding: "utf8",
    });
    const components = JSON.parse(text);
    // npm takes the folder's name for it.
    components.metadata.component.name = name;
    return `${JSON.stringify(components, null, 2)}\n`;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function run(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
}
