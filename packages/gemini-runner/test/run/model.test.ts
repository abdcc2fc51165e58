import { describe, expect } from "vitest";
import { SHELL_CLI, test } from "../small-world.js";

describe.concurrent("the model that the CLI is told to use", () => {
  const names = `printf '%s' "$* GEMINI_MODEL=$GEMINI_MODEL"`;

  test.for([
    ["the request's", { model: "of-request" }, "--model of-request GEMINI_MODEL="],
    ["else the runner's", {}, "--model of-runner GEMINI_MODEL="],
  ] as const)("is %s", async ([, request, expected], { world }) => {
    const { run } = await world(() => undefined, {
      command: SHELL_CLI,
      model: "of-runner",
      env: { GEMINI_MODEL: "of-environment" },
    });
    expect((await run({ prompt: names, ...request })).result.text).toMatch(new RegExp(`${expected}$`));
  });

  test("is that of the environment, when nothing else names one", async ({ world }) => {
    const { run } = await world(() => undefined, { command: SHELL_CLI, env: { GEMINI_MODEL: "of-environment" } });
    expect((await run({ prompt: names })).result.text).toMatch(/--model of-environment GEMINI_MODEL=$/);
  });

  test.for([
    ["alone", false],
    ["in a pool", true],
  ] as const)("is none, and the CLI chooses, when the request of a run %s says null", async ([, pool], { world }) => {
    const { runner, run, server } = await world(() => undefined, {
      model: "gemini-2.5-pro",
      env: { GEMINI_MODEL: "gemini-2.5-pro" },
      pool,
    });
    // What waits with another model is not taken.
    runner.prewarm();
    const { result, events } = await run({ prompt: "hello", model: null });
    if (!pool) expect(events[0]).toMatchObject({ type: "run-start", warm: false });
    expect(server.requests.map(({ kind }) => kind)).toEqual(["classifier", "main"]);
    expect(result.model).not.toBe("gemini-2.5-pro");
  });
});

// With a record: `runner.test.ts`.
describe.concurrent("the model that gave the answer", () => {
  const says = (init: string, models: object) =>
    [
      { type: "init", model: init },
      { type: "message", role: "assistant", content: "done" },
      { type: "result", status: "success", stats: { models } },
    ]
      .map((event) => `printf '%s\\n' '${JSON.stringify(event)}'`)
      .join("; ");
  const used = (input: number, output: number) => ({
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
  });
  const stats = { chooser: used(9_000, 20), answerer: used(300, 800), searcher: used(400, 200) };

  test.for([
    ["the one that the CLI names at its start", "searcher", stats, "searcher"],
    ["the one that wrote most by the closing statistics, when it names none", "auto", stats, "answerer"],
    ["unknown, when the statistics name none that wrote", "auto", { chooser: used(9_000, 0) }, undefined],
  ] as const)("without a record: %s", async ([, init, models, expected], { world }) => {
    const { run } = await world(() => undefined, { command: SHELL_CLI });
    const { result } = await run({ prompt: says(init, models) });
    expect(result.model).toBe(expected);
    expect(result.models.filter(({ roles }) => roles.includes("main")).map(({ model }) => model)).toEqual(
      expected === undefined ? [] : [expected],
    );
  });
});
