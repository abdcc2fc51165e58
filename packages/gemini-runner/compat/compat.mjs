// The runner with older real CLIs: `pnpm compat [version …]`. Installs each from npm into a temporary folder, runs it
// against the local model server, prints a Markdown table and writes what it saw to `.turbo/compat.json`.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { createGeminiRunner, resultOf } from "@x/gemini-runner";
import {
  callTool,
  finish,
  grounded,
  httpError,
  research,
  search,
  startModelServer,
  text,
} from "@x/gemini-runner/testing";
import { LOGINS, MODELS, subCalls, toCell } from "./sub-calls.mjs";

const VERSIONS = ["0.20.2", "0.30.1", "0.35.3", "0.40.1", "0.45.2", "0.51.0", "0.56.0", "0.61.0"];
const TOOLS = ["google_web_search", "web_fetch"];
const QUESTION = 'How do tides work? @package.json "quoted" é漢🙂';
const asked = process.argv.slice(2);
const versions = asked.length > 0 ? asked : VERSIONS;
const folder = await mkdtemp(path.join(os.tmpdir(), "runner-compat-"));
const stopped = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stopped.abort());

async function install(version) {
  const root = path.join(folder, version);
  await mkdir(root);
  await writeFile(path.join(root, "package.json"), '{"private":true}');
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional", "--loglevel=error"];
  await promisify(execFile)("npm", [...args, `@google/gemini-cli@${version}`], {
    cwd: root,
    signal: stopped.signal,
    shell: process.platform === "win32",
  });
  const found = path.join(root, "node_modules/@google/gemini-cli");
  const { bin } = JSON.parse(await readFile(path.join(found, "package.json"), "utf8"));
  return path.join(found, typeof bin === "string" ? bin : bin.gemini);
}

/** Runs one prompt: what came of it, what was asked of the model, and what is left on disk. */
async function runOnce(command, scenario, request, login = "api-key") {
  const server = await startModelServer({ scenario });
  const home = await mkdtemp(path.join(folder, "home-"));
  const cwd = await mkdtemp(path.join(folder, "runs-"));
  const { PATH = "" } = process.env;
  const runner = createGeminiRunner({
    command,
    cwd,
    env: { PATH, HOME: home, ...server.envFor(login) },
    retries: 0,
    timeoutMs: 60_000,
  });
  const events = [];
  const startedAt = performance.timeOrigin + performance.now();
  const seen = { requests: server.requests, events };
  try {
    seen.result = await resultOf(runner.run({ prompt: QUESTION, signal: stopped.signal, ...request }), (event) =>
      events.push(event),
    );
  } catch (error) {
    seen.error = { code: error.code, reason: error.reason, message: error.message };
  } finally {
    await runner.close();
    await server.close();
  }
  seen.firstRequestMs = server.requests[0] && server.requests[0].at - startedAt;
  await rm(home, { recursive: true, force: true });
  await rm(cwd, { recursive: true, force: true });
  return seen;
}

const kinds = (seen, kind) => seen.requests.filter((request) => request.kind === kind);

const hasOnly = (tool) => (call) =>
  JSON.stringify((call.body.tools ?? []).flatMap(Object.keys)) === JSON.stringify([tool]);

/** One research run: was the model asked byte for byte, shown exactly the two tools, and did it search and read? */
function judge(seen) {
  const { result, error, requests } = seen;
  const main = kinds(seen, "main");
  const searched = kinds(seen, "search").length === 1 && kinds(seen, "fetch").length === 2;
  return {
    ok: error === undefined && result.text.includes("Draft 1 of this report"),
    ...(error === undefined ? {} : { error }),
    prompt: main.length > 0 && main.every(({ prompt }) => prompt.includes(QUESTION)),
    tools: (main[0]?.tools ?? []).toSorted(),
    onlyTheTwo: JSON.stringify((main[0]?.tools ?? []).toSorted()) === JSON.stringify(TOOLS),
    searched,
    oneTool: kinds(seen, "search").every(hasOnly("googleSearch")) && kinds(seen, "fetch").every(hasOnly("urlContext")),
    calls: [...new Set(requests.map(({ kind, model }) => `${kind} ${model}`))],
    recorded: result?.recorded ?? false,
    queries: result?.queries ?? [],
    sources: (result?.sources ?? []).length,
    model: result?.model,
    asked: main[0]?.model,
    models: result?.models ?? [],
    firstRequestMs: seen.firstRequestMs,
    firstBytes: main[0]?.bytes,
  };
}

/** A model that tries what it must not do. */
async function intrude(command) {
  const calls = [
    callTool("run_shell_command", { command: "id", description: "x" }),
    callTool("write_file", { file_path: "x.txt", content: "x" }),
    callTool("read_file", { file_path: "/etc/passwd", absolute_path: "/etc/passwd" }),
    callTool("list_directory", { dir_path: "/", path: "/" }),
  ];
  const seen = await runOnce(command, ({ kind, turn }) => (kind === "main" && turn === 0 ? calls : undefined), {
    model: "gemini-2.5-pro",
  });
  const results = kinds(seen, "main").flatMap(({ toolResults }) => toolResults);
  return { refused: results.filter(({ response }) => "error" in response).length, of: calls.length };
}

/** A search whose daily quota is used up, which some versions repeat without end. */
async function usedUp(command) {
  const seen = await runOnce(
    command,
    ({ kind, turn }) => (kind === "main" ? (turn === 0 ? search("tides") : text("Done.")) : httpError("quota-day")),
    { model: "gemini-2.5-pro" },
  );
  return { requests: seen.requests.length, code: seen.error?.code ?? "answered" };
}

/** An answer at the model's limit, which the CLI calls a success. */
async function cutOff(command, login) {
  const scenario = ({ kind }) => (kind === "main" ? [...text("Half an answ"), finish("MAX_TOKENS")] : undefined);
  const seen = await runOnce(command, scenario, { model: "gemini-2.5-pro" }, login);
  return seen.error?.reason ?? "answered";
}

/** Runs of different kinds by one process: each is to get its own, and what it would get by itself. */
async function shared(command) {
  const numberIn = (value) => /task-(\d+)-/.exec(JSON.stringify(value))?.[1];
  const home = await mkdtemp(path.join(folder, "home-"));
  const server = await startModelServer({
    scenario({ kind, turn, body }) {
      const n = numberIn(body);
      if (kind === "search")
        return grounded("Found.", { sources: [{ url: `https://example.com/task-${n}-`, title: "T" }] });
      if (kind !== "main") return undefined;
      if (n === "3") return [...text("Half an answ"), finish("MAX_TOKENS")];
      if (n === "4") return httpError("quota-day");
      return turn === 0 ? search(`task-${n}-`) : text(`Answer of task-${n}-`);
    },
  });
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: home, ...server.env };
  const runner = createGeminiRunner({ command, cwd: home, env, retries: 0, timeoutMs: 60_000, pool: true });
  const pids = new Set();
  const warnings = [];
  try {
    const runs = ["gemini-2.5-flash", "gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-pro", "gemini-2.5-pro"].map(
      async (model, n) => {
        const request = { prompt: `This is task-${n}-`, model, signal: stopped.signal };
        const onEvent = (event) => {
          if (event.type === "run-start") pids.add(event.pid);
          if (event.type === "warning") warnings.push(event.message);
        };
        try {
          const { text, queries, sources } = await resultOf(runner.run(request), onEvent);
          return [text, queries, sources.map(({ url }) => url)];
        } catch (error) {
          return error.reason ?? error.code;
        }
      },
    );
    const got = await Promise.all(runs);
    const own = [0, 1, 2].map((n) => [`Answer of task-${n}-`, [`task-${n}-`], [`https://example.com/task-${n}-`]]);
    const ok = JSON.stringify(got) === JSON.stringify([...own, "truncated", "QUOTA_EXCEEDED"]);
    return { ok: ok && pids.size === 1 && warnings.length === 0, got, processes: pids.size, warnings };
  } finally {
    await runner.close();
    await server.close();
    await rm(home, { recursive: true, force: true });
  }
}

async function failureOf(command, name) {
  const seen = await runOnce(command, () => httpError(name), { model: "gemini-2.5-pro" });
  return seen.error?.code ?? "answered";
}

const report = {};
try {
  for (const version of versions) {
    process.stderr.write(`${version}: installing\n`);
    const command = await install(version);
    const runs = {};
    for (const model of MODELS) {
      stopped.signal.throwIfAborted();
      const request = model === undefined ? {} : { model };
      // Every model by key; by a login only the first and the CLI's own choice: the rest is the table of sub-calls.
      for (const login of model === MODELS[0] || model === undefined ? LOGINS : LOGINS.slice(0, 1)) {
        const name = `${model ?? "no model"}${login === "api-key" ? "" : ` by ${login}`}`;
        runs[name] = judge(await runOnce(command, research({ topic: "Tides" }), request, login));
      }
    }
    // A preview model, which a login must be seen to have access to.
    const preview = "gemini-3.1-pro-preview";
    for (const login of LOGINS.slice(0, 2)) {
      runs[`${preview} by ${login}`] = judge(
        await runOnce(command, research({ topic: "Tides" }), { model: preview }, login),
      );
    }
    if (Object.values(runs).every(({ error }) => error?.reason === "unsupported-version")) {
      report[version] = { runs, unsupported: true };
      await rm(path.join(folder, version), { recursive: true, force: true });
      continue;
    }
    report[version] = {
      runs,
      intruder: await intrude(command),
      searchQuota: await usedUp(command),
      shared: await shared(command),
      subCalls: await subCalls(command, folder, stopped.signal),
      cutOff: [await cutOff(command, "api-key"), await cutOff(command, "enterprise")],
      badKey: await failureOf(command, "bad-key"),
      dayQuota: await failureOf(command, "quota-day"),
    };
    process.stderr.write(`${version}: ${JSON.stringify(report[version])}\n`);
    // Half a gigabyte, the older ones.
    await rm(path.join(folder, version), { recursive: true, force: true });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const mark = (good) => (good ? "yes" : "**no**");
const rows = Object.entries(report).map(([version, seen]) => {
  if (seen.unsupported) return [version, "refused: `unsupported-version`", ...Array(16).fill("–")];
  const { runs, intruder, searchQuota, shared, subCalls: given, cutOff, badKey, dayQuota } = seen;
  const [named, all] = [runs["gemini-2.5-pro"], Object.values(runs)];
  const failed = all.find(({ error }) => error)?.error;
  return [
    version,
    all.every(({ ok }) => ok) ? "yes" : `**${failed?.reason ?? failed?.code ?? "no"}**`,
    mark(all.every(({ prompt }) => prompt)),
    mark(all.every(({ onlyTheTwo }) => onlyTheTwo)),
    mark(intruder.refused === intruder.of),
    Object.entries(runs)
      .filter(([, { searched }]) => !searched)
      .map(([model]) => `**not with ${model}**`)
      .join(", ") || "yes",
    Object.entries(runs)
      .filter(([, { oneTool }]) => !oneTool)
      .map(([model]) => `**not with ${model}**`)
      .join(", ") || "yes",
    // An alias, and a name that a version takes for another, are no fault of ours.
    Object.entries(runs)
      .filter(
        ([name, { asked: model }]) =>
          /^gemini-(2\.5|3\.1)-pro/.test(name) && !name.startsWith(`${model} `) && name !== model,
      )
      .map(([name, { asked: model }]) => `**${name}: ${model}**`)
      .join(", ") || "yes",
    mark(named.recorded && named.queries.length === 1 && named.sources === 2),
    named.models.length > 0 ? "yes" : "no",
    `${badKey}, ${dayQuota}`,
    `${searchQuota.requests} requests, ${searchQuota.code}`,
    mark(cutOff.every((reason) => reason === "truncated")),
    mark(shared.ok),
    toCell(given, false),
    toCell(given, true),
    named.firstRequestMs === undefined ? "" : `${Math.round(named.firstRequestMs)} ms`,
    named.firstBytes === undefined ? "" : `${(named.firstBytes / 1000).toFixed(1)} KB`,
  ];
});
const heading = [
  "CLI",
  "answers",
  "prompt whole",
  "only the two tools",
  "nothing else runs",
  "searches and reads",
  "one tool for each",
  "model as asked",
  "sources",
  "tokens",
  "bad key, day's quota",
  "search without quota",
  "cut-off answer named",
  "five runs in one process",
  "own tool for each sub-call: a process each",
  "one process",
  "first request",
  "its size",
];
await mkdir(new URL("../.turbo/", import.meta.url), { recursive: true });
await writeFile(new URL("../.turbo/compat.json", import.meta.url), `${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(
  `${[heading, heading.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`,
);
