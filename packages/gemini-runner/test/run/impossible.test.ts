import { execFile } from "node:child_process";
import { copyFile, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, vi } from "vitest";
import {
  createGeminiRunner,
  type GeminiRunnerOptions,
  type RunEvent,
  type RunnerError,
  type RunRequest,
  resultOf,
  run,
} from "../../src/index.js";
import { inTime } from "../../src/process/in-time.js";
import { test as base, CLI, FAKE_CLI } from "../small-world.js";

const PROGRAM = { command: "x", includeTools: [] };
const ENDPOINT = { url: "http://127.0.0.1/", includeTools: [] };

const prompt = JSON.stringify([{ say: "ok" }, { result: "success" }]);

/** Whatever is there but is not what a path should lead to, by its name: `at("pipe")`. */
const test = base.extend<{ at: (name: string) => string }>({
  at: async ({ temporaryFolder }, use) => {
    const folder = await temporaryFolder("odd");
    const at = (name: string) => path.join(folder, name);
    await promisify(execFile)("mkfifo", [at("pipe")]);
    await Promise.all([
      writeFile(at("file"), "text"),
      writeFile(at("no-interpreter"), "#!/nowhere/sh\n", { mode: 0o755 }),
      symlink(at("nowhere"), at("dangling")),
      symlink(at("circle"), at("circle")),
      mkdir(at("folder")),
    ]);
    await use(at);
  },
});

async function attempt(cwd: string, options: GeminiRunnerOptions, request: Partial<RunRequest> = {}): Promise<unknown> {
  try {
    const runner = createGeminiRunner({ command: FAKE_CLI, cwd, retries: 0, ...options });
    return (await resultOf(runner.run({ prompt, ...request }))).text;
  } catch (error) {
    const { code, reason = "", message } = error as RunnerError;
    return `${code} ${reason}: ${message}`;
  }
}

describe.concurrent("what cannot be is said at once", () => {
  // Under /proc Node's own way to make a folder does not come to an end.
  test.for([
    // Where there is no /proc, there may be no place for one either.
    ["/proc/nowhere", "(?:its folder does not exist|the disk is read-only)"],
    ["/proc/nowhere/a/b", "(?:its folder does not exist|the disk is read-only)"],
    ["/dev/null/x", "a part of its path is a file, not a folder"],
    ["file", "a file stands where a folder should be"],
    ["file/x", "a part of its path is a file, not a folder"],
    ["pipe", "a file stands where a folder should be"],
    ["dangling", "a file stands where a folder should be"],
    ["circle/x", "links lead in a circle"],
    ["x".repeat(300), "the name is too long"],
  ] as const)("%s as the folder of the runs: %s", async ([cwd, problem], { at }) => {
    const folder = path.isAbsolute(cwd) ? cwd : at(cwd);
    expect(await attempt(folder, {})).toMatch(
      new RegExp(
        `^EXECUTION_ERROR workspace: Nothing can be written to the folder of the runs, ${folder}: ${problem}$`,
      ),
    );
  });

  test.for([
    ["pipe", "CLI_NOT_FOUND"],
    ["folder", "CLI_NOT_FOUND"],
    ["dangling", "CLI_NOT_FOUND"],
    ["file/x", "CLI_NOT_FOUND"],
    ["file", "EXECUTION_ERROR spawn"],
    ["no-interpreter", "EXECUTION_ERROR spawn"],
  ] as const)("%s as the command", async ([command, expected], { at, temporaryFolder }) => {
    expect(await attempt(await temporaryFolder("runs"), { command: at(command) })).toMatch(`${expected}`);
  });

  test.for(["pipe", "folder", "dangling", "nowhere"])("%s as a file to read", async (file, { at, temporaryFolder }) => {
    const said = await attempt(await temporaryFolder("runs"), {}, { files: [at(file)] });
    expect(said).toBe(`EXECUTION_ERROR input: There is no file ${at(file)} to hand over`);
  });

  test.for<[string, object, object]>([
    ['cwd is expected to be text that is not empty and holds no NUL, not ""', { cwd: "" }, {}],
    ["cwd is expected to be text that is not empty and holds no NUL, not 5", { cwd: 5 }, {}],
    ['command is expected to be text that is not empty and holds no NUL, not "a\\u0000b"', { command: "a\0b" }, {}],
    ['env is expected to be an object, not "x"', { env: "x" }, {}],
    ['onWarning is expected to be a function, not "x"', { onWarning: "x" }, {}],
    ["model is expected to be text that is not empty and holds no NUL, not null", { model: null }, {}],
    ['pool is expected to be true, false or an object, not "yes"', { pool: "yes" }, {}],
    ["pool is expected to be true, false or an object, not an array", { pool: [] }, {}],
    ["pool is expected to be true, false or an object, not null", { pool: null }, {}],
    ['pool.processes is expected to be a whole number from 1 to 1000, not "2"', { pool: { processes: "2" } }, {}],
    ["pool.processes is expected to be a whole number from 1 to 1000, not 1.5", { pool: { processes: 1.5 } }, {}],
    [
      "pool.processes is expected to be a whole number from 1 to 1000, not 1000000000",
      { pool: { processes: 1e9 } },
      {},
    ],
    ["pool.sessions is expected to be a whole number from 1 to 1000, not NaN", { pool: { sessions: Number.NaN } }, {}],
    ["pool.idleMs is expected to be a number of at least 0, not -5", { pool: { idleMs: -5 } }, {}],
    ["maxConcurrent is expected to be a whole number of at least 1, not an object", { maxConcurrent: {} }, {}],
    ["maxOutputBytes is expected to be a number of at least 1, not 0", { maxOutputBytes: 0 }, {}],
    ['mcpServers.a is expected to be an object, not "x"', { mcpServers: { a: "x" } }, {}],
    ["mcpServers.a.command is expected to be text", { mcpServers: { a: { includeTools: [] } } }, {}],
    ["mcpServers.a.args[0] is expected to be text", { mcpServers: { a: { ...PROGRAM, args: [5] } } }, {}],
    ["mcpServers.a.env.KEY is expected to be text", { mcpServers: { a: { ...PROGRAM, env: { KEY: 5 } } } }, {}],
    ["mcpServers.a.includeTools is expected to be a list, not null", { mcpServers: { a: { command: "x" } } }, {}],
    ["mcpServers.a.timeoutMs is expected to be a number", {}, { mcpServers: { a: { ...PROGRAM, timeoutMs: "1" } } }],
    ["mcpServers.a.url is expected to be the address of an MCP server", {}, { mcpServers: { a: { url: "file:///" } } }],
    ["mcpServers.a.headers.a is expected to be text", {}, { mcpServers: { a: { ...ENDPOINT, headers: { a: 1 } } } }],
    ['MCP server is expected to be without "_" and not empty, not "a_b"', { mcpServers: { a_b: PROGRAM } }, {}],
    ['model is expected to be text that is not empty and holds no NUL, not ""', {}, { model: "" }],
    ['A model is expected by its name, not "-x"', {}, { model: "-x" }],
    ['tools is expected to be a list, not "all"', {}, { tools: "all" }],
    ['tools is expected to name each tool, without "*", not "*"', {}, { tools: ["*"] }],
    ["files[1] is expected to be text that is not empty and holds no NUL, not 5", {}, { files: ["/x", 5] }],
    ['files[0] is expected to be an absolute path, not "a.txt"', {}, { files: ["a.txt"] }],
    ["The prompt is expected to be text, not undefined", {}, { prompt: undefined }],
    ["timeoutMs is expected to be a number of at least 0, not NaN", {}, { timeoutMs: Number.NaN }],
    ['idleTimeoutMs is expected to be a number of at least 0, not "5"', {}, { idleTimeoutMs: "5" }],
    ["maxTurns is expected to be a whole number of at least 1, not 2.5", {}, { maxTurns: 2.5 }],
    ['signal is expected to be an AbortSignal, not "no"', {}, { signal: "no" }],
    ["signal is expected to be an AbortSignal, not an object", {}, { signal: new AbortController() }],
    ['"nope", "glob_x"', { command: CLI }, { tools: ["web_fetch", "nope", "glob_x"] }],
  ])("%s: %j %j", async ([expected, options, request], { temporaryFolder }) => {
    const said = await attempt(await temporaryFolder("runs"), options, request);
    expect(said).toMatch(/^EXECUTION_ERROR input: /);
    expect(said).toContain(expected);
  });
});

const PREWARM = "The options of prewarm are model, tools, files, mcpServers, signal.";
const REQUEST =
  "The options of a request are model, tools, files, mcpServers, signal, prompt, timeoutMs, idleTimeoutMs, maxTurns, maxToolCalls.";

test.for<[string, string | RegExp, () => unknown]>([
  ["timoutMs", /^The options of a runner are .*\btimeoutMs, /, () => createGeminiRunner({ timoutMs: 5 } as never)],
  [
    "pool.sesions",
    /^The options of a pool are .*\bsessions, /,
    () => createGeminiRunner({ pool: { sesions: 3 } } as never),
  ],
  ["nonsense", REQUEST, () => resultOf(createGeminiRunner().run({ prompt: "x", nonsense: 1 } as never))],
  ["nonsense", PREWARM, () => createGeminiRunner().prewarm({ nonsense: 1 } as never)],
  ["prompt", PREWARM, () => createGeminiRunner().prewarm({ prompt: "x" } as never)],
  ["maxTurn", /^The options of run are .*prompt, .*\bcwd, /, () => run({ prompt: "x", maxTurn: 1 } as never)],
  [
    "mcpServers.a.trust",
    "The options of an MCP server with a command are command, args, env, includeTools, timeoutMs.",
    () => createGeminiRunner({ mcpServers: { a: { ...PROGRAM, trust: true } } } as never),
  ],
  [
    "mcpServers.a.command",
    "The options of an MCP server with a url are url, headers, includeTools, timeoutMs.",
    () => createGeminiRunner().prewarm({ mcpServers: { a: { ...ENDPOINT, command: "x" } } } as never),
  ],
])("a name that is not known is named, with those that are: %s", async ([name, nextStep, call]) => {
  await expect(async () => call()).rejects.toMatchObject({
    ...{ name: "RunnerError", code: "EXECUTION_ERROR", reason: "input", message: `There is no option ${name}` },
    nextStep: typeof nextStep === "string" ? nextStep : expect.stringMatching(nextStep),
  });
});

test("a name without a value is none", async ({ temporaryFolder }) => {
  const options = { cwd: await temporaryFolder("runs"), command: FAKE_CLI, timoutMs: undefined };
  expect(await run({ prompt, ...options })).toMatchObject({ text: "ok" });
});

test.for<[string, () => unknown]>([
  ["undefined", () => run(undefined as never)],
  ["null", () => run(null as never)],
  ['"Why?"', () => resultOf(createGeminiRunner().run("Why?" as never))],
  ['"gemini"', () => createGeminiRunner("gemini" as never)],
  ["null", () => createGeminiRunner().prewarm(null as never)],
  ["an array", () => createGeminiRunner([] as never)],
])("%s is no request and no options", async ([shown, call]) => {
  await expect(async () => call()).rejects.toMatchObject({
    ...{ name: "RunnerError", code: "EXECUTION_ERROR", reason: "input" },
    message: expect.stringContaining(` is expected to be an object, not ${shown}`),
  });
});

test("a CLI that is newer than the list of tools is believed, with a warning", async ({ temporaryFolder }) => {
  const folder = await temporaryFolder("newer");
  await copyFile(FAKE_CLI, path.join(folder, "gemini.mjs"));
  await writeFile(path.join(folder, "package.json"), '{"name":"@google/gemini-cli","version":"1000.0.0"}');
  const runner = createGeminiRunner({ command: path.join(folder, "gemini.mjs"), cwd: await temporaryFolder("runs") });
  const events: RunEvent[] = [];
  const { text } = await resultOf(runner.run({ prompt, tools: ["future_tool"] }), (event) => events.push(event));
  expect(text).toBe("ok");
  expect(events.slice(0, 2)).toMatchObject([
    { type: "run-start", version: "1000.0.0" },
    { type: "warning", message: expect.stringMatching(/^Gemini CLI 1000\.0\.0 may not have the tools "future_tool"/) },
  ]);
});

test("pipes in the place of the settings and the variables of a user are not read", async ({ temporaryFolder }) => {
  const [home, runs] = await Promise.all([temporaryFolder("home"), temporaryFolder("runs")]);
  await mkdir(path.join(home, ".gemini"));
  await promisify(execFile)("mkfifo", ["settings.json", ".env"], { cwd: path.join(home, ".gemini") });
  const { PATH = "" } = process.env;
  expect(await attempt(runs, { env: { PATH, HOME: home } })).toBe("ok");
});

describe("a start that hangs", () => {
  test("does not hold a run whose time is over or that is cancelled", async () => {
    const never = new Promise<never>(() => {});
    const end = vi.fn(async () => {});
    const late = () => new Error("late");
    const { signal } = new AbortController();
    await expect(inTime(never, { leftMs: 1, late, signal, end, graceMs: 1 })).rejects.toThrow("late");
    const cancelled = AbortSignal.abort(new Error("enough"));
    await expect(inTime(never, { leftMs: 60_000, late, signal: cancelled, end, graceMs: 1 })).rejects.toThrow("enough");
    expect(end).not.toHaveBeenCalled();
  });

  test("does not end a run whose process was suspended meanwhile", async () => {
    const { signal } = new AbortController();
    const late = () => new Error("late");
    let start: (value: string) => void = () => {};
    const coming = new Promise<string>((resolve) => {
      start = resolve;
    });
    const waiting = inTime(coming, { leftMs: 60, late, signal, end: async () => {}, stepMs: 10 });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    // Timers that are due come first, then what came in meanwhile.
    setImmediate(() => setImmediate(() => start("process")));
    expect(await waiting).toBe("process");
  });

  test("is ended when it comes after all, before the run says why it stopped", async () => {
    const log: unknown[] = [];
    const stop = new AbortController();
    const { signal } = stop;
    let start: (value: string) => void = () => {};
    const coming = new Promise<string>((resolve) => {
      start = resolve;
    });
    const end = async (value: string) => void log.push(`ended ${value}`);
    const waiting = inTime(coming, { leftMs: 60_000, late: () => new Error("late"), signal, end });
    const told = waiting.catch((error: Error) => log.push(error.message));
    stop.abort(new Error("enough"));
    await new Promise(setImmediate);
    start("process");
    await told;
    expect(log).toEqual(["ended process", "enough"]);
  });
});
