import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { startModelServer } from "@x/gemini-runner/testing";
import { ownProcess } from "@x/owned-files";
import { createFileRunStore } from "@x/research/node";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { leapSeconds, QUESTION } from "../../../demo/leap-seconds.mjs";
import "../../../demo/offline-names.mjs";
import { startPages } from "../../../demo/pages.mjs";
import { main } from "../../../src/cli/main.js";
import { sampleReport } from "../../report/html/sample-report.js";
import {
  failingGemini,
  GEMINI,
  plainGemini,
  printing,
  processesOf,
  promptsOf,
  runsLeftIn,
  scriptGemini,
} from "../../support/place.js";
import { fakeIo } from "../fake-io.js";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "command-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** One command. What asks no question needs no CLI, and finds none. */
function terminal({ gemini = "/nowhere/gemini", env, ...rest }: TerminalOptions = {}) {
  return fakeIo({ home, ...rest, env: { GEMINI_CLI_PATH: gemini, ...env } });
}
type TerminalOptions = Partial<Parameters<typeof fakeIo>[0]> & { gemini?: string };

const IT_IS_SO = { success: true, verified: true, report: "It is so.", metadata: { sources_visited: [] } };

/** A program that just prints an answer, where the CLI is not what matters: each of its starts takes a second. */
const saying = (answer: object) => plainGemini({ home }, answer);

test("a deep search with the real CLI: options reach the model, progress as lines, the report as Markdown, both files", async () => {
  const model = await startModelServer({ scenario: leapSeconds(QUESTION, { thinkMs: 0 }) });
  onTestFinished(() => model.close());
  const pages = await startPages();
  onTestFinished(() => pages.close());
  const { io, out, err } = terminal({ gemini: GEMINI, env: { ...model.env, ...pages.env } });
  const options = ["--rounds", "3", "--model", "gemini-2.5-pro", "--language", "German"];
  expect(await main(["deep-search", QUESTION, ...options, "--out", "report.md", "--html", "page.html"], io)).toBe(0);
  const rounds = model.requests.filter(({ kind, turn }) => kind === "main" && turn === 0);
  expect(rounds.map((call) => [call.model, call.prompt.includes("German")])).toEqual(
    Array(3).fill(["gemini-2.5-pro", true]),
  );
  expect(out()).toContain("**Leap seconds are being retired");
  expect(out()).toContain("- **Disputed:** A negative leap second will be needed by 2029.");
  expect(await readFile(join(home, "report.md"), "utf8")).toBe(`# ${QUESTION}\n\n${out()}`);
  const page = await readFile(join(home, "page.html"), "utf8");
  expect(page).toMatch(/verified by the model in 3 rounds, 5 of 6 claims proven/);
  expect(page).toContain("<b>100 %</b>");
  expect(page).toMatch(/<span class="badge quoted"[^>]*>[^<]*<\/span><span class="url">rotation\.example\//);
  // The number that the first round got wrong is found in the page, and told to the second.
  expect(rounds[1]?.prompt).toMatch(
    /NOT PROVEN: \S+ does not say "[^"]*, and 22 have been[^"]*" but "[^"]*, and 27 have/,
  );
  expect(rounds[2]?.prompt).not.toContain("NOT PROVEN: http://time-faq.example");
  const lines = err()
    .split("\n")
    .map((line) => line.replace(/^\d+:\d\d {2}/, ""));
  expect(lines).toContain("round 2 of 3");
  expect(lines).toContain("searching  WRC-23 continuous UTC 2035 2040 existing equipment");
  expect(lines).toContain("reading  metrology.example/resolution-4");
  expect(lines.find((line) => line.startsWith("round 3 done"))).toMatch(
    /^round 3 done: verified · 2 searches · 2 reads · /,
  );
  expect(lines.filter((line) => line.startsWith("failed"))).toEqual([]);
});

test("a file that cannot be written after all: the report is kept, and how to get it is said", async () => {
  const folder = join(home, "reports");
  await mkdir(folder);
  const gemini = scriptGemini({ home }, `rmdir "${folder}"\n${printing({ home }, IT_IS_SO)}`);
  const { io, out, err } = terminal({ gemini });
  expect(await main(["search", "Is it so?", "--out", "reports/report.md"], io)).toBe(1);
  expect(out()).toContain("It is so.");
  const [, id = ""] = /The report is kept: `x-research resume (\S+) --out FILE`/.exec(err()) ?? [];
  const again = terminal();
  expect(await main(["resume", id, "--out", "report.md"], again.io)).toBe(0);
  expect(await readFile(join(home, "report.md"), "utf8")).toContain("It is so.");
});

test("files that are there stay as they are until the report is", async () => {
  await writeFile(join(home, "report.md"), "Older.");
  const { io } = terminal();
  expect(await main(["search", "Is it so?", "--out", "report.md", "--html", "page.html", "--quiet"], io)).toBe(3);
  expect(await readFile(join(home, "report.md"), "utf8")).toBe("Older.");
  expect(await readdir(home)).not.toContain("page.html");
});

test("in a terminal of 0 × 0 cells: plain lines", async () => {
  const { io, err } = terminal({ gemini: saying(IT_IS_SO), tty: ["stdout", "stderr"] });
  Object.assign(io.stderr, { columns: 0, rows: 0 });
  expect(await main(["deep-search", "Is it so?"], io)).toBe(0);
  expect(err()).toMatch(/^\d+:\d\d {2}round 1 of 5$/m);
  expect(err()).not.toContain("\u001b[2K");
});

test("in a terminal: a view that is redrawn, then the report with its sources", async () => {
  const { io, out, err } = terminal({ gemini: saying(IT_IS_SO), tty: ["stdout", "stderr"] });
  expect(await main(["deep-search", "Is it so?"], io)).toBe(0);
  expect(err()).toMatch(/Round 1 of 5/);
  // What stays once the view is gone: the finished round alone.
  const left = stripVTControlCharacters(err().slice(err().lastIndexOf("\u001b[2K")));
  expect(left).toMatch(/^✓ Round 1 {2}verified · [\dms ]+\n\n$/);
  expect(out()).toMatch(/^It is so\./);
});

test("--json prints what the tool answers, and nothing else on stdout", async () => {
  const { io, out, err } = terminal({ gemini: saying(IT_IS_SO), stdin: "Is it\nso?\n" });
  expect(await main(["search", "-", "--json", "--quiet"], io)).toBe(0);
  expect(JSON.parse(out())).toMatchObject({
    success: true,
    status: "completed",
    job_id: expect.stringMatching(/^search-/),
    result: "It is so.",
    metadata: { query: "Is it\nso?" },
  });
  expect(err()).toBe("");
});

test.each([
  ["--html", /^<!doctype html>[\s\S]*It is so\.[\s\S]*<\/html>\n$/],
  ["--out", /^# Is it so\?\n\nIt is so\.\n/],
])("%s - prints it in the place of the report", async (option, printed) => {
  const { io, out } = terminal({ gemini: saying(IT_IS_SO) });
  expect(await main(["search", "Is it so?", option, "-", "--quiet"], io)).toBe(0);
  expect(out()).toMatch(printed);
  expect(await readdir(home)).not.toContain("-");
});

test("options reach the CLI and its prompt", async () => {
  const gemini = scriptGemini({ home }, `printf '%s ' "$@" > "${join(home, "args")}"\n${printing({ home }, IT_IS_SO)}`);
  const { io } = terminal({ gemini });
  const args = ["--model", "gemini-2.5-pro", "--allow", "who.int,nih.gov", "--block", "x.example", "--recency", "year"];
  expect(await main(["search", "Is", "it", "so?", ...args, "--language", "German", "--json"], io)).toBe(0);
  expect(await readFile(join(home, "args"), "utf8")).toContain(" --model gemini-2.5-pro ");
  const [prompt] = promptsOf({ home });
  for (const part of ["Is it so?", "German", "who.int", "nih.gov", "x.example"]) expect(prompt).toContain(part);
});

/** What Gemini CLI 0.61.0 says of an unknown model, without the stack. */
const MODEL_NOT_FOUND =
  "Error when talking to Gemini API ModelNotFoundError: models/gemini-2.5-flash is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.";

describe("exit codes", () => {
  const failing = (exitCode: number, stderr: string) => ({
    gemini: failingGemini({ home }, exitCode, stderr),
  });
  test.each<[string, number, string, () => TerminalOptions]>([
    ["no CLI", 3, "CLI_NOT_FOUND", () => ({})],
    ["no sign-in", 4, "AUTH_REQUIRED", () => failing(41, "Please set an Auth method in your settings.json")],
    ["the quota of the day", 5, "QUOTA_EXCEEDED", () => failing(173, "TerminalQuotaError: your daily quota")],
    ["an unknown model", 6, "MODEL_NOT_FOUND", () => failing(1, MODEL_NOT_FOUND)],
    [
      "a model that reports failure",
      1,
      "EXECUTION_ERROR",
      () => ({ gemini: saying({ success: false, report: "No." }) }),
    ],
  ])("%s: %i", async (_what, code, name, options) => {
    const shown = terminal(options());
    expect(await main(["search", "Is it so?", "--quiet"], shown.io)).toBe(code);
    expect(shown.out()).toBe("");
    expect(shown.err()).toMatch(new RegExp(`^✗ [\\s\\S]*\\(${name}\\)`));
  });

  test.each([
    [["--model", "gemini-9"], /Give --model a model that your account can use, or leave it out/],
    [["--fallback-model", "gemini-2.5-flash"], /Give --fallback-model a model .* or leave\s+gemini-2\.5-flash out/],
    [[], /Set GEMINI_MODEL \(for corrections/],
  ])("an unknown model with %j: the advice names what was used", async (args, advice) => {
    const { io, err } = terminal(failing(1, MODEL_NOT_FOUND));
    expect(await main(["search", "Is it so?", "--quiet", ...args], io)).toBe(6);
    expect(err()).toMatch(advice);
    expect(err().match(/GEMINI_MODEL|--model|--fallback-model/g)).toHaveLength(args.length > 0 ? 1 : 1);
  });

  test("an answer of another shape is told in plain words", async () => {
    const { io, err } = terminal({ gemini: saying({ success: "perhaps", report: 5 }), env: { JSON_MAX_RETRIES: "1" } });
    expect(await main(["search", "Is it so?", "--quiet"], io)).toBe(1);
    expect(err()).toContain("success: it must be true or false");
    expect(err()).not.toMatch(/Invalid input|expected boolean/);
  });

  test("no answer in the time that was given: what to change is said", async () => {
    const { io, err } = terminal({ gemini: scriptGemini({ home }, "exec sleep 1000") });
    expect(await main(["search", "Is it so?", "--max-time", "1s", "--quiet"], io)).toBe(1);
    const words = err().replaceAll(/\s+/g, " ");
    expect(words).toContain("There is no answer within the budget: the time of 1 s is used up.");
    expect(words).toContain("Ask again with more than --max-time 1s, or without it.");
  });

  test("a failed research is run again by resume", async () => {
    const first = terminal(failing(41, "Please set an Auth method in your settings.json"));
    expect(await main(["search", "Is it so?", "--quiet"], first.io)).toBe(4);
    const list = terminal();
    await main(["list", "--ids"], list.io);
    const again = terminal({ gemini: saying(IT_IS_SO) });
    expect(await main(["resume", list.out().trim(), "--quiet"], again.io)).toBe(0);
    expect(again.out()).toContain("It is so.");
  });

  test("with --json the failure is on stdout, as the tools answer it", async () => {
    const { io, out, err } = terminal();
    expect(await main(["search", "Is it so?", "--json"], io)).toBe(3);
    expect(JSON.parse(out())).toEqual({
      success: false,
      error: {
        code: "CLI_NOT_FOUND",
        message: expect.stringContaining("/nowhere/gemini"),
        details: expect.stringContaining("npm install -g @google/gemini-cli"),
      },
    });
    expect(err()).toBe("");
  });

  test.each([
    ["an unknown command", ["serch", "x"], /There is no command "serch"\.\n {2}Did you mean `x-research search`\?/],
    ["an unknown option", ["search", "x", "--jsn"], /There is no option --jsn here\.\n {2}Did you mean --json\?/],
    ["no question", ["search"], /The question is missing\.\n {2}x-research search \[options\] <question\.\.\.>\n/],
    ["an empty question", ["search", " "], /The query is empty/],
    ["rounds that are no number", ["deep-search", "x", "--rounds", "many"], /whole number/],
    ["fewer rounds than there are", ["deep-search", "x", "--rounds", "1"], /whole number from 2 to 20/],
    ["more rounds than help", ["deep-search", "x", "--rounds", "21"], /whole number from 2 to 20/],
    [
      "an option of another command",
      ["search", "x", "--rounds", "3"],
      /no option --rounds here\.\n {2}It is an option of `deep-search`, `ask`, `again`, `refresh`\.\n/,
    ],
    ["a question without a command", ["Is it so?"], /To ask a question: `x-research search "…"`/],
    ["another word for a command", ["research", "x"], /Did you mean `x-research deep-search`\?/],
    ["a word for what needs none", ["serve"], /Without a command `x-research` serves MCP/],
    ["a time without its unit", ["search", "x", "--max-time", "10"], /10 of what\? Write 90s, 10m/],
    ["two things on stdout", ["search", "x", "--out", "-", "--html", "-"], /Only one of --json, --out - and --html -/],
    ["a domain that is none", ["search", "x", "--allow", "who"], /Not a domain: "who"/],
    ["no time at all", ["search", "x", "--max-time", "0s"], /A time of 1s or more is expected/],
    ["a time that is none", ["search", "x", "--max-time", "soon"], /90s, 10m or 1h30m/],
    [
      "a folder that is not there",
      ["search", "x", "--html", "no/such/page.html"],
      /--html no\/such\/page\.html: it cannot be written: its\s+folder does not exist/,
    ],
    ["a folder for a file", ["search", "x", "--out", "."], /--out \.: it cannot be written: this is a folder/],
    ["a file that nobody can make", ["search", "x", "--out", "/proc/report.md"], /--out \/proc\/report\.md: it cannot/],
    ["an option for a model", ["search", "x", "--model", "--json"], /Not a model: "--json"/],
    ["an unknown research", ["resume", "deep-search-0000000000"], /There is no research/],
  ])("%s: 2", async (_what, argv, message) => {
    const { io, out, err } = terminal();
    expect(await main(argv, io)).toBe(2);
    expect(err()).toMatch(message);
    expect(out()).toBe("");
    const shown = terminal();
    await main(["list", "--ids"], shown.io);
    expect(shown.out()).toBe("");
  });

  test("a report that is not verified, where that is required: 7", async () => {
    const doubtful = { success: true, verified: false, report: "Perhaps.", metadata: {} };
    const { io, out } = terminal({ gemini: saying(doubtful) });
    expect(await main(["deep-search", "Is it so?", "--rounds", "2", "--require-verified", "--quiet"], io)).toBe(7);
    expect(out()).toContain("Perhaps.");
  });
});

test("Ctrl-C stops everything and keeps the finished rounds; resume goes on after them", async () => {
  const draft = printing({ home }, { success: true, verified: false, report: "Draft.", metadata: {} });
  const checked = printing({ home }, { success: true, verified: true, report: "Checked.", metadata: {} });
  const inRounds = (second: string) =>
    scriptGemini({ home }, `if grep -q "round 2 of" "$prompt"; then ${second}; else ${draft}; fi`);
  const asked = () => promptsOf({ home }).filter((prompt) => prompt.includes("Does it stop?"));
  const first = terminal({ gemini: inRounds("exec sleep 1000") });
  const ended = main(["deep-search", "Does it stop?"], first.io);
  await expect.poll(asked).toEqual([expect.stringContaining("first round"), expect.stringContaining("round 2 of")]);
  first.interrupt();
  expect(await ended).toBe(130);
  // At once: a runner that is closed waits until nothing of its runs lives.
  expect(processesOf(home)).toEqual([]);
  expect(first.out()).toBe("");
  const [, id = ""] = /Go on with: x-research resume (\S+)/.exec(first.err()) ?? [];

  const shown = terminal();
  expect(await main(["list"], shown.io)).toBe(0);
  expect(shown.out()).toContain(`${id}  `);
  expect(shown.out()).toContain("  ■ interrupted  Does it stop?\n");

  const second = terminal({ gemini: inRounds(checked) });
  expect(await main(["resume", id], second.io)).toBe(0);
  expect(second.out()).toContain("Checked.");
  expect(asked().slice(2)).toEqual([expect.stringContaining("round 2 of")]);

  // A finished one is shown again, from what is kept.
  const third = terminal();
  expect(await main(["resume", id, "--json"], third.io)).toBe(0);
  expect(JSON.parse(third.out())).toMatchObject({ verified: true, metadata: { iterations: 2 } });
  expect(asked()).toHaveLength(3);
  expect(runsLeftIn(join(home, ".config", "gemini-research"))).toEqual([]);
});

test("a research of another process is waited for, and its report shown", async () => {
  const id = "deep-search-0123456789";
  const store = createFileRunStore({ directory: join(home, ".config", "gemini-research", "jobs") });
  const at = new Date().toISOString();
  const record = {
    id,
    tool: "deep_search",
    request: { query: "Is it so?" },
    state: "running",
    pid: process.ppid,
    place: ownProcess().place,
    createdAt: at,
    updatedAt: at,
    activity: { now: "searching", round: 2, rounds: 5, roundsDone: 1, queries: [], pages: [], pagesDone: 0 },
  };
  await store.save(id, record);
  const { io, out, err } = terminal();
  const ended = main(["resume", id], io);
  await expect.poll(err, { timeout: 10_000 }).toContain("round 2/5 · searching\n");
  await store.save(id, { ...record, state: "completed", report: sampleReport });
  expect(await ended).toBe(0);
  expect(out()).toContain("Leap seconds are being retired");
});

test("a report of the older tool, kept by a client's server, is shown too", async () => {
  const id = "deep-research-0123456789";
  const at = new Date().toISOString();
  await createFileRunStore({ directory: join(home, ".config", "gemini-research", "jobs") }).save(id, {
    id,
    tool: "deep_research",
    request: { topic: "Leap seconds" },
    state: "completed",
    pid: 1,
    place: "",
    createdAt: at,
    updatedAt: at,
    activity: { now: "", round: 1, rounds: 1, roundsDone: 0, queries: [], pages: [], pagesDone: 0 },
    report: {
      success: true,
      report: "They are being retired [1].\n\n1. https://a.example/",
      metadata: { duration_ms: 5, topic: "Leap seconds", depth: "concise", model: "m", timestamp: at },
    },
  });
  const { io, out } = terminal({ tty: ["stdout"] });
  expect(await main(["resume", id, "--html", "page.html", "--quiet"], io)).toBe(0);
  expect(stripVTControlCharacters(out())).toMatch(
    /^They are being retired \[1\]\.\n\nSources\n\[1\] https:\/\/a\.example\/\n/,
  );
  expect(await readFile(join(home, "page.html"), "utf8")).toContain("Leap seconds</h1>");
});

test("what is piped beside a question reaches the model, below the question", async () => {
  const { io } = terminal({ gemini: saying(IT_IS_SO), stdin: "Our note says 42.\n" });
  expect(await main(["search", "Is the note right?"], io)).toBe(0);
  const [prompt = ""] = promptsOf({ home });
  expect(prompt).toMatch(/Is the note right\?\n\nBeside the question .*\n\nOur note says 42\./);
});

test("--notify rings in a terminal and tells the desktop; --verbose shows what is logged", async () => {
  const told = join(home, "told");
  await mkdir(join(home, "bin"));
  await writeFile(join(home, "bin/notify-send"), `#!/bin/sh\nprintf '%s|' "$@" > "${told}"\n`, { mode: 0o755 });
  const { PATH = "" } = process.env;
  const env = { PATH: `${join(home, "bin")}:${PATH}` };
  const { io, err } = terminal({ gemini: saying(IT_IS_SO), env, tty: ["stderr"] });
  expect(await main(["search", "Is it $(so)?", "--notify", "--verbose"], io)).toBe(0);
  expect(err()).toContain("\u0007\u001b]9;Research done: Is it $(so)?\u001b\\");
  expect(err()).toContain("[DEBUG] ");
  await expect
    .poll(() => readFile(told, "utf8").catch(() => ""))
    .toBe("--app-name=x-research|--|Research done|Is it $(so)?|");
});

test("again: the same question with what is given now in the place of what was given then", async () => {
  const gemini = saying(IT_IS_SO);
  const ask = (...argv: string[]) => main(argv, terminal({ gemini }).io);
  expect(await ask("deep-search", "Is it so?", "--rounds", "3", "--recency", "week", "--allow", "a.example")).toBe(0);
  expect(await ask("again", "--last", "--recency", "month", "--language", "German")).toBe(0);
  const { io, out } = terminal();
  await main(["list", "--json"], io);
  const [second, first] = JSON.parse(out()) as { job_id: string; query: string }[];
  expect(second?.query).toBe("Is it so?");
  expect(second?.job_id).not.toBe(first?.job_id);
  const kept = async (id = "") =>
    JSON.parse(await readFile(join(home, ".config/gemini-research/jobs", `${id}.json`), "utf8")).request;
  expect(await kept(first?.job_id)).toEqual({
    query: "Is it so?",
    maxRounds: 3,
    filters: { recency: "week", allowedDomains: ["a.example"] },
  });
  expect(await kept(second?.job_id)).toEqual({
    query: "Is it so?",
    maxRounds: 3,
    filters: { recency: "month", allowedDomains: ["a.example"], language: "German" },
  });
});

test.each([
  [["again", "nothing"], "There is no research"],
  [["again"], "Which research?"],
])("%j: said, and nothing is asked", async (argv, words) => {
  const { io, err } = terminal();
  expect(await main(argv, io)).toBe(2);
  expect(err()).toContain(words);
});
