import type { RepairKind } from "./edits.js";
import type { Reading, Way } from "./reading.js";

/** By how much a way must be the cheapest to be sure; measured on damaged texts by `bench/damage.mjs`. */
const MARGINS: Partial<Record<RepairKind, number>> = {
  "extra-quote": 0,
  "extra-colon": 0,
  "missing-colon": 0,
  "extra-opener": 0,
  "extra-comma": 0,
  separator: 0,
  "wrong-opener": 0,
  "missing-comma": 2,
  "wrong-closer": 1,
  "extra-closer": 1,
  "missing-closer": 6,
  "missing-opener": 5,
};
const MARGIN = 3;

/** Whether the way is sure: it says so, or was the cheapest by far. */
export function isSure(r: Reading, { kind, sure }: Way): boolean {
  return sure ?? r.margin >= ((kind && MARGINS[kind]) ?? MARGIN);
}
