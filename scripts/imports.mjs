// Imports inside a package run one way: ARCHITECTURE.md lists the parts of each `src` in order, and a part imports only
// from itself and from the parts above it. A folder that has an `index.ts` is entered through it alone. What another package
// throws is told by its code: a class may be there twice. What "Where to change what" names is there.
//   imports.mjs [ROOT]
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

const root = process.argv[2] ?? fileURLToPath(new URL("../", import.meta.url));
const architecture = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
const orders = ordersOf(architecture);
const problems = placesIn(architecture)
  .filter((place) => ![place, `packages/${place}`].some((path) => existsSync(join(root, path))))
  .map((place) => `ARCHITECTURE.md: "Where to change what" names ${place}, which is not there`);
for (const [name, parts] of orders) {
  const src = join(root, "packages", name, "src");
  const files = readdirSync(src, { recursive: true })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".ts"));
  for (const part of parts.keys()) {
    if (!files.some((file) => isIn(file, part))) problems.push(`ARCHITECTURE.md: ${name} has no ${part} in its src`);
  }
  for (const file of files) {
    const rank = rankOf(file, parts);
    if (rank === undefined) problems.push(`packages/${name}/src/${file}: no part of ${name} in ARCHITECTURE.md`);
    const { program } = parseSync(file, readFileSync(join(src, file), "utf8"));
    for (const target of importsOf(program, file)) {
      const problem = wrong(file, target, parts, files);
      if (problem !== undefined) problems.push(`${name}: ${file} -> ${target}: ${problem}`);
    }
    for (const tested of foreignClassesIn(program)) {
      problems.push(`${name}: ${file}: instanceof ${tested}, a class of another package: compare its code`);
    }
  }
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** The files and folders of the table "Where to change what"; a name without a folder lies beside the one before it. */
function placesIn(text) {
  const [, table = ""] = text.split(/^## Where to change what$/m);
  const rows = [...table.split(/^## /m, 1)[0].matchAll(/^\| [^|]+ \| ([^|]+) \|$/gm)];
  return rows.flatMap(([, cell]) => {
    let folder = "";
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => {
      const path = code.includes("/") ? code : posix.join(folder, code);
      folder = posix.dirname(path);
      return path.includes("*") ? folder : path;
    });
  });
}

/** The parts of each package in order, each with its row: of tables under `### PACKAGE`, the code in the first column. */
function ordersOf(text) {
  return new Map(
    text
      .split(/^### /m)
      .slice(1)
      .map((section) => {
        const [name] = section.split("\n", 1);
        const rows = [...section.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell]) => [...cell.matchAll(/`([^`]+)`/g)]);
        return [name.trim(), new Map(rows.flatMap((cells, row) => cells.map(([, part]) => [part, row])))];
      }),
  );
}

/** Whether a file belongs to a part: a folder, as `cli/`, or a file beside `index.ts`, as `events`. */
function isIn(file, part) {
  return part.endsWith("/") ? file.startsWith(part) : file === `${part}.ts`;
}

/** The place of a file in the order: that of the innermost part it belongs to. */
function rankOf(file, parts) {
  const own = [...parts.keys()].filter((part) => isIn(file, part)).sort((a, b) => b.length - a.length)[0];
  return own === undefined ? undefined : parts.get(own);
}

function wrong(file, target, parts, files) {
  if (rankOf(target, parts) > rankOf(file, parts)) return "imports run the other way (ARCHITECTURE.md)";
  const folder = posix.dirname(target);
  const door = `${folder}/index.ts`;
  const inside = file.startsWith(`${folder}/`);
  if (folder !== "." && !inside && target !== door && files.includes(door))
    return `${folder}/ is entered through ${door}`;
  return undefined;
}

/** The files of the same package that a file imports, also as types or later. */
function importsOf(program, file) {
  const targets = sourcesIn(program)
    .filter((source) => source.startsWith("."))
    .map((source) => posix.join(posix.dirname(file), source.replace(/\.js$/, ".ts")));
  return [...new Set(targets)];
}

/** The names of a workspace's packages that stand behind an `instanceof`. */
function foreignClassesIn(program) {
  const foreign = new Set(
    program.body
      .filter((node) => node.type === "ImportDeclaration" && node.source.value.startsWith("@x/"))
      .flatMap((node) => node.specifiers.map(({ local }) => local.name)),
  );
  return foreign.size === 0 ? [] : testedIn(program).filter((name) => foreign.has(name));
}

/** Each name, also as the member of a namespace, that a syntax tree has behind an `instanceof`. */
function testedIn(node) {
  if (typeof node !== "object" || node === null) return [];
  const { operator, right } = node;
  const name = operator === "instanceof" ? (right.name ?? right.object?.name) : undefined;
  return [...(name === undefined ? [] : [name]), ...Object.values(node).flatMap(testedIn)];
}

/** What a syntax tree imports: every way to do so has a literal as its `source`. */
function sourcesIn(node) {
  if (typeof node !== "object" || node === null) return [];
  const own = node.source?.type === "Literal" ? [node.source.value] : [];
  return [...own, ...Object.values(node).flatMap(sourcesIn)];
}
