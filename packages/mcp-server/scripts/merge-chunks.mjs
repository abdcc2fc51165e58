// After the bundler: its small files become one. It makes a file of every set of modules that the same entries share, and
// Node takes about 0.3 ms to open and link a file, however small: a search read 90 of them.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rollup } from "rollup";

/** A file that is smaller, together with all that it imports, is read by whoever needs one of them. */
const SMALL_BYTES = 8_192;
/** It is one file already: what is read at every start. */
const START = "bin.js";
/** What stands before each file for the sake of the few that are bundled CommonJS. */
const REQUIRE = /^import \{ createRequire as (\w+) \} from "node:module"; const require = \1\(import\.meta\.url\);\n/;
/** The bundler adds it to the names of all files but those that are loaded by name. */
const HASH = /-[A-Z0-9]{8}$/;

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const files = readdirSync(dist).filter((name) => name.endsWith(".js") && name !== START);
const imported = new Map([START, ...files].map((name) => [name, importsIn(sourceOf(name))]));
/** Modules of Node that every process has loaded. */
const atHand = new Set([...imported.get(START), "node:module"]);

function sourceOf(name) {
  const source = readFileSync(join(dist, name), "utf8");
  const without = source.replace(REQUIRE, "");
  return /\brequire\b/.test(without) ? source : without;
}

function importsIn(source) {
  return [...source.matchAll(/(?:from|import) ?"((?:\.\/|node:)[^"]+)"/g)].map(([, id]) => id.replace("./", ""));
}

/** A file and all that it imports, modules of Node among them. */
function withImports(name) {
  const seen = new Set([name]);
  for (const each of seen) for (const other of imported.get(each) ?? []) seen.add(other);
  return [...seen];
}

function isCommon(name) {
  if (!name.startsWith("chunk-")) return false;
  const all = withImports(name);
  const ofNode = all.filter((id) => id.startsWith("node:"));
  const bytes = all.filter((id) => imported.has(id)).reduce((sum, id) => sum + statSync(join(dist, id)).size, 0);
  return bytes < SMALL_BYTES && ofNode.every((id) => atHand.has(id));
}

const names = files.map((name) => basename(name, ".js")).filter((name) => !HASH.test(name));
const bundle = await rollup({
  input: Object.fromEntries(names.map((name) => [name, join(dist, `${name}.js`)])),
  external: (id) => !id.startsWith(".") && !isAbsolute(id),
  plugins: [{ name: "require", load: (id) => sourceOf(basename(id)) }],
  preserveEntrySignatures: "strict",
  treeshake: false,
  onwarn({ message }) {
    throw new Error(message);
  },
});
const { output } = await bundle.generate({
  compact: true,
  generatedCode: "es2015",
  hoistTransitiveImports: false,
  chunkFileNames: ({ name }) => `${name.replace(HASH, "")}-[hash].js`,
  manualChunks: (id) => (isCommon(basename(id)) ? "common" : undefined),
});
await bundle.close();
for (const name of files) rmSync(join(dist, name));
for (const { fileName, code } of output) writeFileSync(join(dist, fileName), code);
console.log(`${files.length} files merged into ${output.length}`);
