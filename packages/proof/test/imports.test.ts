import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("../../../scripts/imports.mjs", import.meta.url));
const ORDER =
  "### one\n\n| part of `src` | holds |\n|---|---|\n| `errors` | |\n| `low/` | |\n| `high/` | |\n| `index` | |\n";

/** The problems of a package `one` whose order is `errors`, `low/`, `high/`, `index`. */
async function problemsOf(files: Record<string, string>, order = ORDER) {
  const root = await mkdtemp(join(tmpdir(), "imports-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await writeFile(join(root, "ARCHITECTURE.md"), order);
  const all = { "errors.ts": "", "low/a.ts": "", "high/b.ts": "", "index.ts": "", ...files };
  for (const [name, text] of Object.entries(all)) {
    const path = join(root, "packages/one/src", name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, root], { encoding: "utf8" });
  return { status, problems: stderr.trim() };
}

test("imports that run up the table are fine", async () => {
  const files = { "high/b.ts": 'import { a } from "../low/a.js"; export { e } from "../errors.js";' };
  expect(await problemsOf(files)).toEqual({ status: 0, problems: "" });
});

test.each([
  ["a value", 'import { b } from "../high/b.js";'],
  ["a type", 'import type { B } from "../high/b.js";'],
  ["a type in an expression", 'export type B = import("../high/b.js").B;'],
  ["a name that is passed on", 'export { b } from "../high/b.js";'],
  ["everything", 'export * from "../high/b.js";'],
  ["a module that is loaded later", 'export const later = () => import("../high/b.js");'],
  ["an effect", 'import "../high/b.js";'],
])("an import that runs down the table is found: %s", async (_, text) => {
  const { status, problems } = await problemsOf({ "low/a.ts": text });
  expect(problems).toContain("one: low/a.ts -> high/b.ts: imports run the other way");
  expect(status).toBe(1);
});

test("a folder with an index is entered through it", async () => {
  const files = { "low/index.ts": "", "high/b.ts": 'import { a } from "../low/a.js";' };
  expect((await problemsOf(files)).problems).toContain("low/ is entered through low/index.ts");
});

test("a file that the table does not know is named, and a part that is not there", async () => {
  expect((await problemsOf({ "new.ts": "" })).problems).toContain("packages/one/src/new.ts: no part of one");
  expect((await problemsOf({}, `${ORDER}| \`gone/\` | |\n`)).problems).toContain("one has no gone/ in its src");
});

test.each([
  ["its name", 'import { E } from "@x/two";\nexport const is = (e: unknown) => e instanceof E;'],
  ["another name for it", 'import { E as Other } from "@x/two";\nif ({} instanceof Other) throw 1;'],
  ["everything", 'import * as two from "@x/two";\nif ({} instanceof two.E) throw 1;'],
])("a class of another package behind instanceof is found: by %s", async (_, text) => {
  const { status, problems } = await problemsOf({ "high/b.ts": text });
  expect(problems).toMatch(/one: high\/b\.ts: instanceof \w+, a class of another package: compare its code/);
  expect(status).toBe(1);
});

test("a class of the own package or of Node behind instanceof is fine", async () => {
  const text =
    'import { E } from "../errors.js";\nimport { b } from "@x/two";\nif (b instanceof E || b instanceof Date) throw 1;';
  expect(await problemsOf({ "high/b.ts": text })).toEqual({ status: 0, problems: "" });
});

test("what the table of places names is there", async () => {
  const table =
    "\n## Where to change what\n\n| to change | go to |\n|---|---|\n| a | `one/src/low/a.ts`, `gone.ts` |\n| b | `one/src/high/*.ts` |\n";
  const { status, problems } = await problemsOf({}, `${ORDER}${table}`);
  expect(problems).toBe('ARCHITECTURE.md: "Where to change what" names one/src/low/gone.ts, which is not there');
  expect(status).toBe(1);
});
