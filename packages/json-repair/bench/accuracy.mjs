// How often the package is right, refuses, or is wrong on the cases that its rules know.
import { readFileSync } from "node:fs";
import heldOut from "../test/corpus/held-out.js";
import { judge } from "../test/corpus/score.js";
import { table } from "./table.mjs";
import { installPeers, OWN_NAME, Tool } from "./tool.mjs";

const CASE_LIMIT_MS = 2_000;
const MIN_RIGHT = 0.98;
const MAX_WRONG = 0.005;

const read = (name) =>
  readFileSync(new URL(`../test/corpus/${name}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const SETS = { published: read("public.jsonl"), own: heldOut, varied: read("varied.jsonl") };

/**
 * The table, and where the package misses what it must reach. Without the peers, since our own cases were written with the rules:
 * beside them stands a set that nobody had seen (`blind.mjs`).
 */
export async function accuracy() {
  const tool = new Tool(OWN_NAME, installPeers());
  const rows = [];
  const counts = {};
  for (const [set, cases] of Object.entries(SETS)) {
    const count = { right: 0, wrong: 0, refused: 0, failed: 0 };
    for (const one of cases) {
      const answer = await tool.ask({ kind: "answer", input: one.input, hint: one.schemaHint }, CASE_LIMIT_MS);
      const verdict = answer.slow || answer.died || answer.overflow ? "failed" : judge(one.expect, answer);
      count[verdict]++;
      if (verdict !== "right") console.error(`${verdict}: ${set} ${one.id}`);
    }
    rows.push([set, `${count.right}/${cases.length}`, count.wrong, count.refused, count.failed]);
    counts[set] = count;
  }
  await tool.close();
  const misses = [];
  const sum = (key) => Object.values(counts).reduce((total, count) => total + count[key], 0);
  const unseen = SETS.own.length + SETS.varied.length;
  const right = counts.own.right + counts.varied.right;
  if (counts.published.right < SETS.published.length) misses.push(`published cases: ${counts.published.right} right`);
  if (right < MIN_RIGHT * unseen) misses.push(`other cases: ${right} right`);
  if (sum("wrong") > MAX_WRONG * unseen) misses.push(`wrong values: ${sum("wrong")} cases`);
  if (sum("failed") > 0) misses.push(`hung or overflowed: ${sum("failed")} cases`);
  return { text: table(["cases", "right", "wrong", "refused", "hung or overflowed"], rows), misses };
}
