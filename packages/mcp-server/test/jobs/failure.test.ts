import { RunnerError, type RunnerErrorOptions } from "@x/gemini-runner";
import { ResearchError } from "@x/research";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/host/config.js";
import { isFailure, nextStepOf, toFailure } from "../../src/jobs/failure.js";
import { rowOf } from "../../src/jobs/troubleshooting.js";
import { outgoingText } from "../../src/report/outgoing.js";

const REASONS = [
  ["timeout", /GEMINI_SEARCH_TIMEOUT/],
  ["network", /HTTPS_PROXY/],
  ["server", /Ask again in a minute/],
  ["spawn", /GEMINI_CLI_PATH/],
  ["crash", /doctor.*another one may have the name.*update it/],
  ["empty", /GEMINI_MODEL/],
  ["blocked", /other words/],
  ["truncated", /narrower/],
  ["untrusted", /doctor/],
] as const;

test.each(REASONS)("a run that ended as %s says what to do next", (reason, step) => {
  const run = new RunnerError("EXECUTION_ERROR", "It ended", { reason } satisfies RunnerErrorOptions);
  const failure = toFailure(new ResearchError("EXECUTION_ERROR", "It ended", { details: "last words", cause: run }));
  expect(failure).toMatchObject({ code: "EXECUTION_ERROR", message: "It ended", reason });
  expect(isFailure(failure)).toBe(true);
  expect(outgoingText(failure.details ?? ""), "no host reads it as markup").toBe(failure.details);
  expect(failure.details).toMatch(/^last words\n/);
  expect(failure.details).toMatch(step);
});

test.each([
  ["key-refused", /^Make a new key: https:\S+, and put it as GEMINI_API_KEY=YOUR_KEY into ~\/\.gemini\/\.env\./],
  [
    "no-credentials",
    /^Run `gcloud auth application-default login`.*put GEMINI_API_KEY=YOUR_KEY into ~\/\.gemini\/\.env and unset GOOGLE_GENAI_USE_VERTEXAI\. `[^`]* auth` says/,
  ],
] as const)("a sign-in that fails as %s says what to do about that, also below a research", (reason, step) => {
  const run = new RunnerError("AUTH_REQUIRED", "Refused", { reason });
  expect(toFailure(new ResearchError("AUTH_REQUIRED", "Refused", { cause: run })).details).toMatch(step);
});

test.each([
  [
    { keyVariable: "GEMINI_API_KEY" },
    /^Correct GEMINI_API_KEY where the environment of this server is set.*a key in ~\/\.gemini\/\.env then counts, if there is one.*aistudio/,
  ],
  [
    { keyVariable: "GEMINI_API_KEY", keyFile: "~/.gemini/.env" },
    /^Correct GEMINI_API_KEY in ~\/\.gemini\/\.env, or put a new key there: https:\/\/aistudio/,
  ],
  [{ keyVariable: "GOOGLE_API_KEY", keyFile: "~/.env" }, /^Correct GOOGLE_API_KEY in ~\/\.env.*Vertex AI/],
] as const)("a key that is refused is to be corrected in its own place: %j", (key, step) => {
  const run = new RunnerError("AUTH_REQUIRED", "Refused", { reason: "key-refused", ...key });
  const { details = "" } = toFailure(new ResearchError("AUTH_REQUIRED", "Refused", { cause: run }));
  expect(details).toMatch(step);
  if ("keyFile" in key) expect(details).not.toContain("environment");
});

test("what to do is said once, in the words of this server's settings", () => {
  const nextStep = "Install it with: npm install -g @google/gemini-cli";
  const missing = new RunnerError("CLI_NOT_FOUND", "Gemini CLI at /x was not found", { nextStep });
  const older = new ResearchError("CLI_NOT_FOUND", "Not installed", {
    details: missing.message,
    nextStep,
    cause: missing,
  });
  for (const error of [missing, older]) {
    const { message, details = "" } = toFailure(error);
    expect(`${message} ${details}`.match(/npm install/g)).toHaveLength(1);
    expect(details).toContain("GEMINI_CLI_PATH");
  }
  const signIn = new RunnerError("AUTH_REQUIRED", "Not signed in", { nextStep: "Sign in." });
  const deep = new ResearchError("EXECUTION_ERROR", "Not signed in", { nextStep: "Sign in.", cause: signIn });
  expect(toFailure(deep).details).toMatch(/^Make a key at https:\/\/aistudio\.google\.com\/apikey and put/);
  expect(toFailure(older).details).toMatch(/^Gemini CLI at \/x was not found\n/);
  const other = new RunnerError("EXECUTION_ERROR", "It ended", { nextStep: "Turn it." });
  expect(toFailure(other).details).toBe("Turn it.");
});

test("a code that the older tool does not have keeps its next step", () => {
  const quota = new RunnerError("QUOTA_EXCEEDED", "Used up", { scope: "day" });
  const failure = toFailure(new ResearchError("EXECUTION_ERROR", "Used up", { cause: quota }));
  expect(failure).toMatchObject({ code: "EXECUTION_ERROR", details: expect.stringContaining("renewed at midnight") });
});

test.each(["ENOSPC", "EROFS", "EACCES", "ENOENT", "EEXIST"])(
  "an error of the config directory (%s) names the setting",
  (code) => {
    const cause = Object.assign(new Error(`${code}: mkdir`), { code, syscall: "mkdir" });
    expect(toFailure(new ResearchError("EXECUTION_ERROR", cause.message, { cause })).details).toContain(
      "GEMINI_SEARCH_CONFIG_DIR",
    );
  },
);

test.each(["CLI_NOT_FOUND", "AUTH_REQUIRED", "QUOTA_EXCEEDED", "MODEL_NOT_FOUND", "CANCELLED"])(
  "what to do about %s is no markup",
  (code) => {
    const step = nextStepOf(code) ?? "";
    expect(step).not.toBe("");
    expect(outgoingText(step)).toBe(step);
  },
);

test("a disk that is full is no matter of rights", () => {
  const cause = Object.assign(new Error("ENOSPC: write"), { code: "ENOSPC", syscall: "write" });
  const run = new RunnerError("EXECUTION_ERROR", "Nothing can be written", { reason: "workspace", cause });
  expect(toFailure(run)).toMatchObject({ reason: "workspace", details: expect.stringContaining("The disk is full") });
});

const HOST = { platform: "linux", homeDir: "/home/ada", cwd: "/", pid: 1 } as const;
const FILE = "/home/ada/.config/gemini-research/config.json";

test.each([
  ["timeoutMs", "900", "timeout", /^Raise timeoutMs in /],
  ["model", "pro", "empty", /set model in .* to another model/],
  ["cliPath", "/x/gemini", "spawn", /set cliPath in .* to the Gemini CLI/],
] as const)("a step names %s where the config file says it", (key, value, reason, step) => {
  const file = { path: FILE, entries: new Map([[key, { text: value, line: 1 }]]), problems: [] };
  const error = new RunnerError("EXECUTION_ERROR", "It ended", { reason });
  const { origins } = parseConfig({}, HOST, file).config;
  const { details } = toFailure(error, origins);
  expect(details).toMatch(step);
  expect(details).toContain(FILE);
  const variable = { timeoutMs: "GEMINI_SEARCH_TIMEOUT", model: "GEMINI_MODEL", cliPath: "GEMINI_CLI_PATH" }[key];
  expect(details).not.toContain(variable);
  expect(toFailure(error, parseConfig({ [variable]: value }, HOST, file).config.origins).details).toContain(variable);
});

test("a step names the older variable that is set", () => {
  const { origins } = parseConfig({ GEMINI_RESEARCH_TIMEOUT: "900" }, HOST).config;
  const error = new RunnerError("EXECUTION_ERROR", "It ended", { reason: "timeout" });
  expect(toFailure(error, origins).details).toMatch(/^Raise GEMINI_RESEARCH_TIMEOUT/);
});

test("a quota that is used up names what has chosen the model, how that is taken back, and the hour", () => {
  const error = new RunnerError("QUOTA_EXCEEDED", "Used up", { scope: "day" });
  const file = { path: FILE, entries: new Map([["model", { text: "pro", line: 1 }]]), problems: [] };
  const stepWith = (...given: Parameters<typeof parseConfig>) =>
    toFailure(error, parseConfig(...given).config.origins).details;
  expect(stepWith({}, HOST)).toMatch(/midnight Pacific time \(07:00 or 08:00 UTC\).*set GEMINI_MODEL/);
  expect(stepWith({}, HOST, file)).toMatch(
    /this one comes from model in \/home\/ada.*`npx -y @x\/mcp-server config unset model`/,
  );
  expect(stepWith({ GEMINI_MODEL: "pro" }, HOST, file)).toMatch(/this one comes from GEMINI_MODEL\..*or unset it/);
});

test("of a CLI that is too old the step is not to install what is there, but to choose it", () => {
  const newer = (newerCli: string) =>
    new RunnerError("EXECUTION_ERROR", "Too old", { reason: "unsupported-version", newerCli });
  const { details } = toFailure(newer("/opt/bin/gemini"));
  expect(details).toContain("`npx -y @x/mcp-server config set cliPath /opt/bin/gemini`");
  expect(details).not.toContain("npm install");
  expect(toFailure(newer("/My Tools/gemini")).details).toContain('cliPath "/My Tools/gemini"`');
  const { origins } = parseConfig({ GEMINI_CLI_PATH: "/old/gemini" }, HOST).config;
  expect(toFailure(newer("/opt/bin/gemini"), origins).details).toMatch(
    /^The path comes from GEMINI_CLI_PATH: .*unset it/,
  );
  const none = new RunnerError("EXECUTION_ERROR", "Too old", { reason: "unsupported-version" });
  expect(toFailure(none).details).toMatch(/npm install -g @google\/gemini-cli.*`npm prefix -g`/);
});

test("more about a failure stands in a row of one page", () => {
  const page = "https://github.com/OWNER/x-research/blob/main/docs/troubleshooting.md";
  expect(rowOf({ code: "EXECUTION_ERROR", reason: "timeout" })).toBe(`More: the row \`timeout\` of ${page}#reasons`);
  expect(rowOf({ code: "QUOTA_EXCEEDED" })).toBe(`More: the row \`QUOTA_EXCEEDED\` of ${page}#error-codes`);
  expect(["INVALID_INPUT", "EXECUTION_ERROR"].map((code) => rowOf({ code }))).toEqual([undefined, undefined]);
});
