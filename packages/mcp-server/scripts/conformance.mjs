// Runs the official conformance suite against our HTTP server. The suite needs Node 22 and 100 packages, so it is
// fetched into a temporary folder when this is run and is no dependency.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SUITE = "@modelcontextprotocol/conformance@0.1.16";
const NODE = "node@22.23.3";

const APPLIES = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "tools-call-with-progress",
  "server-sse-multiple-streams",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
];

const DOES_NOT_APPLY = {
  "logging-set-level": "logs go to stderr; the capability is deprecated and not declared",
  "tools-call-with-logging": "as above",
  "completion-complete": "no argument has a closed set of values",
  "tools-call-image": "answers are text",
  "tools-call-audio": "answers are text",
  "tools-call-embedded-resource": "answers are text",
  "tools-call-mixed-content": "answers are text",
  "tools-call-sampling": "the model is the user's Gemini CLI; the client's is never asked",
  "tools-call-elicitation": "nothing is asked back",
  "elicitation-sep1034-defaults": "nothing is asked back",
  "elicitation-sep1330-enums": "nothing is asked back",
  "json-schema-2020-12": "tests a fixture's schema; ours are flat objects",
  "server-sse-polling": "pending in the suite; jobs are polled with research_result",
  "resources-read-text": "reads fixtures by name; ours are report://",
  "resources-read-binary": "reports are text",
  "resources-templates-read": "reads fixtures by name",
  "resources-subscribe": "a finished report does not change",
  "resources-unsubscribe": "a finished report does not change",
  "prompts-get-simple": "gets fixtures by name",
  "prompts-get-with-args": "gets fixtures by name",
  "prompts-get-embedded-resource": "prompts are text",
  "prompts-get-with-image": "prompts are text",
};

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "conformance-"));
let server;
try {
  run("npx", ["tsup", "test/conformance/server.ts", "--out-dir", ".turbo/conformance", "--silent"], root);
  server = spawn(process.execPath, [join(root, ".turbo/conformance/server.js")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout.setEncoding("utf8"), "data");
  const url = line.trim();

  run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", SUITE, NODE], folder);
  const bin = (name) => join(folder, "node_modules/.bin", name);
  // What the suite's own server scenarios are called, so that a new one is not overlooked.
  const listed = spawnSync(bin("node"), [bin("conformance"), "list", "--server"], { encoding: "utf8" }).stdout;
  const scenarios = [...listed.matchAll(/^ *- (\S+)/gm)].map((match) => match[1]);
  const overlooked = scenarios.filter((name) => !APPLIES.includes(name) && !(name in DOES_NOT_APPLY));
  for (const name of overlooked) console.log(`UNKNOWN  ${name}`);

  const failed = [];
  for (const scenario of APPLIES) {
    const args = [bin("conformance"), "server", "--url", url, "--scenario", scenario];
    const { status, stdout, stderr } = spawnSync(bin("node"), args, { encoding: "utf8", cwd: folder });
    console.log(`${status === 0 ? "passed " : "FAILED "}  ${scenario}`);
    if (status !== 0) failed.push(`${scenario}\n${stdout}${stderr}`);
  }
  for (const [scenario, why] of Object.entries(DOES_NOT_APPLY)) console.log(`left out  ${scenario}: ${why}`);
  console.log(`\n${APPLIES.length - failed.length} of ${APPLIES.length} scenarios that apply passed`);
  for (const report of failed) console.error(`\n${report}`);
  if (failed.length > 0 || overlooked.length > 0) process.exitCode = 1;
} finally {
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
}

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}
