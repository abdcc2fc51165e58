import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { delay, fetchPage, filler, finish, grounded, huge, page, search, text } from "../../src/testing/index.js";
import { FAKE_CLI, promptOf, SHELL_CLI, test } from "../small-world.js";

/** Blanks at both ends, lines of every kind, what looks like flags and mark-up, and characters of every length. */
const PROMPT =
  '  \n--yolo </script> <session_context> é 漢 🙂 👩‍👩‍👧 \u202e\r\n\ttab " \' ` \\ \\@\n\nAnswer as {"report":"..."} \n\n';

test("an answer of 5 MB arrives whole, and its prompt byte for byte", async ({ world }) => {
  // What the answer must be without: its prompt, what came before the last tool, and a turn that was made again.
  const pieces = (words: string) => text(words, { chunkLength: 3, everyMs: 5 });
  const { run, server } = await world((call) => {
    if (call.kind === "search") return grounded("found");
    if (call.kind === "fetch") return page("read");
    if (call.index === 0) return [...text('I look. {"report":1}'), search("x"), fetchPage("http://93.184.215.14/")];
    if (call.index === 1) return [...text("It is "), finish("MALFORMED_FUNCTION_CALL")];
    return [...pieces("é漢🙂".repeat(40)), delay(300), ...pieces(" so.\n"), ...huge(5_000_000)];
  });
  const { result, events } = await run({ prompt: PROMPT, model: "gemini-3-pro-preview" });
  expect(server.requests.map(({ kind }) => kind).toSorted()).toEqual(["fetch", "main", "main", "main", "search"]);
  expect(promptOf(server.requests[0]), "the prompt").toBe(PROMPT);
  const whole = `${"é漢🙂".repeat(40)} so.\n${filler(5_000_000)}`;
  expect(result.text === whole, "the answer, begun in small pieces with a silence between them").toBe(true);
  const deltas = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
  expect(deltas.join("") === `I look. {"report":1}It is ${whole}`, "everything that was said").toBe(true);
  expect(deltas.length).toBeGreaterThan(20);
});

test("a prompt longer than the model's context is refused by its name", async ({ world }) => {
  const { failureOf, server } = await world(() => text("done"));
  const error = await failureOf("word ".repeat(1_600_000));
  expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "too-long" });
  expect(server.requests.filter(({ kind }) => kind === "main")).toEqual([]);
});

test("a prompt of more than 8 MiB is refused at once", async ({ world }) => {
  const { failureOf } = await world(() => text("done"));
  expect(await failureOf("x".repeat(8 * 1024 * 1024))).toMatchObject({ code: "EXECUTION_ERROR", reason: "too-long" });
  expect(await failureOf(" \n")).toMatchObject({ code: "EXECUTION_ERROR", reason: "input" });
});

describe.concurrent("a program that is not Gemini CLI", () => {
  const fake = { command: FAKE_CLI };
  const shell = { command: SHELL_CLI };

  test("may just print the answer", async ({ world }) => {
    const { run } = await world(() => undefined, shell);
    const { result } = await run(`printf 'Here:\\n\\n{"a": 1}\\n'`);
    expect(result).toMatchObject({ text: 'Here:\n\n{"a": 1}', recorded: false, queries: [], sources: [] });
    expect(result).not.toHaveProperty("model");
  });

  test("may print a JSON object that is the answer", async ({ world }) => {
    const { run } = await world(() => undefined, shell);
    const { result } = await run(`printf '{"type":"summary","text":"x"}'`);
    expect(result.text).toBe('{"type":"summary","text":"x"}');
  });

  test("may space its events as it likes, and has time for what it does at its end", async ({
    world,
    temporaryFolder,
  }) => {
    const folder = await temporaryFolder("bin");
    const command = path.join(folder, "gemini");
    const lines = [
      `{"type": "init", "model": "m-1"}`,
      `{"role": "assistant", "content": "done", "type": "message"}`,
      `{"type": "result", "status": "success"}`,
    ];
    const says = lines.map((line) => `echo '${line}'`).join("\n");
    writeFileSync(command, `#!/bin/sh\n${says}\nsleep 0.1\ntouch ${folder}/ended\n`, { mode: 0o755 });
    const { run } = await world(() => undefined, { command, killAfterMs: 10_000 });
    expect((await run("hello")).result).toMatchObject({ text: "done", model: "m-1" });
    expect(existsSync(path.join(folder, "ended"))).toBe(true);
  });

  test("may say nothing", async ({ world }) => {
    const { failureOf } = await world(() => undefined, shell);
    expect(await failureOf("exit 0")).toMatchObject({ reason: "empty" });
  });

  test("may fail", async ({ world }) => {
    const { failureOf } = await world(() => undefined, shell);
    const error = await failureOf("printf half; echo out of luck >&2; exit 7");
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "crash", exitCode: 7, stderr: "out of luck" });
    expect(error.message).toContain("exit code 7: out of luck");
  });

  test("may write a lot at once and go", async ({ world }) => {
    const { run } = await world(() => undefined, fake);
    const steps = [
      { init: 1 },
      { flood: { chunks: 2_000, bytes: 2_000 } },
      { stderr: "x".repeat(300_000) },
      { result: "success" },
    ];
    const { result, events } = await run(JSON.stringify(steps));
    expect(result.text).toHaveLength(4_000_000);
    expect(events.filter(({ type }) => type === "text-delta")).toHaveLength(2_000);
  });

  test("may die in the middle of a line", async ({ world }) => {
    const { failureOf } = await world(() => undefined, fake);
    const steps = [{ say: "half" }, { plain: '{"type":"mess' }, { exit: 1 }];
    expect(await failureOf(JSON.stringify(steps))).toMatchObject({ reason: "crash", exitCode: 1 });
  });
});
