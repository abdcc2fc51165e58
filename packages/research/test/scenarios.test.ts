import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../scripts/scenarios.mjs", import.meta.url));

test("every scenario has a test that shows it, and the table of the README says which", () => {
  let said = "";
  try {
    execFileSync(process.execPath, [script, "--check"], { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    said = (error as { stderr: string }).stderr;
  }
  expect(said).toBe("");
});
