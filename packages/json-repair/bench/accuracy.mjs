// How often each tool is right, refuses, or is wrong.
import { readFileSync } from "node:fs";
import heldOut from "../test/corpus/held-out.js";
import { judge } from "../test/corpus/score.js";
import { TOOLS } from "./peers.mjs";
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

/** The table, and where the own package misses what it must reach. */
export async function accuracy() {
  const folder = installPeers();
  const rows = [];
  const misses = [];
  for (const name of Object.keys(TOOLS)) {
    const tool = new Tool(name, folder);
    const right = { published: 0, own: 0, varied: 0 };
    let wrong = 0;
    let failed = 0;
    for (const [set, cases] of Object.entries(SETS)) {
      for (const one of cases) {
        const answer = await tool.ask({ kind: "answer", input: one.input, hint: one.schemaHint }, CASE_LIMIT_MS);
        const verdict = answer.slow || answer.died || answer.overflow ? "failed" : judge(one.expect, answer);
        if (verdict === "right") right[set]++;
        else if (verdict === "wrong") wrong++;
        else if (verdict === "failed") failed++;
        if (name === OWN_NAME && verdict !== "right") console.error(`${verdict}: ${set} ${one.id}`);
      }
    }
    await tool.close();
    const scores = Object.entries(SETS).map(([set, cases]) => `${right[set]}/${cases.length}`);
    rows.push([name, ...scores, wrong, failed]);
    console.error(rows.at(-1).join("  "));
    if (name !== OWN_NAME) continue;
    const unseen = SETS.own.length + SETS.varied.length;
    if (right.published < SETS.published.length) misses.push(`published cases: ${right.published} right`);
    if (right.own + right.varied < MIN_RIGHT * unseen) misses.push(`other cases: ${right.own + right.varied} right`);
    if (wrong > MAX_WRONG * unseen) misses.push(`wrong values: ${wrong} cases`);
    if (failed > 0) misses.push(`hung or overflowed: ${failed} cases`);
  }
  const head = ["tool", "published cases", "our own cases", "varied cases", "wrong values", "hung or overflowed"];
  return { text: table(head, rows), misses };
}
