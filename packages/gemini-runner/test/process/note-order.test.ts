import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect } from "vitest";
import { createGeminiRunner, resultOf } from "../../src/index.js";
import { gone, SHELL_CLI, test } from "../small-world.js";

const json = (value: object) => `'${JSON.stringify(value)}'`;
const print = (event: object) => `echo ${json(event)}`;
const tell = (note: object) => `echo ${json(note)} >&3`;
const words = (content: string) => ({ type: "message", role: "assistant", content });

/** A turn of the model, all that is said of it at once: the guard's note first, then its words and a call of a tool. */
const turn = (index: number) => [
  tell({ type: "turn" }),
  print(words(`Note ${index}. `)),
  print({ type: "tool_use", tool_name: "look", tool_id: `${index}`, parameters: {} }),
  print({ type: "tool_result", tool_id: `${index}`, status: "success" }),
];

const source = (name: string) => {
  const attributions = [{ text: name, urls: [`https://example.com/${name}`] }];
  return { type: "looked-up", grounds: [], pages: [], attributions };
};

describe.skipIf(process.platform === "win32")("a note of the guard", () => {
  test("is heard after what was printed before it", async ({ temporaryFolder }) => {
    const cwd = await temporaryFolder("runs");
    const runner = createGeminiRunner({ command: SHELL_CLI, cwd, retries: 0 });
    const prompt = [...[0, 1, 2, 3].flatMap(turn), "exec sleep 1000"].join("; ");
    await expect(resultOf(runner.run({ prompt, maxTurns: 3 }))).rejects.toMatchObject({
      reason: "turns",
      text: expect.stringMatching(/^Note 0\. \n\nNote 1\. \n\nNote 2\. /),
    });
    await runner.close();
  });

  test("is heard when the program has ended long before what it printed is read", async ({ temporaryFolder }) => {
    const [cwd, signs] = await Promise.all([temporaryFolder("runs"), temporaryFolder("signs")]);
    const [first, go] = [path.join(signs, "first"), path.join(signs, "go")];
    const runner = createGeminiRunner({ command: SHELL_CLI, cwd, retries: 0 });
    const prompt = [
      tell({ type: "turn" }),
      // More than waits to be taken: nothing is read meanwhile.
      `yes ${json(words("x"))} | head -n 3000`,
      tell(source("one")),
      `: > ${first}`,
      `while [ ! -e ${go} ]; do sleep 0.01; done`,
      tell(source("two")),
      print({ type: "result", status: "success", stats: {} }),
    ].join("; ");
    const run = runner.run({ prompt });
    const begun = await run.next();
    const { pid } = begun.value as { pid: number };
    while (!existsSync(first)) await delay(10);
    // The first of the two is read by itself; together, both would be heard.
    await delay(100);
    writeFileSync(go, "");
    await gone(pid);
    // Longer than what is left in the pipe of a program that has ended is waited for.
    await delay(1_000);
    const result = await resultOf(run);
    expect(result.attributions.map(({ text }) => text)).toEqual(["one", "two"]);
    await runner.close();
  });
});
