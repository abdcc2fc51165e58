// Valid texts with known values, and what one or two slips make of them: by a seed, so that every run makes the same. How
// often is the value found, and does the answer know when it was not?
import { TOOLS } from "./peers.mjs";
import { table } from "./table.mjs";
import { installPeers, OWN, OWN_NAME, Tool } from "./tool.mjs";

const TEXTS = 30_000;
/** So many others, whose faults nobody looks at: what is mended on the first ones shows here. Their numbers begin far behind. */
const [OTHERS, OTHERS_FROM] = [90_000, 60_000];
const PEERS = ["jsonrepair", "typia LlmJson"];
const CASE_LIMIT_MS = 2_000;
/** Of right answers that needed a repair at most so many may say that they are not sure; of wrong ones so many must. */
const MAX_UNSURE = 0.2;
const MIN_FLAGGED = 0.95;

const WORDS =
  "alpha beta the of report status name total note item value price Rome river bridge opened in 1937 and carries about it's O'Brien e.g. 5% (approx.) C++ http://x.example/a?b=1 key: list, then".split(
    " ",
  );
const KEYS = "id name title tags items total note status price meta report n ok rows user address city zip a b".split(
  " ",
);
const SIGNS = ["{", "}", "[", "]", '"', ",", ":"];

/** Numbers from 0 to 1, always the same for a seed. */
function randomFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function maker(random) {
  const below = (n) => Math.floor(random() * n);
  const one = (list) => list[below(list.length)];
  const string = () => {
    const words = Array.from({ length: below(random() < 0.2 ? 14 : 4) + (random() < 0.95 ? 1 : 0) }, () => one(WORDS));
    const text = words.join(" ");
    if (random() < 0.04) return `${text} "${one(WORDS)}" ${one(WORDS)}`;
    if (random() < 0.04) return `${text}\n${one(WORDS)}`;
    return text;
  };
  const scalar = () => {
    const kind = random();
    if (kind < 0.55) return string();
    if (kind < 0.8) return random() < 0.7 ? below(2000) : Math.round(random() * 1e4) / 100;
    return kind < 0.95 ? random() < 0.5 : null;
  };
  const object = (depth) => {
    const names = [...KEYS].sort(() => random() - 0.5).slice(0, 1 + below(5));
    return Object.fromEntries(names.map((name) => [name, value(depth - 1)]));
  };
  const list = (depth) => {
    const length = below(5);
    if (random() < 0.5) return Array.from({ length }, scalar);
    const like = object(depth - 1);
    return Array.from({ length }, () => Object.fromEntries(Object.keys(like).map((key) => [key, scalar()])));
  };
  const value = (depth) => {
    if (depth <= 0 || random() < 0.55) return scalar();
    return random() < 0.55 ? object(depth) : list(depth);
  };
  return { one, root: () => (random() < 0.85 ? object(3) : list(3)) };
}

/** Where the signs of a JSON text stand that are not content, and all places outside of strings. */
function structure(text) {
  const signs = [];
  const outside = [];
  for (let i = 0; i < text.length; i++) {
    if (!/[\w.+-]/.test(text[i]) || !/[\w.+-]/.test(text[i - 1] ?? "")) outside.push(i);
    if (SIGNS.includes(text[i])) signs.push(i);
    if (text[i] !== '"') continue;
    for (i++; text[i] !== '"'; i++) if (text[i] === "\\") i++;
    signs.push(i);
  }
  return { signs, outside };
}

const SLIPS = ["lost", "doubled", "other", "strange"];

/** One slip: a sign that is lost, doubled, in place of another one, or strange between two others. Never content. */
function slip(text, { one }, kind, { signs, outside }) {
  const at = one(kind === "strange" ? outside : signs);
  if (kind === "lost") return text.slice(0, at) + text.slice(at + 1);
  if (kind === "doubled") return text.slice(0, at) + text[at] + text.slice(at);
  return text.slice(0, at) + one(SIGNS) + text.slice(kind === "other" ? at + 1 : at);
}

/**
 * The `nth` damaged text: `{ value, json, text, slips }`. Undefined where the damage, or one of two slips by itself, left JSON: `[1,2]`
 * without its comma is JSON of another value, and nobody can see what was lost.
 */
export function damaged(nth, slips = 1 + (nth % 2)) {
  const random = randomFrom(nth * 2654435761);
  const make = maker(random);
  let value = make.root();
  while (JSON.stringify(value).length < 16) value = make.root();
  const json = JSON.stringify(value, null, make.one([0, 0, 2, 2, 4]));
  const kinds = Array.from({ length: slips }, () => make.one(SLIPS));
  let text = json;
  // From the end on, so that the places of the others stay what they were.
  const places = structure(json);
  const from = json.length >> 1;
  for (const [at, kind] of kinds.entries()) {
    const within = (place) => slips === 1 || place >= from === (at === 0);
    const some = { signs: places.signs.filter(within), outside: places.outside.filter(within) };
    if (some.signs.length === 0) continue;
    const before = text;
    text = slip(text, make, kind, some);
    // What the slip makes of the text that no other one has met: the second one stands before all that the first one did.
    const alone = at === 0 ? text : text.slice(0, text.length - before.length + from) + json.slice(from);
    if (isJson(alone)) return undefined;
  }
  return isJson(text) ? undefined : { value, json, text, slips: kinds };
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function percent(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

/** How the own package answers: how many of the right and of the wrong ones say that they are not sure. */
async function own(cases) {
  const { extractJson } = await import(OWN);
  const count = { all: cases.length, right: 0, unsure: 0, wrong: 0, flagged: 0 };
  for (const { text, value } of cases) {
    const result = extractJson(text);
    if (!result.ok) continue;
    const sure = result.complete && result.repairs.every((repair) => repair.sure);
    const isRight = JSON.stringify(result.value) === JSON.stringify(value);
    count[isRight ? "right" : "wrong"]++;
    if (!sure) count[isRight ? "unsure" : "flagged"]++;
  }
  return count;
}

function casesOf(count, slips, from = 0) {
  const texts = Array.from({ length: count }, (_, nth) => damaged(from + nth + 1, slips));
  return texts.filter((one) => one !== undefined);
}

const sumOf = ([one, two]) => Object.fromEntries(Object.keys(one).map((key) => [key, one[key] + two[key]]));

function rowOf(slips, { all, right, unsure, wrong, flagged }) {
  const said = [percent(unsure, right), percent(flagged, wrong), wrong - flagged];
  return [OWN_NAME, slips, percent(right, all), percent(wrong, all), ...said];
}

/** The table, and where the own package misses what it must reach. */
export async function damage() {
  const body = [];
  const counts = [];
  for (const slips of [1, 2]) {
    const cases = casesOf(TEXTS / 2, slips);
    counts.push(await own(cases));
    body.push(rowOf(slips, counts.at(-1)));
    for (const name of PEERS) body.push([name, slips, ...(await peer(name, cases)), "–", "–", "–"]);
  }
  const both = sumOf(counts);
  body.push(rowOf("1 or 2", both));
  const others = [];
  for (const slips of [1, 2]) others.push(await own(casesOf(OTHERS / 2, slips, OTHERS_FROM)));
  body.push(rowOf(`1 or 2, in ${OTHERS.toLocaleString("en")} other texts`, sumOf(others)));
  const misses = [];
  const { right, unsure, wrong, flagged } = both;
  if (unsure > MAX_UNSURE * right) misses.push(`${percent(unsure, right)} of right answers are not sure`);
  if (flagged < MIN_FLAGGED * wrong) misses.push(`${percent(flagged, wrong)} of wrong answers say so`);
  const head = [
    "tool",
    "slips",
    "right",
    "wrong",
    "not sure, of right ones",
    "not sure, of wrong ones",
    "sure and wrong",
  ];
  return { text: table(head, body), misses };
}

/** How often a peer is right and wrong. */
async function peer(name, cases) {
  if (!(name in TOOLS)) throw new Error(`no tool ${name}`);
  const tool = new Tool(name, installPeers());
  let right = 0;
  let wrong = 0;
  for (const { text, value } of cases) {
    const answer = await tool.ask({ kind: "answer", input: text }, CASE_LIMIT_MS);
    if (!answer.ok) continue;
    if (JSON.stringify(answer.value) === JSON.stringify(value)) right++;
    else wrong++;
  }
  await tool.close();
  return [percent(right, cases.length), percent(wrong, cases.length)];
}
