import { describe, expect } from "vitest";
import { createGeminiRunner, resultOf } from "../../src/index.js";
import { SHELL_CLI, test } from "../small-world.js";

const print = (event: object) => `echo '${JSON.stringify(event)}'`;

/** A turn of the model, all that is said of it at once: the guard's note first, then its words and a call of a tool. */
const turn = (index: number) => [
  `echo '{"type":"turn"}' >&3`,
  print({ type: "message", role: "assistant", content: `Note ${index}. ` }),
  print({ type: "tool_use", tool_name: "look", tool_id: `${index}`, parameters: {} }),
  print({ type: "tool_result", tool_id: `${index}`, status: "success" }),
];

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
});
