import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { extractAll, extractJson, JsonExtractError, parseJson } from "../src/index.js";

const Report = z.object({ report: z.string() });

describe("a value that is there", () => {
  test("JSON comes back as it is, with nothing repaired", () => {
    expect(extractJson(' {"a": [1, {"b": null}]}\n')).toEqual({
      ok: true,
      value: { a: [1, { b: null }] },
      source: "whole",
      range: [1, 24],
      repairs: [],
      complete: true,
      candidates: 1,
    });
  });

  test("a report with a fenced block in it is found whole", () => {
    const report = "see\n```js\nf({ a: 1 })\n```\ndone";
    const text = `Here:\n\`\`\`json\n${JSON.stringify({ report })}\n\`\`\``;
    expect(extractJson(text, { schema: Report })).toMatchObject({
      ok: true,
      value: { report },
      source: "fence",
      repairs: [],
    });
  });

  test("the range is where the value stands", () => {
    const text = 'Result:\n{"a": 1}\nBye {x}.';
    const result = extractJson(text);
    expect(result.ok && text.slice(...result.range)).toBe('{"a": 1}');
  });

  test("the range counts what a terminal would not show", () => {
    const text = '\u001b[32mok\u001b[0m {"a": 1} \u001b[0m';
    const result = extractJson(text);
    expect(result.ok && text.slice(...result.range)).toBe('{"a": 1}');
  });

  test("every repair says what, where and how sure", () => {
    const result = extractJson('{"a": 1,\n "b: 2,\n c: "x "y" z",}');
    expect(result).toMatchObject({
      value: { a: 1, b: 2, c: 'x "y" z' },
      repairs: [
        { kind: "missing-quote", at: 12, line: 2, sure: true },
        { kind: "unquoted", at: 18, line: 3, sure: true },
        { kind: "inner-quote", at: 24, line: 3, sure: false },
        { kind: "inner-quote", at: 26, line: 3, sure: false },
        { kind: "trailing-comma", at: 30, line: 3, sure: true },
      ],
    });
  });

  test("a text that breaks off is incomplete, and refused when asked to", () => {
    const text = '{"report": "one, tw';
    expect(extractJson(text, { schema: Report })).toMatchObject({ value: { report: "one, tw" }, complete: false });
    expect(extractJson(text, { schema: Report, partial: false })).toMatchObject({
      ok: false,
      error: { code: "syntax", at: text.length },
    });
  });

  test.each([
    ["last", 2],
    ["first", 1],
    ["largest", 3],
  ] as const)("prefer %s", (prefer, n) => {
    const text = '{"n": 1} then {"n": 3, "m": "long"} then {"n": 2}';
    expect(extractJson(text, { prefer, schema: z.object({ n: z.number() }) })).toMatchObject({ value: { n } });
  });

  test("all values are given in their order", () => {
    const all = extractAll('{"n": 1} and {\'n\': 2} and {"m": 3}', { schema: z.object({ n: z.number() }) });
    expect(all.map((one) => one.value)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(all.map((one) => one.repairs.length > 0)).toEqual([false, true]);
  });

  test("a whole text that is a plain value counts where the schema asks for one", () => {
    expect(parseJson("42", { schema: z.number() })).toBe(42);
    expect(parseJson('"yes"', { schema: z.string() })).toBe("yes");
    expect(extractJson("yes", { schema: z.string() })).toMatchObject({ ok: false });
    expect(extractJson("42")).toMatchObject({ ok: false });
  });

  test("an inner value that a broken one surrounds says so", () => {
    const result = extractJson('{"x" oops {"report": "r"} }', { schema: Report });
    expect(result).toMatchObject({ value: { report: "r" }, repairs: [{ kind: "surroundings", sure: false }] });
  });
});

describe("the schema", () => {
  test("a part of a damaged value that fits says so", () => {
    const rows = z.array(z.object({ id: z.number() }));
    for (const text of ['{"queries": [], "n": 1}}', 'Answer: {{"queries": [], "n": 1}']) {
      const result = extractJson(text, { schema: rows });
      expect(result).toMatchObject({ ok: true, value: [] });
      expect(result.ok && result.repairs.map(({ kind }) => kind)).toContain("surroundings");
    }
  });

  const text = '```json\n{"n": "12", "on": "true", "tags": "x", "more": "[1]", "none": null}\n```';
  const value = { n: 12, on: true, tags: ["x"], more: [1] };

  test("what can be written in its types without loss is, and listed", () => {
    const schema = z.object({
      n: z.number(),
      on: z.boolean(),
      tags: z.array(z.string()),
      more: z.array(z.number()),
      none: z.string().optional(),
    });
    const result = extractJson(text, { schema });
    expect(result).toMatchObject({ value });
    expect(result.ok && result.repairs.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "coercion n",
      "coercion on",
      "coercion tags",
      "coercion more",
      "coercion none",
    ]);
  });

  test("nothing is guessed: digits with a leading zero, a number for a string, a missing field", () => {
    for (const [input, schema] of [
      ['{"a": "007"}', z.object({ a: z.number() })],
      ['{"a": 7}', z.object({ a: z.string() })],
      ["{}", z.object({ a: z.string() })],
    ] as const) {
      expect(extractJson<unknown>(input, { schema })).toMatchObject({ ok: false, error: { code: "schema" } });
    }
  });

  test("zod, valibot and arktype need no adapter, and give the type", () => {
    const input = '{"report": "r", "n": "5"}';
    const zod = parseJson(input, { schema: z.object({ report: z.string(), n: z.number() }) });
    const valibot = parseJson(input, { schema: v.object({ report: v.string(), n: v.number() }) });
    const arktype = parseJson(input, { schema: type({ report: "string", n: "number" }) });
    expectTypeOf(zod).toEqualTypeOf<{ report: string; n: number }>();
    expectTypeOf(valibot).toEqualTypeOf<{ report: string; n: number }>();
    expectTypeOf(arktype).toEqualTypeOf<{ report: string; n: number }>();
    expectTypeOf(parseJson(input)).toBeUnknown();
    for (const one of [zod, valibot, arktype]) expect(one).toEqual({ report: "r", n: 5 });
  });

  test("the output of a transforming schema is the value", () => {
    const schema = z.object({ at: z.string().transform((at) => at.length) });
    const result = extractJson('{"at": "noon"}', { schema });
    expectTypeOf(result).extract<{ ok: true }>().toHaveProperty("value").toEqualTypeOf<{ at: number }>();
    expect(result).toMatchObject({ value: { at: 4 } });
  });

  test("an asynchronous schema is an error of its own", () => {
    const schema = z.object({ a: z.string().refine(async () => true) });
    const result = extractJson('{"a": "x"}', { schema });
    expect(result).toMatchObject({ ok: false, error: { code: "async-schema" } });
  });
});

describe("errors", () => {
  test("what is no string is an error that says so", () => {
    const result = extractJson(undefined as unknown as string);
    expect(!result.ok && result.error.message).toBe("expected a string to look into, got undefined");
  });

  test.each([
    ["empty", "  \n", {}],
    ["not-found", "I am sorry, I cannot.", {}],
    ["syntax", '{"a" ~ 1}', {}],
    ["too-large", '{"a": 1}', { maxLength: 5 }],
    ["too-deep", '{"a": {"b": {"c": 1}}}', { maxDepth: 2 }],
    ["too-deep", "x {'a': {'b': {'c': 1}}}", { maxDepth: 2 }],
  ])("%s", (code, text, options) => {
    const result = extractJson(text, options);
    expect(result).toMatchObject({ ok: false, error: { code, text } });
    expect(() => parseJson(text, options)).toThrow(JsonExtractError);
  });

  test("another shape is told apart, with the issues and the value that came closest", () => {
    const result = extractJson('Sure: {"report": 5}', { schema: Report });
    expect(result).toMatchObject({
      ok: false,
      error: { code: "schema", closest: { report: 5 }, issues: [{ path: ["report"] }] },
    });
  });
});

test("__proto__ and the like stay plain keys", () => {
  for (const text of [
    '{"__proto__": {"admin": true}}',
    "{'__proto__': {'admin': True},}",
    "{constructor: {prototype: {admin: true}}}",
  ]) {
    const result = extractJson<Record<string, unknown>>(text);
    expect(result.ok && Object.getPrototypeOf(result.value)).toBe(Object.prototype);
    expect(result.ok && "admin" in result.value).toBe(false);
  }
  expect("admin" in {}).toBe(false);
});

describe("the budget of a search", () => {
  const refused = `{'response': '[x] {y: 1}'}\n`;

  test("many texts that are refused do not use up what the answer needs", () => {
    const text = `${refused.repeat(150)}{"response": ${JSON.stringify('Here: {report: "found",}')}}`;
    expect(parseJson(text, { schema: Report })).toEqual({ report: "found" });
  });

  test("a search ends, however much there is to read again", () => {
    const result = extractJson(refused.repeat(2_000), { schema: Report });
    expect(result.ok ? undefined : result.error.code).toBe("schema");
  });

  test("what stands on a line with blanks and line ends without end is content", () => {
    const text = `{"report": "a${"\n ".repeat(20_000)}b",}`;
    expect(parseJson(text, { schema: Report })).toEqual({ report: `a${"\n ".repeat(20_000)}b` });
  });
});
