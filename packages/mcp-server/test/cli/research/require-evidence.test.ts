import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { main } from "../../../src/cli/main.js";
import { plainGemini } from "../../support/place.js";
import { fakeIo } from "../fake-io.js";

const UNPROVEN = {
  success: true,
  verified: true,
  report: "It is so.",
  metadata: { sources_visited: [] },
  claims: [{ text: "It is so.", sources: [], status: "supported" }],
};

test.each([
  [[], 0],
  [["--require-evidence", "50"], 7],
  [["--require-evidence", "0"], 0],
  [["--require-evidence", "101"], 2],
  [["--require-evidence", "all"], 2],
])("search %j of a report whose claims are not proven ends with %d [evidence/exit-code]", async (options, code) => {
  const home = await mkdtemp(join(tmpdir(), "require-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const { io } = fakeIo({ home, env: { GEMINI_CLI_PATH: plainGemini({ home }, UNPROVEN) } });
  expect(await main(["search", "Is it so?", ...options], io)).toBe(code);
});
