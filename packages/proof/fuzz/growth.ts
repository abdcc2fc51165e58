import { once } from "node:events";
import { Script } from "node:vm";
import { Worker } from "node:worker_threads";
import * as fc from "fast-check";
import { parseLine } from "../../gemini-runner/src/cli/stream-json.js";
import { urlsIn } from "../../gemini-runner/src/cli/urls.js";
import { Lines } from "../../gemini-runner/src/process/lines.js";
import { LineBuffer } from "../../gemini-runner/src/run/line-buffer.js";
import { createPartialParser, extractJson } from "../../json-repair/src/index.js";
import { must, type Target } from "./target.js";

/** Every kind of sign and mark that is looked for in a text that nobody vouches for. */
const ATOMS: readonly string[] = [
  ..."{}[]():,\"'`\\/*#-+=.;|<>~_ \n\r\ta1é中",
  ...[
    "“",
    "”",
    "‘",
    "’",
    "„",
    "«",
    "»",
    "「",
    "，",
    "、",
    "：",
    "｛",
    "［",
    "】",
    "…",
    "•",
    "\u00a0",
    "\u200b",
    "\ufeff",
    "\u2028",
  ],
  ...[
    "```",
    "```json\n",
    "~~~",
    "<think>",
    "</think>",
    "[THINK]",
    "◁/think▷",
    "<|channel|>final",
    "<!--",
    "-->",
    "/*",
    "*/",
    "//",
  ],
  ...['\\"', "\\n", "\\u00", "\\x", "\\alpha", "C:\\", '""', "'''", '"""', "''"],
  ...["data: ", "event: x\n", ": x\n", '0:"a"\n', "&quot;", "&#34;", "\u001b[0m", "[0m", "\u001b]", "> ", "│ ", "1: "],
  ...[
    "true",
    "null",
    "None",
    "NaN",
    "1,234",
    "1e5",
    "0x1F",
    "-",
    "...",
    "word ",
    "key: ",
    '"key": ',
    '"a", ',
    '"a"',
    "{}",
    "[1]",
    '{"a":1}',
  ],
  ...['"response":', '{"role":"user"}', "ObjectId(", "http://a", "u'", '"],', '"},'],
  ...["<parameter=a>", "</parameter>", "<arg_key>a</arg_key><arg_value>", "<a>", "</a>", "<escape>", "[f(a=1"],
  ...["**", "<br>", "&nbsp;", "=>", '("a" ', "not ", "Option A: ", "[INFO] ", '1/2""', "True", "3L"],
];
const HEADS: readonly string[] = [
  "",
  "{",
  "[",
  '{"a":',
  '{"a":"',
  '["',
  "{'a':'",
  "x ",
  '```json\n{"a":1,',
  '{"response":"',
];
const TAILS: readonly string[] = ["", "}", "]", '"}', '"]', "x", "\n```", '","b":1}', '\n{"a":1}', '</think>{"a":1}'];

/** As long as anything real. */
const LONGEST = 400_000;
/** Then one way is ended. */
const END_MS = 30_000;
/** What {@link LONGEST} characters may take of the processor. */
const MAX_MS = 500;
const MAX_EXPONENT = 1.15;
/** Below that the growth is lost in noise. */
const MEASURABLE_MS = 100;
/** The least of so many counts: noise only ever adds. */
const TIMES = 5;
/** More than any of the texts fills. */
const ROOM_MB = 512;

export interface GrowingText {
  atoms: readonly string[];
  head: string;
  tail: string;
}

/** One, two or three atoms again and again, behind each head and before each tail. */
export const growing: fc.Arbitrary<GrowingText> = fc.record({
  atoms: fc.array(fc.constantFrom(...ATOMS), { minLength: 1, maxLength: 3 }),
  head: fc.constantFrom(...HEADS),
  tail: fc.constantFrom(...TAILS),
});

export function textOf({ atoms, head, tail }: GrowingText, length = LONGEST): string {
  const piece = atoms.join("");
  return head + piece.repeat(Math.ceil(length / piece.length)) + tail;
}

const nothingFits = {
  "~standard": { version: 1 as const, vendor: "growth", validate: () => ({ issues: [{ message: "no" }] }) },
};
/** A piece of a stream. */
const PIECE = 2_000;

/** The places that read untrusted text at length; what people see of it is the target `rendering`. */
export const WAYS: Readonly<Record<string, (text: string) => unknown>> = {
  "JSON of a text": (text) => extractJson(text),
  "JSON of a text for a schema": (text) => extractJson(text, { schema: nothingFits }),
  "JSON of a stream": (text) => {
    const parser = createPartialParser();
    for (let at = 0; at < text.length; at += PIECE) parser.push(text.slice(at, at + PIECE));
    return parser.end();
  },
  "lines of a run": (text) => {
    const kept = new LineBuffer(PIECE);
    const lines = new Lines((line) => {
      if (!parseLine(line)) kept.add(line);
    });
    for (let at = 0; at < text.length; at += PIECE) lines.push(text.slice(at, at + PIECE));
    lines.flush();
    kept.text();
  },
  "addresses in a text": (text) => urlsIn(text),
};

const SCRIPT = new Script("readOnce()");

/** The processor's milliseconds for each of so many readings; throws when one does not end. */
export function costOf(way: string, text: string, readings = 1): number {
  const before = process.cpuUsage();
  Object.assign(globalThis, { readOnce: () => void WAYS[way]?.(text) });
  for (let reading = 0; reading < readings; reading++) SCRIPT.runInThisContext({ timeout: END_MS });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / readings;
}

/**
 * The best of so many costs of the text in each of the lengths, in turns: a machine that slows down for a while does so for all. A
 * short one is read so often that all read alike many characters: read once, it may end before the collector has to run, and
 * the longer ones seem to grow.
 */
export function costsOf({ way, made, lengths, times }: Measurement): number[] {
  const texts = lengths.map((length) => textOf(made, length));
  const turns = Array.from({ length: times }, () =>
    texts.map((text, nth) => costOf(way, text, LONGEST / (lengths[nth] as number))),
  );
  return lengths.map((_, nth) => Math.min(...turns.map((turn) => turn[nth] as number)));
}

/** What is measured, here or in `growth-with-room.ts`. */
export interface Measurement {
  way: string;
  made: GrowingText;
  lengths: readonly number[];
  times: number;
}

/**
 * Where objects live on, the collector copies them the more often, the longer the text is: with more room for young objects
 * it shows whether that alone made an exponent.
 */
async function costsWithRoom(measurement: Measurement): Promise<number[]> {
  const worker = new Worker(new URL("./growth-with-room.js", import.meta.url), {
    workerData: measurement,
    resourceLimits: { maxYoungGenerationSizeMb: ROOM_MB },
  });
  const [costs] = await once(worker, "message");
  await worker.terminate();
  return costs;
}

/** Throws when a way takes too long for the text, or more than its share for a longer one. */
async function mustGrowWithItsText(way: string, made: GrowingText): Promise<void> {
  const [first] = costsOf({ way, made, lengths: [LONGEST], times: 1 }) as [number];
  if (first < MEASURABLE_MS) return;
  const lengths = [LONGEST / 8, LONGEST / 4, LONGEST / 2, LONGEST];
  const measurement = { way, made, lengths, times: TIMES };
  const costs = costsOf(measurement);
  const last = costs.at(-1) as number;
  must(last <= MAX_MS, () => `${way}: ${LONGEST} characters took ${Math.round(last)} ms of the processor`);
  if (last < MEASURABLE_MS) return;
  const exponentOf = (measured: readonly number[]) => slope(lengths.map(Math.log), measured.map(Math.log));
  if (exponentOf(costs) <= MAX_EXPONENT) return;
  const roomy = await costsWithRoom(measurement);
  must(
    exponentOf(roomy) <= MAX_EXPONENT,
    () =>
      `${way}: grows with the power of ${exponentOf(costs).toFixed(2)}, ${costs.join(", ")} ms; with more room for young ` +
      `objects of ${exponentOf(roomy).toFixed(2)}, ${roomy.join(", ")} ms`,
  );
}

/** Of the line that lies nearest to the points. */
function slope(x: readonly number[], y: readonly number[]): number {
  const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
  const [middle, height] = [mean(x), mean(y)];
  const along = x.reduce((sum, at, i) => sum + (at - middle) * ((y[i] as number) - height), 0);
  return along / x.reduce((sum, at) => sum + (at - middle) ** 2, 0);
}

export const growth: Target = {
  name: "growth",
  about: "Pairs and triples of all signs and marks, repeated: read in time that grows with the text alone.",
  async open() {
    const property = fc.asyncProperty(growing, fc.constantFrom(...Object.keys(WAYS)), async (made, way) =>
      mustGrowWithItsText(way, made),
    );
    return { property, close: async () => {} };
  },
};
