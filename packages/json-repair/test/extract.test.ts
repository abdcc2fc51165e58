import { expect, test } from "vitest";
import { z } from "zod";
import { extractJson } from "../src/index.js";

test("a value that fits the schema comes back", () => {
  expect(extractJson('{"a":1}', { schema: z.object({ a: z.number() }) })).toMatchObject({ ok: true, value: { a: 1 } });
});

test("a value of another shape is an error that names the problem", () => {
  expect(extractJson('{"a":"x"}', { schema: z.object({ a: z.number() }) })).toMatchObject({ ok: false });
});
