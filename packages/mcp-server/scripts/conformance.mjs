// Runs the official conformance suite against our HTTP server: the released one for the revisions with sessions, the one
// that comes next for the revision without. A suite needs Node 22 and 100 packages, so it is fetched into a temporary
// folder when this is run and is no dependency.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

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

/** Of the revision without sessions, which has no handshake and no ping. */
const STATELESS_APPLIES = [
  "server-stateless",
  "http-header-validation",
  "caching",
  "sep-2164-resource-not-found",
  ...APPLIES.filter((name) => name !== "server-initialize" && name !== "ping"),
];

const STATELESS_DOES_NOT_APPLY = {
  ...DOES_NOT_APPLY,
  "http-custom-header-server-validation": "no parameter of ours is mirrored into a header",
  "input-required-result-*": "nothing is asked back",
};

/** Checks of a scenario that applies which need a tool that asks something back of the client. */
const CANNOT_BE_CHECKED = ["sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400"];

const SUITES = [
  { suite: "@modelcontextprotocol/conformance@0.1.16", applies: APPLIES, doesNotApply: DOES_NOT_APPLY },
  {
    suite: "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    revision: "2026-07-28",
    applies: STATELESS_APPLIES,
    doesNotApply: STATELESS_DOES_NOT_APPLY,
  },
];

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "conformance-"));
let server;
try {
  run("npx", ["tsup", "test/conformance/server.ts", "--out-dir", ".turbo/conformance", "--silent"], root);
  server = spawn(process.execPath, [join(root, ".turbo/conformance/server.js")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(server.stdout.setEncoding("utf8"), "data");
  for (const suite of SUITES) check(suite, line.trim());
} finally {
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
}

function check({ suite, revision, applies, doesNotApply }, url) {
  const home = join(folder, revision ?? "released");
  mkdirSync(home);
  run("npm", ["install", "--prefix", home, "--no-audit", "--no-fund", "--loglevel=error", suite, NODE], home);
  const bin = (name) => join(home, "node_modules/.bin", name);
  const conformance = (...args) =>
    spawnSync(bin("node"), [bin("conformance"), ...args], { encoding: "utf8", cwd: home });
  console.log(`\n${suite}${revision === undefined ? "" : `, revision ${revision}`}`);

  // What the suite's own server scenarios are called, so that a new one is not overlooked.
  const listed = [...conformance("list", "--server").stdout.matchAll(/^ *- (\S+)(.*)/gm)];
  const scenarios = listed
    .filter(([, , of]) => revision === undefined || of.includes(revision))
    .map(([, name]) => name);
  const left = Object.keys(doesNotApply).map((name) => new RegExp(`^${name.replace("*", ".*")}$`));
  const overlooked = scenarios.filter((name) => !applies.includes(name) && !left.some((known) => known.test(name)));
  for (const name of overlooked) console.log(`UNKNOWN  ${name}`);

  const failed = [];
  for (const scenario of applies) {
    const of = revision === undefined ? [] : ["--spec-version", revision];
    const { status, stdout, stderr } = conformance("server", "--url", url, "--scenario", scenario, ...of);
    const checks = [...stripVTControlCharacters(stdout).matchAll(/\[(\S+) *\] FAILURE/g)].map(([, name]) => name);
    const passed = status === 0 || (checks.length > 0 && checks.every((name) => CANNOT_BE_CHECKED.includes(name)));
    const without = passed && checks.length > 0 ? ` (without ${checks.join(", ")})` : "";
    console.log(`${passed ? "passed " : "FAILED "}  ${scenario}${without}`);
    if (!passed) failed.push(`${scenario}\n${stdout}${stderr}`);
  }
  for (const [scenario, why] of Object.entries(doesNotApply)) console.log(`left out  ${scenario}: ${why}`);
  console.log(`${applies.length - failed.length} of ${applies.length} scenarios that apply passed`);
  for (const report of failed) console.error(`\n${report}`);
  if (failed.length > 0 || overlooked.length > 0) process.exitCode = 1;
}

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed`);
}
