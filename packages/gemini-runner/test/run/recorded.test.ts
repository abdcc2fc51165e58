import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { parseRecord } from "../../src/cli/session-file.js";
import { createGeminiRunner, type RunnerError, resultOf } from "../../src/index.js";
import { SHELL_CLI, test } from "../small-world.js";

const RECORDED = path.join(import.meta.dirname, "../fixtures/recorded");

/** Says what is kept in the working directory, and ends as it says there. */
const REPLAY = "cat guard.txt >&3 2>/dev/null; cat stderr.txt >&2 2>/dev/null; cat stdout.txt 2>/dev/null; . ./end.sh";

/** What a run says, and its end as the shell does it. By its name it is what a real run of Gemini CLI 0.61.0 did. */
type Said = string | Words;

interface Words {
  stdout?: string;
  stderr?: string;
  end: string;
}

const said = (exit: number, stderr: string): Said => ({ stderr, end: `exit ${exit}\n` });

const events = (...lines: object[]): Words => ({
  stdout: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  end: "exit 0\n",
});

const says = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
const result = (status: string) => ({ type: "result", status, stats: { models: {} } });

const dies = (exit: number, message: string, stderr: string): Said => ({
  ...events({ type: "result", status: "error", error: { type: "unknown", message }, stats: { models: {} } }),
  stderr,
  end: `exit ${exit}\n`,
});

const LONG = `PERMISSION_DENIED ${"to this project ".repeat(40)}. Switch it on: https://example.com/on`;

/** Runs the CLI's part once more, in this folder for runs. */
async function replay(what: Said, folder: string) {
  const from = typeof what === "string" ? path.join(RECORDED, what) : folder;
  if (typeof what !== "string") {
    const { stdout = "", stderr = "", end } = what;
    const files = { "stdout.txt": stdout, "stderr.txt": stderr, "end.sh": end };
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(folder, name), text)));
  }
  const runner = createGeminiRunner({ command: SHELL_CLI, cwd: folder, retries: 0, killAfterMs: 50 });
  return resultOf(runner.run({ prompt: `cd '${from.replaceAll("'", "'\\''")}'; ${REPLAY}` }));
}

describe.concurrent("what the CLI has been seen to do", () => {
  test.for<[string, Said, object]>([
    [
      "no way to sign in",
      "no-auth",
      {
        code: "AUTH_REQUIRED",
        exitCode: 41,
        message: "Gemini CLI is not signed in",
        nextStep: expect.stringMatching(/^Ways to sign in that work: an API key/),
        stderr: "",
      },
    ],
    [
      "an individual's login",
      "google-login-ineligible",
      {
        code: "AUTH_REQUIRED",
        message: expect.stringContaining("2026-06-18"),
        nextStep: expect.stringMatching(/GEMINI_API_KEY.*Vertex AI.*Enterprise/),
      },
    ],
    [
      "a bad key",
      "key-invalid",
      {
        code: "AUTH_REQUIRED",
        retryable: false,
        exitCode: 144,
        reason: "key-refused",
        message: expect.stringMatching(
          /^The API refused the key.*: API key not valid\. Please pass a valid API key\.$/,
        ),
        nextStep: expect.stringContaining("https://aistudio.google.com/apikey"),
        stderr: "",
      },
    ],
    ["400", "http-400", { code: "EXECUTION_ERROR", reason: "input", retryable: false, exitCode: 144 }],
    ["401", "http-401", { code: "AUTH_REQUIRED", exitCode: 145 }],
    [
      "403",
      "http-403",
      {
        code: "AUTH_REQUIRED",
        exitCode: 147,
        message: expect.stringMatching(/^Gemini CLI is not signed in: [A-Z][^[{]*$/),
        stderr: "",
      },
    ],
    [
      "500",
      "http-500",
      {
        code: "EXECUTION_ERROR",
        reason: "server",
        retryable: true,
        message: expect.stringMatching(/^The API failed: An internal error has occurred[^[{]*$/),
      },
    ],
    ["503", "http-503", { code: "EXECUTION_ERROR", reason: "server", retryable: true }],
    ["no such model", "model-not-found", { code: "MODEL_NOT_FOUND" }],
    [
      "a day's quota, without what is typed into the CLI's own terminal",
      "quota-daily",
      {
        code: "QUOTA_EXCEEDED",
        scope: "day",
        model: "gemini-2.5-flash",
        retryable: false,
        stderr: "",
        message: expect.stringMatching(
          /^The daily quota of gemini-2\.5-flash is used up: You have exhausted [^/]* AI Studio\.$/,
        ),
      },
    ],
    [
      "a minute's quota",
      "quota-minute",
      {
        code: "QUOTA_EXCEEDED",
        scope: "minute",
        retryAfterMs: 3_000,
        message: expect.stringMatching(
          /^The quota of gemini-2\.5-flash for this minute is used up: You exceeded your current quota[^[{]*$/,
        ),
      },
    ],
    [
      "a minute's quota, for longer than the CLI waits",
      "quota-minute-17s",
      { code: "QUOTA_EXCEEDED", scope: "minute", retryAfterMs: 17_000, retryable: true },
    ],
    [
      "a minute's quota on a search, after one more try",
      "search-quota-minute",
      { code: "QUOTA_EXCEEDED", scope: "minute", retryable: true },
    ],
    ["a quota of neither", "quota-bare", { code: "QUOTA_EXCEEDED", scope: "minute", retryable: true }],
    ["too many turns", "max-turns", { code: "EXECUTION_ERROR", reason: "turns", exitCode: 53 }],
    ["an empty answer", "empty-answer", { code: "EXECUTION_ERROR", reason: "empty", exitCode: 0 }],
    ["thoughts alone", "thinking-only", { code: "EXECUTION_ERROR", reason: "thinking-only", exitCode: 0 }],
    [
      "an empty answer after a tool, although the CLI says all is well",
      "empty-after-search",
      { code: "EXECUTION_ERROR", reason: "empty", retryable: true },
    ],
    [
      "an answer that was cut off, although the CLI says all is well",
      "cut-off",
      { code: "EXECUTION_ERROR", reason: "truncated", text: "half an answ" },
    ],
    ["a reset connection", "reset", { code: "EXECUTION_ERROR", reason: "network", retryable: true }],
    ["a refused connection", "refused", { code: "EXECUTION_ERROR", reason: "network", retryable: true }],
    ["a page in place of the API", "page", { code: "EXECUTION_ERROR", reason: "network" }],
    ["a stream that was cut", "cut-stream", { code: "EXECUTION_ERROR", reason: "network" }],
    ["a blocked answer", "safety", { code: "EXECUTION_ERROR", reason: "blocked", exitCode: 0 }],
    ["a recitation", "recitation", { code: "EXECUTION_ERROR", reason: "blocked", exitCode: 0 }],
    [
      "an error with what the CLI dumps of it",
      said(
        1,
        "[STARTUP] Phase 'cleanup_ops' was started\nTypeError: no luck\n    at x (file:///x.js:1:1) {\n  [cause]: SocketError: closed {\n    localPort: 7,\n  }\n}\nGave up. Full report available at: /x/tmp/gemini-client-error-1.json\n",
      ),
      { reason: "crash", stderr: "TypeError: no luck\nGave up.", message: expect.not.stringContaining("/x/") },
    ],
    [
      "nothing but what is on stderr",
      dies(1, "[API Error: ]", "AggregateError: connect ECONNREFUSED 127.0.0.1:1\nThe proxy is off.\n"),
      {
        reason: "network",
        message: expect.stringMatching(/ECONNREFUSED 127\.0\.0\.1:1 The proxy is off\.$/),
        stderr: expect.stringContaining("The proxy is off."),
      },
    ],
    [
      "more than can be quoted",
      dies(147, LONG, `Error when talking to Gemini API: ${LONG}\n`),
      { code: "AUTH_REQUIRED", stderr: expect.stringContaining("https://example.com/on") },
    ],
    [
      "a word that ends many lines",
      dies(1, "terminated", "The proxy at 10.0.0.1 said: terminated\n"),
      { reason: "network", stderr: "The proxy at 10.0.0.1 said: terminated" },
    ],
    ["an untrusted folder", "untrusted", { code: "EXECUTION_ERROR", reason: "untrusted" }],
    ["a base URL without a type", said(41, "Invalid auth method selected.\n"), { code: "AUTH_REQUIRED", stderr: "" }],
    [
      "no cached login",
      said(
        41,
        "FatalAuthenticationError: Manual authorization is required but the current session is non-interactive.\n",
      ),
      { code: "AUTH_REQUIRED" },
    ],
    ["broken settings", said(52, "Error in /x/settings.json: Unexpected token\n"), { reason: "settings" }],
    ["a refused input", said(42, "No input provided via stdin.\n"), { reason: "input" }],
    [
      "400 for its length",
      said(144, "The input token count (1048600) exceeds the maximum number of tokens allowed (1048576).\n"),
      { reason: "too-long" },
    ],
    ["no network", said(1, "[API Error: exception TypeError: fetch failed sending request]\n"), { reason: "network" }],
    [
      "Vertex AI without credentials",
      said(
        1,
        "(node:7) MetadataLookupWarning: received unexpected error = All promises were rejected\n(Use `node --trace-warnings ...` to show where the warning was created)\n[API Error: exception Error: Could not load the default credentials. Browse to https://x for more.]\n",
      ),
      {
        code: "AUTH_REQUIRED",
        reason: "no-credentials",
        message: expect.not.stringMatching(/\(node:|--trace/),
        stderr: expect.not.stringMatching(/\(node:|--trace/),
        nextStep: expect.stringContaining("application-default login"),
      },
    ],
    ["a cut connection", said(1, "[API Error: terminated]\n"), { reason: "network", retryable: true }],
    ["an old Node", said(1, "SyntaxError: Invalid regular expression flags\n"), { reason: "crash", exitCode: 1 }],
    ["an unknown flag", said(1, "Unknown argument: admin-policy\nUsage: gemini [options]\n"), { reason: "crash" }],
    [
      "a loop",
      events(
        says("a a"),
        { type: "error", severity: "warning", message: "Loop detected, stopping execution" },
        result("success"),
      ),
      { reason: "loop" },
    ],
    [
      "too long a last turn",
      events(
        {
          type: "error",
          severity: "error",
          message: "Model response was truncated because it exceeded the token limit.",
        },
        result("error"),
      ),
      { reason: "truncated" },
    ],
    [
      "a failure after one that was overcome",
      {
        ...events(
          { type: "error", message: "The model response was blocked due to safety settings." },
          result("error"),
        ),
        stderr: "Attempt 1 failed: RESOURCE_EXHAUSTED. Retrying after 10ms...\n",
      },
      { reason: "blocked" },
    ],
    [
      "an end by a signal",
      { ...events(says("half")), stderr: "core dumped\n", end: "kill -SEGV $$\n" },
      { reason: "crash", message: expect.stringContaining("SIGSEGV") },
    ],
  ])("%s", async ([, what, expected], { temporaryFolder }) => {
    const error = await replay(what, await temporaryFolder("runs")).then(
      ({ text }) => expect.fail(`No failure, but ${text}`),
      (thrown: RunnerError) => thrown,
    );
    expect(error).toMatchObject(expected);
    expect(error.message).not.toMatch(/it said nothing/);
    // Neither stacks and dumps nor files of the run, which are gone by now.
    expect(error.stderr ?? "").not.toMatch(/\[STARTUP\]|^\s|gemini-run-/m);
  });

  test("a good run", async ({ temporaryFolder }) => {
    const result = await replay("research-ok", await temporaryFolder("runs"));
    expect(result).toMatchObject({
      text: expect.stringMatching(/^Here is the result\.\n\n```json/),
      models: [
        { model: "gemini-3.5-flash-lite", totalTokens: 829 },
        { model: "gemini-3.8-flash", inputTokens: 19756, outputTokens: 67, totalTokens: 19823 },
        { model: "gemini-3-flash-preview" },
      ],
    });
  });

  test("a search that failed in a good run", async ({ temporaryFolder }) => {
    const result = await replay("search-fails-400", await temporaryFolder("runs"));
    expect(result).toMatchObject({
      text: expect.stringContaining("Emulated research answer"),
      model: "gemini-2.5-flash",
    });
  });
});

describe("the CLI's record of a run", () => {
  const known = {
    unread: new Map<string, undefined>(),
    grounds: new Set(["https://a.example/x_(y)", "https://b.example/"]),
  };

  test("as lines, since 0.40", () => {
    expect(parseRecord(readFileSync(path.join(RECORDED, "session-file.jsonl"), "utf8"), known)).toEqual({
      queries: [],
      sources: [],
      failures: [
        {
          tool: "google_web_search",
          query: "will fail #scn=search-fails",
          message: expect.stringContaining("emulated search failure"),
        },
      ],
      models: ["gemini-2.5-flash", "gemini-2.5-flash"],
    });
  });

  test("as one object, before", () => {
    const call = (name: string, args: object, response: object) => ({
      name,
      args,
      status: "success",
      result: [{ functionResponse: { response } }],
    });
    const list =
      'Web search results for "a":\n\nSources:\n[1] fake (https://b.example/)\nThe tides.[1][2]\n\nSources:\n[1] A (b) c (https://a.example/x_(y))\n[2] Untitled (https://b.example/)\n[3] fake (https://x.example/)';
    const record = {
      sessionId: "x",
      messages: [
        { id: "1", type: "user", content: "hello" },
        {
          id: "2",
          type: "gemini",
          model: "m",
          toolCalls: [
            call("google_web_search", { query: "a" }, { output: list }),
            call(
              "web_fetch",
              { prompt: "Read https://b.example/, and (http://c.example/p?q=1)." },
              { output: "text\n\nSources:\n[1] fake (https://b.example/fake)" },
            ),
          ],
        },
      ],
    };
    expect(parseRecord(JSON.stringify(record, null, 2), known)).toEqual({
      queries: ["a"],
      sources: [
        { url: "https://a.example/x_(y)", title: "A (b) c", status: "found" },
        { url: "https://b.example/", status: "retrieved" },
        { url: "http://c.example/p?q=1", status: "retrieved" },
      ],
      failures: [],
      models: ["m"],
    });
  });

  test("cut off in the middle of a line", () => {
    const text = readFileSync(path.join(RECORDED, "session-file.jsonl"), "utf8");
    expect(parseRecord(text.slice(0, -300), known).models).toEqual(["gemini-2.5-flash"]);
  });
});
