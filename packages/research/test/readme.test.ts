import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { bundled, inRound2, printing, scriptGemini } from "./real-world.js";
import { temporaryFolder } from "./world.js";

const SOURCE = "https://science.nasa.gov/mars/moons/";

test("the example of the README prints what the README says", async () => {
  const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
  const [, code = "", output = ""] =
    /<!-- example -->\n```ts\n([\s\S]*?)```\n\n```\n([\s\S]*?)```\n<!-- \/example -->/.exec(readme) ?? [];
  const answer = (verified: boolean) =>
    printing({
      success: true,
      verified,
      report: "Mars has two moons, Phobos and Deimos [1].",
      metadata: { sources_visited: [SOURCE], search_queries_used: ["moons of Mars"] },
    });
  const [home, bin] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  await scriptGemini(bin, inRound2(answer(true), answer(false)));
  // Beside the tests, so that the packages it imports are found.
  const folder = await mkdtemp(fileURLToPath(new URL("../.turbo/readme-", import.meta.url)));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "example.ts"), code);
  const script = await bundled(join(folder, "example.ts"));
  const printed = await new Promise<string>((resolve, reject) => {
    const options = { env: { HOME: home, PATH: `${bin}${delimiter}${process.env["PATH"]}` } };
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
