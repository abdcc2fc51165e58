/** The servers that are compared: each installed alone by npm into a folder of its own. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { npmInstall } from "../measure/npm.mjs";
import { pack } from "../measure/pnpm.mjs";

const OURS = fileURLToPath(new URL("../../mcp-server/", import.meta.url));

/** Kept between runs: a published version does not change. */
const KEPT = join(tmpdir(), "mcp-bench-peers");

/** Wrappers of Gemini CLI first, then hosted research. `env`: what one needs to start at all. */
const PEERS = [
  { name: "@choplin/mcp-gemini-cli", version: "0.2.0" },
  { name: "gemini-mcp-tool", version: "1.1.8" },
  { name: "ask-gemini-mcp", version: "1.6.14" },
  { name: "exa-mcp-server", version: "3.4.1", env: { EXA_API_KEY: "none" } },
  { name: "@perplexity-ai/mcp-server", version: "1.2.1", env: { PERPLEXITY_API_KEY: "none" } },
];

/** @returns {{ name: string, version: string, folder: string, script: string, env: object, bytes: number, packages: number, pdfBytes?: number }[]} `pdfBytes`: of ours alone */
export function installAll(scratch) {
  return [installOurs(scratch), ...PEERS.map(installPeer)];
}

function installOurs(scratch) {
  const tarball = join(scratch, "mcp-server.tgz");
  pack(OURS, tarball);
  const folder = join(scratch, "ours");
  npmInstall(folder, tarball);
  const server = describe(folder, "@x/mcp-server");
  return { ...server, pdfBytes: pdfBytesIn(dirname(server.script)) };
}

/** What is read only when a PDF comes: pdf.js, in a file of its own. */
function pdfBytesIn(dist) {
  const files = readdirSync(dist).filter((name) => /^pdfjs-.*\.js$/.test(name));
  if (files.length !== 1) throw new Error(`Expected one file of pdf.js in ${dist}, found ${files.length}`);
  return statSync(join(dist, files[0])).size;
}

function installPeer({ name, version, env }) {
  const folder = join(KEPT, `${name.replace("/", "+")}@${version}`);
  if (!existsSync(folder)) {
    mkdirSync(KEPT, { recursive: true });
    const half = mkdtempSync(join(KEPT, ".half-"));
    try {
      npmInstall(half, `${name}@${version}`);
      renameSync(half, folder);
    } finally {
      rmSync(half, { recursive: true, force: true });
    }
  }
  return describe(folder, name, env);
}

function describe(folder, name, env = {}) {
  const home = join(folder, "node_modules", name);
  const { version, bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const [entry] = typeof bin === "string" ? [bin] : Object.values(bin);
  const lock = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"));
  return {
    name,
    version,
    folder,
    script: join(home, entry),
    env,
    bytes: bytesUnder(join(folder, "node_modules")),
    packages: Object.keys(lock.packages).length,
  };
}

function bytesUnder(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath ?? entry.path, entry.name)).size;
  }
  return bytes;
}
