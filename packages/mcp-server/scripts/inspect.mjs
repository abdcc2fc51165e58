// Drives the built server, on stdio and over HTTP, with the official Inspector's command line. It is large, so it is
// fetched into a temporary folder when this is run and is no dependency.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const FAILED_TOOL = 5;
const CHECKS = [
  { args: ["--method", "tools/list", "--strict"], exit: 0 },
  { args: ["--method", "prompts/list"], exit: 0 },
  { args: ["--method", "prompts/get", "--prompt-name", "research", "--prompt-args", "question=why"], exit: 0 },
  { args: ["--method", "resources/list"], exit: 0 },
  { args: ["--method", "resources/templates/list"], exit: 0 },
  { args: ["--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=why"], exit: 0 },
  {
    args: ["--method", "tools/call", "--tool-name", "research_result", "--tool-arg", "job_id=none"],
    exit: FAILED_TOOL,
  },
];

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "inspect-"));
let http;
try {
  const npm = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", INSPECTOR];
  const installed = spawnSync("npm", npm, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (installed.status !== 0) throw new Error(`npm ${npm.join(" ")} failed`);

  // A program that just prints an answer is a CLI too.
  const gemini = join(folder, "gemini");
  const answer = '{"success":true,"report":"Because.","metadata":{}}';
  writeFileSync(gemini, `#!/bin/sh\ncat > /dev/null\necho '${answer}'\n`, { mode: 0o755 });
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GEMINI_CLI_PATH: gemini,
    GEMINI_SEARCH_CONFIG_DIR: join(folder, "config"),
    MCP_SERVER_PORT: "0",
  };
  http = spawn(process.execPath, [bin, "http"], { env, stdio: ["ignore", "ignore", "pipe"] });
  let url;
  for await (const [text] of lines(http.stderr.setEncoding("utf8"))) {
    url = /Listening on (\S+)/.exec(text)?.[1];
    if (url !== undefined) break;
  }
  const flags = ["GEMINI_CLI_PATH", "GEMINI_SEARCH_CONFIG_DIR"].flatMap((name) => ["-e", `${name}=${env[name]}`]);
  const inspector = join(folder, "node_modules/.bin/mcp-inspector");
  for (const [transport, target] of [
    ["stdio", ["--protocol-era", "legacy", ...flags, process.execPath, bin]],
    ["stdio, stateless", ["--protocol-era", "modern", ...flags, process.execPath, bin]],
    ["http", ["--protocol-era", "legacy", "--transport", "http", "--server-url", url]],
    ["http, stateless", ["--protocol-era", "modern", "--transport", "http", "--server-url", url]],
  ]) {
    for (const { args, exit } of CHECKS) {
      const { status, stdout, stderr } = spawnSync(inspector, ["--cli", ...args, ...target], { env, encoding: "utf8" });
      console.log(`${status === exit ? "passed" : "FAILED"}  ${transport}  ${args.join(" ")}`);
      if (status === exit) continue;
      console.error(`exit ${status}, expected ${exit}\n${stdout}\n${stderr}`);
      process.exitCode = 1;
    }
  }
} finally {
  http?.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function* lines(stream) {
  for (;;) yield await once(stream, "data");
}
