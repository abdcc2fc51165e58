import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";

const RECORDED = path.join(import.meta.dirname, "fixtures/recorded/version.txt");
const { version } = createRequire(import.meta.url)("@google/gemini-cli/package.json");

test("what is replayed was said by the Gemini CLI that is installed", () => {
  expect(readFileSync(RECORDED, "utf8").trim(), "`pnpm record` records anew").toBe(version);
});
