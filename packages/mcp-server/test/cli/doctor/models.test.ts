import { expect, test } from "vitest";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();
const GEMINI_CLI_PATH = new URL("../../../node_modules/@google/gemini-cli/bundle/gemini.js", import.meta.url).pathname;

test("the models that the real CLI names, the newest first; the one that is set is marked", async () => {
  const { code, out, err } = await place.run(["models"], { env: { GEMINI_CLI_PATH, GEMINI_MODEL: "gemini-2.5-pro" } });
  expect(code).toBe(0);
  const names = out.trimEnd().split("\n");
  expect(names).toContain("gemini-2.5-pro  (set)");
  expect(names.slice(-4)).toEqual(["auto", "pro", "flash", "flash-lite"]);
  const versions = names.flatMap((name) => /^gemini-(\d(?:\.\d)?)/.exec(name)?.[1] ?? []).map(Number);
  expect(versions.length).toBeGreaterThan(5);
  expect(versions).toEqual([...versions].sort((a, b) => b - a));
  expect(names.filter((name) => name.includes("embedding"))).toEqual([]);
  expect(err.replaceAll(/\s+/g, " ")).toContain("Which ones your account may use, Google decides.");
});

test("no CLI: 3; one that names none: said", async () => {
  expect((await place.run(["models"], { env: { GEMINI_CLI_PATH: "/nowhere/gemini" } })).code).toBe(3);
  await place.run(["config", "set", "cliPath", "/nowhere/else"]);
  const { code, err } = await place.run(["models"]);
  expect(code).toBe(3);
  expect(err.replaceAll(/\s+/g, " ")).toContain("The path comes from cliPath in ");
  const other = await place.run(["models", "--json"], { env: { GEMINI_CLI_PATH: process.execPath } });
  expect(other.code).toBe(1);
  expect(JSON.parse(other.out)).toMatchObject({ success: false, error: { code: "EXECUTION_ERROR" } });
});
