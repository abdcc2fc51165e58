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
    ["/proc/nowhere"],
    ["/proc/nowhere/a/b"],
    ["/dev/null/x"],
    ["file"],
    ["file/x"],
    ["pipe"],
    ["dangling"],
    ["circle/x"],
    ["x".repeat(300)],
  ])("%s as the folder of the runs", async ([cwd = ""], { at }) => {
    const folder = path.isAbsolute(cwd) ? cwd : at(cwd);
    expect(await attempt(folder, {})).toContain(
      `EXECUTION_ERROR workspace: Nothing can be written to the folder of the runs, ${folder}: E`,
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
    ["cwd", { cwd: "" }, {}],
    ["cwd", { cwd: 5 }, {}],
    ["command", { command: "a\0b" }, {}],
    ["mcpServers.a.command", { mcpServers: { a: {} } }, {}],
    ["MCP server", { mcpServers: { a_b: { command: "x", includeTools: [] } } }, {}],
    ["model", {}, { model: "" }],
    ["tools", {}, { tools: "all" }],
    ["tools", {}, { tools: ["*"] }],
    ["files[1]", {}, { files: ["/x", 5] }],
    ["prompt", {}, { prompt: undefined }],
    ["timeoutMs", {}, { timeoutMs: Number.NaN }],
    ["idleTimeoutMs", {}, { idleTimeoutMs: "5" }],
    ["maxOutputBytes", { maxOutputBytes: 0 }, {}],
    ["mcpServers.a.url", {}, { mcpServers: { a: { url: "file:///etc", includeTools: [] } } }],
    ["mcpServers.a ", {}, { mcpServers: { a: "x" } }],
    ['"nope", "glob_x"', { command: CLI }, { tools: ["web_fetch", "nope", "glob_x"] }],
  ])("what is no %s: %j %j", async ([name, options, request], { temporaryFolder }) => {
    const said = await attempt(await temporaryFolder("runs"), options, request);
    expect(said).toMatch(/^EXECUTION_ERROR input: /);
    expect(said).toContain(name);
    expect(said).toContain("expected");
  });
});

test.for([
  ["a call without arguments", () => run(undefined as never)],
  ["null", () => run(null as never)],
  ["a text", () => resultOf(createGeminiRunner().run("Why?" as never))],
  ["a text as options", async () => createGeminiRunner("gemini" as never)],
] as const)("%s is no request", async ([, call]) => {
  await expect(call()).rejects.toMatchObject({
    code: "EXECUTION_ERROR",
    reason: "input",
    message: expect.stringMatching(/ is expected to be an object, not (undefined|null|string)$/),
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
