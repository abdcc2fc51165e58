// Megabytes a second on about 1 MB, beside JSON.parse and jsonrepair in the same run.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { table } from "./table.mjs";
import { installPeers, OWN } from "./tool.mjs";

const MIN_OF_JSON_PARSE = 0.35;
const MIN_OF_JSONREPAIR = 1;
const ROUNDS = 7;

const rows = Array.from({ length: 7_500 }, (_, n) => ({
  id: n,
  title: `Entry number ${n} of the list`,
  tags: ["alpha", "beta, gamma", "δelta"],
  score: n / 7,
  nested: { ok: n % 2 === 0, none: null },
}));
const large = JSON.stringify({ rows });
const report = JSON.stringify({ success: true, report: 'A paragraph with "quotes" and a line end.\n'.repeat(23_000) });
const innerQuotes = 'he said "so" and went on with many other words to the end of it. '.repeat(900);

const VALID = [
  ["the JSON alone", large, large],
  ["in a fence", `Here it is:\n\n\`\`\`json\n${large}\n\`\`\`\nBye.`, large],
  ["in prose, with `{query}` and `[1]` before it", `About {query} [1]:\n${large}\nDone.`, large],
  ["in prose, with `{topic}` after it", `Result:\n${large}\nTell me if {topic} is wrong.`, large],
  ["one report of 1 MB, fenced", `\`\`\`json\n${report}\n\`\`\``, report],
];
const DAMAGED = [
  [
    "trailing commas (300 kB)",
    JSON.stringify({ rows: rows.slice(0, 2_000) })
      .replaceAll("}", ",}")
      .replaceAll("]", ",]"),
  ],
  ["raw line ends", report.replaceAll("\\n", "\n")],
  ["single quotes", large.replaceAll('"', "'")],
  ["1,800 inner quotes", `{"t":"${innerQuotes}"}`],
  ["cut in the middle", large.slice(0, large.length * 0.9)],
  ["keys without quotes", large.replace(/"(\w+)":/g, "$1:")],
];

/** The best time of each, measured in turns, so that what else the machine does meets both. */
function best(...runs) {
  const ms = runs.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, run] of runs.entries()) {
      const started = process.hrtime.bigint();
      run();
      ms[at] = Math.min(ms[at], Number(process.hrtime.bigint() - started) / 1e6);
    }
  }
  return ms;
}

const perSecond = (text, ms) => text.length / 1e3 / ms;

/** The tables, and where the package is slower than it must be. */
export async function speed() {
  const { parseJson } = await import(OWN);
  const require = createRequire(pathToFileURL(`${installPeers()}/package.json`));
  const peer = "jsonrepair";
  const { jsonrepair } = await import(pathToFileURL(require.resolve(peer)).href);
  const misses = [];
  let parseSpeed = 0;
  const valid = VALID.map(([name, text, json]) => {
    const [ours, strict] = best(
      () => parseJson(text),
      () => JSON.parse(json),
    );
    if (json === text) parseSpeed = perSecond(json, strict);
    const ratio = strict / ours;
    if (ratio < MIN_OF_JSON_PARSE) misses.push(`${name}: ${ratio.toFixed(2)} of JSON.parse`);
    return [name, perSecond(text, ours).toFixed(0), ratio.toFixed(2)];
  });
  const damaged = DAMAGED.map(([name, text]) => {
    const [ours, theirs] = best(
      () => parseJson(text),
      () => JSON.parse(jsonrepair(text)),
    );
    const ratio = theirs / ours;
    if (ratio < MIN_OF_JSONREPAIR) misses.push(`${name}: ${ratio.toFixed(2)} of jsonrepair`);
    return [name, perSecond(text, ours).toFixed(1), perSecond(text, theirs).toFixed(1), `${ratio.toFixed(1)}×`];
  });
  const text = [
    `\`JSON.parse\` of the JSON alone: ${parseSpeed.toFixed(0)} MB/s.`,
    table(["valid, about 1 MB", "MB/s", "of `JSON.parse`"], valid),
    table(["damaged", "MB/s", "jsonrepair alone", "faster"], damaged),
  ].join("\n\n");
  return { text, misses };
}
