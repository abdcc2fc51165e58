import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { grounded, json, search as searching } from "@x/gemini-runner/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { bundled, realWorld, roundOf } from "./real-world.js";

// A run of the CLI takes a second, and several on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const SOURCE = "https://science.nasa.gov/mars/moons/";

test("the example of the README prints what the README says", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const [, code = "", output = ""] =
    /<!-- example -->\n```ts\n([\s\S]*?)```\n\n```\n([\s\S]*?)```\n<!-- \/example -->/.exec(readme) ?? [];
  const { env } = await realWorld((call) => {
    if (call.kind === "search") return grounded("Two.", { sources: [{ url: SOURCE, title: "nasa.gov" }] });
    if (call.kind !== "main") return undefined;
    if (call.turn === 0) return searching("moons of Mars");
    const metadata = { sources_visited: [SOURCE], search_queries_used: ["moons of Mars"] };
    return json({
      success: true,
      verified: roundOf(call) === 2,
      report: "Mars has two moons, Phobos and Deimos [1].",
      metadata,
    });
  });
  // Beside the tests, so that the packages it imports are found.
  const folder = await mkdtemp(fileURLToPath(new URL("../.turbo/readme-", import.meta.url)));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "example.ts"), code);
  const script = await bundled(join(folder, "example.ts"));
  const bin = fileURLToPath(new URL("../node_modules/.bin", import.meta.url));
  const printed = await new Promise<string>((resolve, reject) => {
    const options = { env: { ...env, PATH: `${bin}${delimiter}${env.PATH}` } };
    const child = execFile(process.execPath, [script], options, (error) =>
      error === null ? resolve(said) : reject(error),
    );
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    child.stdout?.on("data", (chunk) => {
      said += chunk;
    });
  });
  expect(printed).toBe(output);
});
