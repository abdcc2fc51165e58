import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { extractJson } from "../src/index.js";
import { judge } from "./corpus/score.js";

interface Case {
  text: string;
  /** A JSON Schema. */
  schema?: Record<string, unknown>;
  /** The value that a reader takes it for; without one nobody knows, or there is none. */
  meant?: unknown;
}

/** Texts that strangers found to be read wrongly, and for sure. */
const CASES: Case[] = readFileSync(new URL("corpus/doubts.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

test.each(CASES.map((one) => [one.text.slice(0, 160), one] as const))("is not read wrongly for sure: %s", (_, one) => {
  const { text, schema, meant } = one;
  const result = extractJson(text, schema ? { schema: z.fromJSONSchema(schema) } : {});
  const sure = result.ok && result.complete && result.repairs.every((repair) => repair.sure);
  const isMeant = meant !== undefined && judge(meant, result) === "right";
  expect(sure && !isMeant, JSON.stringify(result)).toBe(false);
});
