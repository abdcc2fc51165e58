import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "tsup";
import { expect } from "vitest";
import * as library from "../src/index.js";
import * as testing from "../src/testing/index.js";
import { grounded, type Scenario, search, text } from "../src/testing/index.js";
import { CLI, test } from "./small-world.js";

const ROOT = path.join(import.meta.dirname, "..");

const tides: Scenario = (call) => {
  if (call.kind === "search") {
    return grounded("The moon.", { sources: [{ url: "https://example.com/tides", title: "Tides" }] });
  }
  if (call.kind !== "main") return undefined;
  return call.turn === 0 ? search("tides") : text("The moon pulls at the sea.");
};

/** The blocks of the README in one language. */
async function blocks(language: string): Promise<string[]> {
  const readme = await readFile(path.join(ROOT, "README.md"), "utf8");
  return [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code = ""]) => code);
}

/** Runs an example as it stands, with this CLI and environment for every runner it makes; gives what it printed. */
async function printed(code: string, options: library.GeminiRunnerOptions): Promise<string> {
  const lines: string[] = [];
  const log = (...words: unknown[]) => lines.push(words.join(" "));
  const names = {
    ...testing,
    run: (request: library.RunOptions) => library.run({ ...request, ...options }),
    createGeminiRunner: (own: library.GeminiRunnerOptions) =>
      library.createGeminiRunner({ ...own, ...options, env: { ...own.env, ...options.env } }),
    resultOf: library.resultOf,
    console: { log },
  };
  const body = code.replaceAll(/^import .*$/gm, "");
  await new Function(...Object.keys(names), `return (async () => {${body}})()`)(...Object.values(names));
  return lines.map((line) => `${line}\n`).join("");
}

test.for([
  ["first", 0],
  ["second", 1],
] as const)("the %s example of the README prints what it says", async ([, index], { world, temporaryFolder }) => {
  const { server, home } = await world(tides);
  const { PATH = "" } = process.env;
  const options = { command: CLI, cwd: await temporaryFolder("runs"), env: { PATH, HOME: home, ...server.env } };
  const outputs = [(await blocks("text"))[0], "tides\nThe moon pulls at the sea.\n"];
  expect(await printed((await blocks("js"))[index] ?? "", options)).toBe(outputs[index]);
});

test("the example of a test in the README needs no quota", async ({ temporaryFolder }) => {
  const [, , example = ""] = await blocks("js");
  expect(await printed(example, { command: CLI, cwd: await temporaryFolder("runs") })).toBe("Hello classifier,main\n");
});

/** The names in a source file: the first group of each match. */
async function namesIn(file: string, shape: RegExp): Promise<string[]> {
  const source = await readFile(path.join(ROOT, "src", file), "utf8");
  return [...source.matchAll(shape)].map(([, name = ""]) => name);
}

test("the README says what there is: options, fields of a request, events, answers of a model, errors", async () => {
  const readme = await readFile(path.join(ROOT, "README.md"), "utf8");
  const fields = /^ {2}(?:readonly )?(\w+)\??: /gm;
  // For tests of the runner itself.
  const seams = new Set(["sleep", "now"]);
  const names = [
    ...(await namesIn("options.ts", fields)).filter((name) => !seams.has(name)),
    ...(await namesIn("events.ts", /^ +(?:\| \{ )?type: "([a-z-]+)"/gm)),
    ...(await namesIn("errors/runner-error.ts", /^ {2}\| "([\w-]+)"/gm)),
    ...(await namesIn("testing/http-error.ts", /^ {2}\| "([\w-]+)"/gm)),
    ...Object.keys(testing),
  ];
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !new RegExp(`[\`" (]${name}[\`"(]`).test(readme))).toEqual([]);
});

test("the example script asks a question and shows the way", async ({ world }) => {
  const outDir = path.join(ROOT, ".turbo/example");
  await build({
    entry: [path.join(ROOT, "examples/ask.mjs")],
    outDir,
    format: "esm",
    config: false,
    silent: true,
    noExternal: ["@x/gemini-runner", "@x/owned-files"],
    esbuildOptions: (options) => {
      options.conditions = ["@x/source"];
    },
  });
  const { server, home } = await world(tides);
  const env = { PATH: `${path.join(ROOT, "node_modules/.bin")}:${process.env["PATH"]}`, HOME: home, ...server.env };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [path.join(outDir, "ask.js"), "Why tides?"], {
    env,
  });
  expect(stdout).toBe("The moon pulls at the sea.\n- Tides: https://example.com/tides\n");
  expect(stderr).toMatch(/^searches: tides\ngemini-3.8-flash, \d+\.\d s\n$/);
});
