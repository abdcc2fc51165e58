// The last blind sets beside the peers. What the own package gave when it had not seen them stands here as it fell:
// since then they are known.
import { readFileSync } from "node:fs";
import { judge } from "../test/corpus/score.js";
import { JSON_SCHEMA_TOOLS, TOOLS } from "./peers.mjs";
import { table } from "./table.mjs";
import { installPeers, OWN_NAME, Tool } from "./tool.mjs";

const SETS = [100, 101, 102, 103, 104];
const AS_IT_FELL = { right: 938, wrong: 11 };
const CASE_LIMIT_MS = 2_000;

/** The table. No limit holds for the peers. */
export async function blind() {
  const folder = installPeers();
  const cases = SETS.flatMap((set) =>
    readFileSync(new URL(`../test/corpus/blind-${set}.jsonl`, import.meta.url), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
  const rows = [[OWN_NAME, `${AS_IT_FELL.right}/${cases.length}`, AS_IT_FELL.wrong]];
  for (const name of Object.keys({ ...TOOLS, ...JSON_SCHEMA_TOOLS })) {
    if (name === OWN_NAME) continue;
    const tool = new Tool(name, folder);
    const counts = await answersOf(tool, cases).catch(() => undefined);
    await tool.close();
    rows.push(counts ? [name, `${counts.right}/${cases.length}`, counts.wrong] : [name, "cannot be run here", ""]);
    console.error(rows.at(-1).join("  "));
  }
  return {
    text: table(["tool", `right of blind sets ${SETS[0]} to ${SETS.at(-1)}`, "wrong or made of nothing"], rows),
    misses: [],
  };
}

async function answersOf(tool, cases) {
  const counts = { right: 0, wrong: 0 };
  for (const { input, schema, expect, accept = [], refuseOk = false } of cases) {
    const answer = await tool.ask({ kind: "answer", input, schema }, CASE_LIMIT_MS);
    const isRight = [expect, ...accept].some((one) => judge(one, answer) === "right") || (refuseOk && !answer.ok);
    if (isRight) counts.right++;
    else if (answer.ok) counts.wrong++;
  }
  return counts;
}
