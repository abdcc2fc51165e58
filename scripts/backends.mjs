// `@x/research` and the prompts know no backend by name: a runner says what it can do and how its tools are called. In
// comments one may be named; in code and in prompts only where ALLOWED says why.
//   backends.mjs [ROOT]
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

/** Gemini CLI, its packages, its variables and its tools. */
const NAMED = /gemini|google_web_search|web_fetch|read_many_files/i;
const LOOKED_AT = ["packages/research/src", "prompts"];

const RUNNER = "packages/research/src/runner.ts";
const DEFAULT = "what is taken for granted of a runner that names no capabilities";
/** @type {{ file: string, line: string, reason: string }[]} */
const ALLOWED = [
  { file: RUNNER, line: 'program: { name: "Gemini CLI", command: "gemini" },', reason: DEFAULT },
  { file: RUNNER, line: 'search: { tool: "google_web_search" },', reason: DEFAULT },
  { file: RUNNER, line: 'read: { tool: "web_fetch" },', reason: DEFAULT },
  {
    file: "packages/research/src/deps.ts",
    line: 'throw missing("runner", "one with a run(), such as createGeminiRunner()");',
    reason: "an example for whoever forgot the runner",
  },
];

const root = process.argv[2] ?? fileURLToPath(new URL("../", import.meta.url));
const found = LOOKED_AT.flatMap(filesIn).flatMap(namedIn);
const isSame = (a) => (b) => a.file === b.file && a.line === b.line;
const problems = found
  .filter((place) => !ALLOWED.some(isSame(place)))
  .map(({ file, number, line }) => `${file}:${number}: names a backend: ${line}`);
// A line that has gone may come back for a reason that nobody looked at.
for (const allowed of ALLOWED) {
  if (!found.some(isSame(allowed))) problems.push(`scripts/backends.mjs: ${allowed.file} has no line ${allowed.line}`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, "/").length).split(sep).join("/"));
}

/** The lines of a file that name a backend outside of its comments. */
function namedIn(file) {
  const text = readFileSync(join(root, file), "utf8");
  const lines = (file.endsWith(".ts") ? withoutComments(file, text) : text).split("\n");
  return lines.flatMap((line, at) => (NAMED.test(line) ? [{ file, number: at + 1, line: line.trim() }] : []));
}

/** The same text with blanks for its comments, so that every line keeps its number. */
function withoutComments(file, text) {
  let code = text;
  for (const { start, end } of parseSync(file, text).comments) {
    code = code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, " ") + code.slice(end);
  }
  return code;
}
