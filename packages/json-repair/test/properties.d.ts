import type { IProperty } from "fast-check";
import type { createPartialParser, extractJson, repairJson } from "../src/index.js";

export function properties(implementation: {
  extractJson: typeof extractJson;
  repairJson: typeof repairJson;
  createPartialParser: typeof createPartialParser;
}): Record<string, IProperty<unknown>>;
