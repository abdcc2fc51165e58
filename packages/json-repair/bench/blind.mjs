// A blind set beside the peers. What the own package gave when it had not seen the set stands here as it fell:
// since then it is known.
import { readFileSync } from "node:fs";
import { judge } from "../test/corpus/score.js";
import { TOOLS } from "./peers.mjs";
import { table } from "./table.mjs";
import { installPeers, OWN_NAME, Tool } from "./tool.mjs";

const SET = 3;
const AS_IT_FELL = { right: 291, wrong: 5 };
const CASE_LIMIT_MS = 2_000;

/** The table. No limit holds for the peers. */
export async function blind() {
  const folder = installPeers();
  const cases = readFileSync(new URL(`../test/corpus/blind-${SET}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const rows = [[OWN_NAME, `${AS_IT_FELL.right}/${cases.length}`, AS_IT_FELL.wrong]];
  for (const name of Object.keys(TOOLS)) {
    if (name === OWN_NAME) continue;
    const tool = new Tool(name, folder);
    let right = 0;
    let wrong = 0;
    for (const { input, schema, expect, accept = [], refuseOk = false } of cases) {
      const answer = await tool.ask({ kind: "answer", input, schema }, CASE_LIMIT_MS);
      if ([expect, ...accept].some((one) => judge(one, answer) === "right") || (refuseOk && !answer.ok)) right++;
      else if (answer.ok) wrong++;
    }
    await tool.close();
    rows.push([name, `${right}/${cases.length}`, wrong]);
    console.error(rows.at(-1).join("  "));
  }
  return { text: table(["tool", `right of blind set ${SET}`, "wrong or made of nothing"], rows), misses: [] };
}
