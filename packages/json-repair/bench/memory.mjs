// Peak memory: how much more a process has resident at most while it reads a text, the value with it. Each figure is that of a
// process of its own, since the peak of a process never falls.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { table } from "./table.mjs";
import { installPeers, OWN, OWN_NAME } from "./tool.mjs";

/** Nearly as many as a text may have: what the engine takes for its code and for young objects is little beside them. */
const CHARACTERS = 15_600_000;
const MAX_BYTES_A_CHARACTER = 4;
/** What else a process does only ever adds: the least counts. */
const RUNS = 3;

/** Objects of so many characters, each with a tab in its string that JSON does not allow there. */
const rows = (length, tab = "\t") => {
  const row = `{"t":"${tab}${"w".repeat(length - 9 - tab.length)}"}`;
  return `[${`${row},`.repeat(CHARACTERS / length)}${row}]`;
};
/** The texts, and what `JSON.parse` is given in their place: of the same length, and without damage. */
const TEXTS = Object.fromEntries([
  ["sound", [rows(98, " "), rows(98, " ")]],
  ...[98, 32, 13].map((length) => [`a repair every ${length} characters`, [rows(length), rows(length, " ")]]),
]);

/** How each is asked: a text goes in, a value comes out. */
const TOOLS = {
  [OWN_NAME]: async () => (await import(OWN)).extractJson,
  jsonrepair: async () => {
    const require = createRequire(pathToFileURL(`${installPeers()}/package.json`));
    const peer = "jsonrepair";
    const { jsonrepair } = await import(pathToFileURL(require.resolve(peer)).href);
    return (text) => JSON.parse(jsonrepair(text));
  },
  "`JSON.parse` of sound text": async () => JSON.parse,
};

/** Each with Node's own settings, and the own one where the collector leaves hardly any garbage. */
const RUNS_OF = [...Object.keys(TOOLS).map((tool) => [tool, []]), [OWN_NAME, ["--max-semi-space-size=1"]]];

/** In a process of its own: the bytes. */
async function measure(tool, name) {
  const read = await TOOLS[tool]();
  const text = TEXTS[name][tool.startsWith("`") ? 1 : 0];
  // What was added up is made one piece before, not while it is read.
  text.charCodeAt(0);
  const before = process.memoryUsage.rss();
  const value = read(text);
  const peak = process.resourceUsage().maxRSS * 1_024;
  if (!value) throw new Error(`${tool} gave nothing`);
  return peak - before;
}

/** The table, and where the own package is above the limit. */
export async function memory() {
  installPeers();
  const misses = [];
  const body = Object.keys(TEXTS).map((name) => {
    const bytes = RUNS_OF.map(([tool, flags]) => {
      const words = [...flags, fileURLToPath(import.meta.url), tool, name];
      const ask = () => Number(execFileSync(process.execPath, words, { encoding: "utf8" }));
      return Math.min(...Array.from({ length: RUNS }, ask)) / CHARACTERS;
    });
    if (bytes[0] > MAX_BYTES_A_CHARACTER) misses.push(`${name}: ${bytes[0].toFixed(1)} bytes a character`);
    return [name, ...bytes.map((one) => one.toFixed(1))];
  });
  return {
    text: table(["bytes a character", ...Object.keys(TOOLS), `${OWN_NAME}, little room for garbage`], body),
    misses,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await measure(process.argv[2], process.argv[3]));
