import { expect, test } from "vitest";
import { adversarial } from "../bench/adversarial.mjs";
import { extractJson } from "../src/index.js";

const nothingFits = {
  "~standard": { version: 1 as const, vendor: "test", validate: () => ({ issues: [{ message: "no" }] }) },
};

// The limit of the runner is the only clock here: what grows with the square of the length does not come back in it.
test.each(Object.entries(adversarial))("%s ends in a value or an error", (_, make) => {
  const text = make(20_000);
  for (const result of [extractJson(text), extractJson(text, { schema: nothingFits })]) {
    expect(result.ok || (result.error.code !== "async-schema" && !/stack|RangeError/i.test(result.error.message))).toBe(
      true,
    );
  }
});
