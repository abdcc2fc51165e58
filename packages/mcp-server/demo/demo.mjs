#!/usr/bin/env node
// One deep search through everything: the command of the terminal → the research → the real Gemini CLI → a model; then
// the same report as the official MCP client gets it from the server. Offline the model is a local server with one
// recorded topic, whose pages a proxy on loopback answers for; with GEMINI_API_KEY and --live it is Google's.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { startModelServer } from "@x/gemini-runner/testing";
import { leapSeconds, QUESTION } from "./leap-seconds.mjs";
import { startPages } from "./pages.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SERVER = here("../dist/bin.js");
const OFFLINE_NAMES = new URL("offline-names.mjs", import.meta.url).href;
/** Settings and sign-ins of the person, and their proxies: neither used nor harmed by a recording. */
const OF_THE_PERSON = /^(?:(?:GEMINI|GOOGLE|CLOUDSDK|FIRECRAWL)_|(?:HTTPS?|ALL|NO)_PROXY$)/i;
const LONGEST_CALL_MS = 30 * 60_000;
/** With their numbers, for the exit code that a shell gives a program that one of them ended. */
const ENDING_SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGPIPE: 13, SIGTERM: 15 };

const USAGE = `One deep search with the real Gemini CLI, in the terminal and through MCP: npm run demo [-- [--live] [question]]

  --live   asks Google's model instead of a recording; needs GEMINI_API_KEY, and answers your own question`;

const { live, question } = commandLine(process.argv.slice(2));

if (live && !process.env.GEMINI_API_KEY) {
  refuse("--live asks Google's model: set GEMINI_API_KEY (a key from https://aistudio.google.com/apikey) first.");
}

const stopped = new AbortController();
for (const [signal, number] of Object.entries(ENDING_SIGNALS)) {
  process.on(signal, () => stopped.abort(128 + number));
}
// Nobody reads any more, as behind `head`: as good as a signal. Without a listener it would be an uncaught error.
process.stdout.on("error", () => stopped.abort(128 + ENDING_SIGNALS.SIGPIPE));
process.stderr.on("error", () => {});

console.log(
  live
    ? "Live: the real Gemini CLI asks Google's model."
    : "Offline: the real Gemini CLI asks a local model server with one recorded topic.\nIt reads pages that the demo serves itself; nothing leaves this machine.",
);
if (!live && question !== QUESTION) {
  console.log(
    "The recording is about leap seconds and will say so;\n--live with GEMINI_API_KEY answers your own question.",
  );
}

const folder = await mkdtemp(join(tmpdir(), "research-demo-"));
const page = join(await mkdtemp(join(tmpdir(), "research-page-")), "report.html");
const model = live ? undefined : await startModelServer({ scenario: leapSeconds(question) });
const pages = live ? undefined : await startPages();
try {
  const own = Object.entries(process.env).filter(([name]) => live || !OF_THE_PERSON.test(name));
  const env = {
    ...Object.fromEntries(own),
    GEMINI_SEARCH_CONFIG_DIR: folder,
    GEMINI_CLI_PATH: (live && process.env.GEMINI_CLI_PATH) || installedCli(),
    ...(model && { ...model.env, ...pages.env, HOME: folder, GEMINI_CLI_HOME: folder }),
  };
  console.log(`\n$ x-research deep-search ${JSON.stringify(question)} --html report.html\n`);
  await run(["deep-search", question, "--html", page], env);
  await showMcp(env);
  console.log(`\nOpen the page in a browser: ${page}`);
  // A line that nobody took says so no later than the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  stopped.signal.throwIfAborted();
} catch (error) {
  const { aborted, reason } = stopped.signal;
  if (!aborted) console.error(`\nThe demo failed: ${error instanceof Error ? error.message : error}`);
  // Behind `head` it is what was wanted.
  else if (reason !== 128 + ENDING_SIGNALS.SIGPIPE) console.error("\nStopped.");
  process.exitCode = aborted ? reason : 1;
} finally {
  await Promise.all([model?.close(), pages?.close()]);
  await rm(folder, { recursive: true, force: true });
  if (process.exitCode) await rm(dirname(page), { recursive: true, force: true });
}

/** What the person typed. */
function commandLine(args) {
  const options = { live: { type: "boolean" }, help: { type: "boolean", short: "h" } };
  try {
    // pnpm hands on the `--` too.
    const typed = parseArgs({ args: args.filter((word) => word !== "--"), options, allowPositionals: true });
    if (typed.values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    return { live: typed.values.live === true, question: typed.positionals.join(" ").trim() || QUESTION };
  } catch (error) {
    return refuse(`${error.message}\n\n${USAGE}`);
  }
}

/** @returns {never} */
function refuse(reason) {
  console.error(reason);
  process.exit(2);
}

/** Asks the server for the same report as a client does: it was kept for whoever asks. */
async function showMcp(env) {
  const transport = new StdioClientTransport({ command: process.execPath, args: [SERVER], env, stderr: "pipe" });
  const complaints = [];
  transport.stderr?.on("data", (chunk) => complaints.push(String(chunk)));
  const client = new Client({ name: "demo", version: "1.0.0" });
  await client.connect(transport);
  try {
    const { name, version } = client.getServerVersion() ?? {};
    const { tools } = await client.listTools();
    console.log(`\nMCP server ${name} ${version} offers ${tools.map((tool) => tool.name).join(", ")}.`);
    const { resources } = await client.listResources();
    const job_id = resources[0]?.uri.replace("report://", "");
    const options = { timeout: LONGEST_CALL_MS, signal: stopped.signal };
    const started = performance.now();
    const result = await client.callTool({ name: "research_result", arguments: { job_id } }, undefined, options);
    const answer = result.structuredContent;
    if (result.isError || !answer?.success) throw new Error(failureIn(result.content?.[0]?.text ?? ""));
    const { iterations, sources_visited } = answer.metadata;
    const facts = [`verified: ${answer.verified}`, `${iterations} rounds`, `${sources_visited.length} sources`];
    const tookMs = Math.round(performance.now() - started);
    console.log(`research_result of ${job_id}: ${answer.status}, ${facts.join(", ")} (${tookMs} ms).`);
  } catch (error) {
    const log = complaints.join("").trim();
    throw new Error(
      `${error instanceof Error ? error.message : error}${log && !stopped.signal.aborted ? `\n${log}` : ""}`,
    );
  } finally {
    await client.close();
  }
}

function failureIn(text) {
  try {
    const { code, message, details = "" } = JSON.parse(text).error;
    return `${message} (${code})\n${details}`;
  } catch {
    return text || "The server gave no answer.";
  }
}

/** Runs a command of the terminal and waits for it. */
function run(args, env) {
  const names = live ? [] : ["--import", OFFLINE_NAMES];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...names, SERVER, ...args], {
      env,
      stdio: "inherit",
      signal: stopped.signal,
    });
    child.on("error", (error) => {
      if (!stopped.signal.aborted) reject(error);
    });
    child.on("close", (code) => {
      // What ended it ends this one too.
      if (code > 128) stopped.abort(code);
      if (code === 0) resolve();
      else reject(new Error(`x-research ${args[0]} ended with ${code}`));
    });
  });
}

function installedCli() {
  const manifest = createRequire(import.meta.url).resolve("@google/gemini-cli/package.json");
  return join(dirname(manifest), "bundle", "gemini.js");
}
