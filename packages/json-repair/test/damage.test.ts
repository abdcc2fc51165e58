import { expect, test } from "vitest";
import { damaged } from "../bench/damage.mjs";
import { extractJson } from "../src/index.js";

test("an answer to a text with one slip is right five times of six, and a wrong one knows it", () => {
  const count = { right: 0, unsure: 0, wrong: 0, flagged: 0, refused: 0 };
  for (let nth = 1; nth <= 3_000; nth++) {
    const one = damaged(nth, 1);
    if (!one) continue;
    const result = extractJson(one.text);
    if (!result.ok) {
      count.refused++;
      continue;
    }
    const sure = result.complete && result.repairs.every((repair) => repair.sure);
    const right = JSON.stringify(result.value) === JSON.stringify(one.value);
    count[right ? "right" : "wrong"]++;
    if (!sure) count[right ? "unsure" : "flagged"]++;
  }
  const all = count.right + count.wrong + count.refused;
  expect(count.right / all).toBeGreaterThan(0.85);
  expect(count.unsure / count.right).toBeLessThan(0.2);
  expect(count.flagged / count.wrong).toBeGreaterThan(0.96);
});
