// How the time grows with adversarial texts: every tool by the same measure.
import { adversarial } from "./adversarial.mjs";
import { SCHEMA_TOOLS, TOOLS } from "./peers.mjs";
import { table } from "./table.mjs";
import { installPeers, OWN_NAME, Tool } from "./tool.mjs";

/** Multiples of every number to 10, and of most to 16: what is repeated breaks off at the same sign in all four. */
const LENGTHS = [50_400, 100_800, 201_600, 403_200];
/** Of what still grows too fast; no text is longer than 16 million. */
const LONGER = [403_200, 806_400, 1_612_800, 3_225_600];
const MAX_EXPONENT = 1.15;
const MAX_MS = 500;
/** A run that takes longer than this is beyond the limit, however noisy the machine. */
const HANG_MS = 3_000;
const MEASURE_LIMIT_MS = 120_000;
/** Room for young objects, in which the collector has hardly any that live to copy. */
const ROOMY = { maxYoungGenerationSizeMb: 512 };
/** Below this, what is measured is how the engine gets its memory: an exponent says nothing. */
const MIN_MS_FOR_EXPONENT = 5;
/** A sample that is shorter is repeated: the clock of CPU time is no finer. */
const MIN_SAMPLE_MS = 4;
/** Each length is measured so often, in turns; the first round compiles. Noise only ever adds: the best one counts. */
const ROUNDS = 4;
/** So often where the row is above a limit, and may be by noise. */
const MAX_ROUNDS = 12;
const NOISE = 1.5;
/** Behind it, no further round of a row of the own package begins; a peer is measured well enough by one. */
const ROW_MS = 20_000;

/** What the peers are measured with, one of each kind: with all of them a run would take half an hour. */
const PEER_TEXTS = [
  ...["open {", "open [", "{[", "stray {", "quotes", "backslashes", "fences", "<think>", "ansi", "inner quotes"],
  ...["missing commas", "cut fences"],
];

const overLimit = ({ ms, exponent, roomy = exponent, longer = roomy }) =>
  ms > MAX_MS || (longer > MAX_EXPONENT && ms >= MIN_MS_FOR_EXPONENT);

/** The slope of a straight line through the logarithms. */
function exponentOf(times, lengths = LENGTHS) {
  const x = lengths.map(Math.log);
  const y = times.map(Math.log);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const over = x.reduce((sum, value, at) => sum + (value - mx) * (y[at] - my), 0);
  return over / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}

const also = (name, exponent) => (exponent === undefined ? "" : `, ${name} ${exponent.toFixed(2)}`);
const shown = ({ text, failed, ms, exponent, roomy, longer }) =>
  `${text}: ${failed ?? `${ms.toFixed(1)} ms, exponent ${exponent.toFixed(2)}${also("with room", roomy)}${also("of longer ones", longer)}`}`;

/** `{ ms, exponent }` of a text, or `{ failed }`: what the tool did instead of answering in time. */
async function grow(tool, name, refused, patienceMs) {
  for (const length of LENGTHS) {
    const { overflow, slow, died, ms } = await tool.ask({ kind: "probe", name, length, refused }, HANG_MS);
    if (overflow) return { failed: "overflow" };
    if (slow || died) return { failed: "hung" };
    // Not yet compiled, so not yet the time of the row; this long it cannot be within the limit.
    if (ms > 4 * MAX_MS) return { failed: "slow" };
  }
  let best = LENGTHS.map(() => Infinity);
  let row;
  const end = performance.now() + patienceMs;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const question = { kind: "measure", name, lengths: LENGTHS, refused, minSampleMs: MIN_SAMPLE_MS };
    const { ms } = await tool.ask(question, MEASURE_LIMIT_MS);
    if (!ms) return { failed: "hung" };
    best = best.map((least, at) => Math.min(least, ms[at]));
    row = { ms: best.at(-1), exponent: exponentOf(best) };
    // Too fast for an exponent: more rounds would say nothing more; nor do they far beyond a limit.
    if (row.ms < MIN_MS_FOR_EXPONENT / NOISE) break;
    if (round >= ROUNDS && (!overLimit(row) || row.ms > NOISE * MAX_MS || row.exponent > NOISE)) break;
    if (performance.now() > end) break;
  }
  return row;
}

/** The exponent of texts of up to eight times the length: a step in what memory costs is none. */
async function ofLonger(tool, name, refused) {
  let best = LONGER.map(() => Infinity);
  for (let round = 1; round <= ROUNDS; round++) {
    const question = { kind: "measure", name, lengths: LONGER, refused, minSampleMs: MIN_SAMPLE_MS };
    const { ms } = await tool.ask(question, MEASURE_LIMIT_MS);
    if (!ms) return Infinity;
    best = best.map((least, at) => Math.min(least, ms[at]));
  }
  return exponentOf(best, LONGER);
}

/** The tables, and the rows of the own package that are outside of the limits. */
export async function growth({ only }) {
  const folder = installPeers();
  const body = [];
  let own = [];
  for (const name of Object.keys(TOOLS)) {
    if (only !== undefined && !name.includes(only)) continue;
    const tool = new Tool(name, folder);
    const roomyTool = new Tool(name, folder, ROOMY);
    const patienceMs = name === OWN_NAME ? ROW_MS : 0;
    const results = [];
    for (const text of name === OWN_NAME ? Object.keys(adversarial) : PEER_TEXTS) {
      for (const refused of SCHEMA_TOOLS.has(name) ? [false, true] : [false]) {
        const row = {
          text: refused ? `${text}, refused by a schema` : text,
          ...(await grow(tool, text, refused, patienceMs)),
        };
        if (row.exponent > MAX_EXPONENT && row.ms >= MIN_MS_FOR_EXPONENT) {
          row.roomy = (await grow(roomyTool, text, refused, patienceMs)).exponent;
          if (row.roomy > MAX_EXPONENT) row.longer = await ofLonger(roomyTool, text, refused);
        }
        results.push(row);
        if (name === OWN_NAME && (row.failed || overLimit(row))) console.error(`outside of the limits: ${shown(row)}`);
      }
    }
    await tool.close();
    await roomyTool.close();
    if (name === OWN_NAME) own = results;
    const count = (test) => results.filter(test).length;
    const measured = results.filter((one) => one.failed === undefined);
    body.push([
      name,
      results.length,
      count((one) => one.failed === "overflow"),
      count((one) => one.failed === "hung" || one.failed === "slow" || one.ms > MAX_MS),
      count((one) => one.roomy !== undefined),
      count((one) => one.roomy > MAX_EXPONENT),
      count((one) => one.longer > MAX_EXPONENT),
      Math.max(0, ...measured.map((one) => one.ms)).toFixed(0),
    ]);
    console.error(body.at(-1).join("  "));
  }
  const misses = own.filter((one) => one.failed || overLimit(one)).map(shown);
  const slowest = own.filter((one) => !one.failed).toSorted((a, b) => b.ms - a.ms);
  const head = [
    "tool",
    "runs",
    "overflow",
    "over 0.5 s",
    "exponent over 1.15",
    "with room, too",
    "and in longer texts",
    "slowest of the others, ms",
  ];
  const text = [
    `CPU time on ${Object.keys(adversarial).length} adversarial texts, each of four lengths from 50,400 to 403,200 characters: without a schema and, if a tool takes one, with
a schema that refuses everything.

- The time is that of 403,200 characters, of all threads, so the collection of garbage counts.
- A sample of any length reads 403,200 characters: a short text is read several times.
- The four lengths are measured in ${ROUNDS} turns, or in up to ${MAX_ROUNDS} above a limit. The best sample of each counts, since noise only ever adds.
- The exponent is a least-squares fit over the four lengths, if the longest takes ${MIN_MS_FOR_EXPONENT} ms or more.
- Where objects live on, the collector copies them more often in a long text than in a short one. So what has an exponent over ${MAX_EXPONENT} is
  measured again with more room for young objects: what is then below it owes it to the collector.
- Some machines take several times as long for a piece of memory that is large: that is a step, and no growth. So what still has an
  exponent over ${MAX_EXPONENT} is measured with texts of up to ${LONGER.at(-1).toLocaleString("en")} characters.
- The other tools get ${PEER_TEXTS.length} of the texts, one of each kind, in one turn.`,
    table(head, body),
    `The slowest of ${OWN_NAME}:`,
    table(
      ["text", "ms", "growth exponent"],
      slowest.slice(0, 6).map(({ text, ms, exponent }) => [text, ms.toFixed(0), exponent.toFixed(2)]),
    ),
    ...(misses.length > 0 ? [`Outside of the limits: ${misses.join("; ")}.`] : []),
  ].join("\n\n");
  return { text, misses };
}
