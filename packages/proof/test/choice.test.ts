import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { chosenBy } from "../measure/choice.mjs";

const URL_OF_IT = new URL("../measure/choice.mjs", import.meta.url).href;
const how = { nameOf: (name: string) => name, usage: "How it is used" };
const NAMES = ["CLI output", "transcripts"];

test("those whose names fit; all of them without an expression", () => {
  expect(chosenBy("--only", "^cli", NAMES, how)).toEqual(["CLI output"]);
  expect(chosenBy("--only", undefined, NAMES, how)).toEqual(NAMES);
});

test.each([
  ["zzz", "--only zzz: nothing of this name. There are:\n  CLI output\n  transcripts\n\nHow it is used\n"],
  ["(", "--only (: not a regular expression\n\nHow it is used\n"],
])("%s ends the program with 2", (expression, said) => {
  const call = `chosenBy("--only", ${JSON.stringify(expression)}, ${JSON.stringify(NAMES)}, { nameOf: String, usage: "How it is used" })`;
  const script = `import { chosenBy } from ${JSON.stringify(URL_OF_IT)}; ${call}; console.log("goes on")`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: said });
});
