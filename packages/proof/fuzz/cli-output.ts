import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createGeminiRunner, type GeminiRunner, type RunResult, resultOf } from "@x/gemini-runner";
import * as fc from "fast-check";
import { garbled, mutated, words } from "./hostile.js";
import { must, mustBeUnpolluted, type Target, UNCHECKED } from "./target.js";

/** What one run of a CLI leaves, in bytes as {@link garbled} gives them. */
interface Left {
  stdout: string;
  stderr: string;
  transcript: string;
  exitCode: number;
}

const CODES = ["CLI_NOT_FOUND", "AUTH_REQUIRED", "QUOTA_EXCEEDED", "MODEL_NOT_FOUND", "CANCELLED", "EXECUTION_ERROR"];

/** Starts quicker than a program in JavaScript would. */
const FAKE = `#!/bin/sh
chats="$GEMINI_CLI_HOME/.gemini/tmp/fake/chats"
mkdir -p "$chats"
cp "$GOOGLE_FUZZ/transcript" "$chats/session-fake.jsonl"
cat "$GOOGLE_FUZZ/stderr" >&2
cat "$GOOGLE_FUZZ/stdout"
read -r code < "$GOOGLE_FUZZ/code"
exit "$code"
`;

/** A runner whose CLI leaves what it is told to. */
async function openFake() {
  const folder = await mkdtemp(path.join(os.tmpdir(), "fuzz-cli-"));
  const at = (...names: string[]) => path.join(folder, ...names);
  await Promise.all([mkdir(at("home")), mkdir(at("runs")), writeFile(at("gemini"), FAKE)]);
  await chmod(at("gemini"), 0o755);
  const runner = createGeminiRunner({
    command: at("gemini"),
    cwd: at("runs"),
    // The runner hands on the variables of Google.
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: at("home"), GOOGLE_FUZZ: folder },
    retries: 0,
  });
  return {
    async meet({ stdout, stderr, transcript, exitCode }: Left): Promise<void> {
      await Promise.all([
        writeFile(at("stdout"), stdout, "latin1"),
        writeFile(at("stderr"), stderr, "latin1"),
        writeFile(at("transcript"), transcript, "latin1"),
        writeFile(at("code"), `${exitCode}\n`),
      ]);
      await standsRun(runner);
      mustBeUnpolluted();
      const left = await readdir(at("runs"));
      must(left.length === 0, () => `${left.join(", ")} stays in the folder of runs`);
    },
    async close() {
      await runner.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A run ends with a result of the promised shape or with the one error. */
async function standsRun(runner: GeminiRunner): Promise<void> {
  let result: RunResult;
  try {
    result = await resultOf(runner.run({ prompt: "How high are the tides?" }), (event) => {
      must(typeof event.type === "string", () => `an event without a type: ${JSON.stringify(event)}`);
    });
  } catch (error) {
    const { name, code, message } = error as Error & { code?: unknown };
    must(name === "RunnerError" && CODES.includes(String(code)), () => `threw ${name} ${String(code)}: ${message}`);
    must(!UNCHECKED.test(message), () => `threw what nobody checked: ${message}`);
    return;
  }
  const { text, model, models, queries, sources, failures } = result;
  must(typeof text === "string" && text.trim() !== "", () => `the text is ${JSON.stringify(text)}`);
  must(model === undefined || typeof model === "string", () => `the model is ${JSON.stringify(model)}`);
  must(
    queries.every((query) => typeof query === "string"),
    () => `queries are ${JSON.stringify(queries)}`,
  );
  must(
    sources.every(({ url, title }) => typeof url === "string" && (title === undefined || typeof title === "string")),
    () => `sources are ${JSON.stringify(sources)}`,
  );
  must(
    failures.every(({ tool, message }) => typeof tool === "string" && typeof message === "string"),
    () => `failures are ${JSON.stringify(failures)}`,
  );
  must(
    models.every(
      (use) =>
        typeof use.model === "string" && [use.inputTokens, use.outputTokens, use.totalTokens].every(Number.isFinite),
    ),
    () => `models are ${JSON.stringify(models)}`,
  );
}

const EVENTS = [
  { type: "init", session_id: "s", model: "gemini-2.5-flash" },
  { type: "message", role: "user", content: "How high are the tides?" },
  { type: "message", role: "assistant", content: "Sixteen metres.", delta: true },
  { type: "tool_use", tool_name: "google_web_search", tool_id: "t1", parameters: { query: "tides" } },
  {
    type: "tool_use",
    tool_name: "web_fetch",
    tool_id: "t2",
    parameters: { prompt: "Read https://example.org/tides." },
  },
  { type: "tool_result", tool_id: "t1", status: "success", output: 'Search results for "tides" returned.' },
  { type: "tool_result", tool_id: "t2", status: "error", error: { type: "x", message: "No." } },
  { type: "error", severity: "warning", message: "Loop detected, stopping execution" },
  {
    type: "result",
    status: "success",
    stats: { models: { "gemini-2.5-flash": { total_tokens: 3, input_tokens: 2, output_tokens: 1 } } },
  },
  { type: "result", status: "error", error: { type: "ApiError", message: "[API Error: nothing]" } },
] as const;

const event = fc.constantFrom(...EVENTS).chain(mutated);
const WELL_DONE = `${JSON.stringify(EVENTS[2])}\n${JSON.stringify(EVENTS[8])}\n`;

const stdoutText = fc
  .array(
    fc.oneof({ weight: 4, arbitrary: event.map((each) => JSON.stringify(each)) }, { weight: 1, arbitrary: words }),
    { maxLength: 12 },
  )
  .map((list) => list.map((line) => `${line}\n`).join(""));

const STDERR = [
  "RetryableQuotaError: You exceeded your current quota. Please retry in 3s.",
  "retryDelayMs: 99999999999999999999",
  "Attempt 1 failed with status 429. Retrying with backoff…",
  "Error authenticating: IneligibleTierError",
  "models/ is not found for API version",
];
const stderrText = fc
  .array(fc.oneof(words, fc.constantFrom(...STDERR)), { maxLength: 6 })
  .map((list) => list.join("\n"));

export const cliOutput: Target = {
  name: "CLI output",
  about: "What a CLI prints on stdout and stderr, and how it exits: an answer of the promised shape or the one error.",
  async open() {
    const fake = await openFake();
    return {
      property: fc.asyncProperty(
        garbled(stdoutText),
        garbled(stderrText),
        fc.constantFrom(0, 0, 0, 1, 41, 42, 52, 55, 130, 144, 173, 244, 255),
        async (stdout, stderr, exitCode) => fake.meet({ stdout, stderr, exitCode, transcript: "" }),
      ),
      close: fake.close,
    };
  },
};

const TURN = {
  id: "a",
  type: "gemini",
  content: "",
  model: "gemini-2.5-flash",
  tokens: { input: 1, output: 1, cached: 0, thoughts: 0, tool: 0, total: 2 },
  toolCalls: [
    {
      id: "c",
      name: "google_web_search",
      args: { query: "tides" },
      status: "success",
      result: [
        {
          functionResponse: {
            id: "c",
            name: "google_web_search",
            response: {
              output: 'Web search results for "tides":\n\nHigh.[1]\n\nSources:\n[1] Tides (https://example.org/tides)',
            },
          },
        },
      ],
    },
    {
      id: "d",
      name: "web_fetch",
      args: { prompt: "Read https://example.org/tides" },
      status: "error",
      result: [{ functionResponse: { id: "d", name: "web_fetch", response: { error: "No." } } }],
      resultDisplay: "No.",
    },
  ],
};

const transcriptText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: mutated(TURN).map((turn) => JSON.stringify(turn)) },
      { weight: 1, arbitrary: words },
    ),
    { maxLength: 6 },
  )
  .map((list) => list.join("\n"));

export const transcripts: Target = {
  name: "transcripts",
  about: "The CLI's own record of a run that went well: what it searched and read, of the promised shape, or nothing.",
  async open() {
    const fake = await openFake();
    return {
      property: fc.asyncProperty(garbled(transcriptText), async (transcript) =>
        fake.meet({ stdout: WELL_DONE, stderr: "", exitCode: 0, transcript }),
      ),
      close: fake.close,
    };
  },
};
