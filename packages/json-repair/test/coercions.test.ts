import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createPartialParser, describeIssues, extractJson, type StandardSchemaV1 } from "../src/index.js";

/** What becomes of a text, and whether that is sure. */
function read(text: string, schema: StandardSchemaV1<unknown, unknown>) {
  const result = extractJson(text, { schema });
  if (!result.ok) return result.error.code;
  const coerced = result.repairs.filter(({ kind }) => kind === "coercion");
  return {
    value: result.value,
    sure: result.repairs.every(({ sure }) => sure),
    paths: coerced.map(({ path }) => path),
  };
}

const STATUS = z.object({ status: z.enum(["in_progress", "done", "not done"]) });
const COUNT = z.object({ n: z.number() });
const NAME = z.object({ s: z.string() });
const FLAG = z.object({ b: z.boolean() });
const MAYBE = z.object({ x: z.number().nullable() });
const TAGS = z.object({ tags: z.array(z.string()) });
const USER = z.object({ userName: z.string(), age: z.number().optional() });

const OPTIONAL = z.object({ isOn: z.string().optional(), tags: z.array(z.string()).default([]) });

test("of two keys that are like one of the schema none is taken, nor is another one", () => {
  for (const text of ['{"is_on": "x", "IsOn": "y"}', '{"on": "x"}'])
    expect(extractJson(text, { schema: OPTIONAL })).toMatchObject({ value: { tags: [] } });
});

test.each<[string, string, unknown]>([
  ["is renamed, though the schema lets others stand", '{"isOn": "x", "maxLen": 2}', { is_on: "x", max_len: 2 }],
  [
    "stays where the schema asks for it as it is",
    '{"is_on": "x", "maxLen": 2, "max_len": 3}',
    { is_on: "x", maxLen: 2, max_len: 3 },
  ],
  ["stays in a map, where it is data", '{"is_on": "x", "map": {"A_b": 1}}', { is_on: "x", map: { A_b: 1 } }],
  [
    "stays in what the schema does not know",
    '{"is_on": "x", "other": {"maxLen": 1}}',
    { is_on: "x", other: { maxLen: 1 } },
  ],
])("the key of a member that may be missing %s", (_, text, value) => {
  const open = { is_on: z.string(), max_len: z.number().optional(), map: z.record(z.string(), z.number()).optional() };
  const result = extractJson(text, { schema: z.looseObject(open) });
  expect(result).toMatchObject({ ok: true, value });
  expect(result.ok && result.repairs.every(({ sure }) => sure)).toBe(true);
});

test("the key of a member that may be missing stays where the schema asks for that and for another style of it", () => {
  const both = z.object({ maxLen: z.number().optional(), max_len: z.number().optional() });
  expect(read('{"maxLen": 2}', both)).toEqual({ value: { maxLen: 2 }, sure: true, paths: [] });
});

test("at great depth keys in another style cost no memory for each list", () => {
  // Paths that are copied for each take more than a process may have.
  const text = `${"[".repeat(2_900)}${"[],".repeat(130_000)}[]${"]".repeat(2_900)}`;
  expect(extractJson(text, { schema: z.any() }).ok).toBe(true);
});

test("a null is left out for sure only where its key is known", () => {
  const [text, number] = [z.string(), v.number()];
  expect(read('{"a": "x", "b": null}', z.record(text, text))).toMatchObject({ value: { a: "x" }, sure: false });
  expect(read('{"a": null}', z.strictObject({ a: text.optional() }))).toMatchObject({ value: {}, sure: true });
  expect(read('{"a": null}', v.strictObject({ a: v.optional(number) }))).toMatchObject({ value: {}, sure: true });
  expect(read('{"a": 1, "b": null}', v.record(v.string(), number))).toMatchObject({ value: { a: 1 }, sure: false });
  expect(read('{"a": null}', type({ "a?": "string", "+": "reject" }))).toMatchObject({ value: {}, sure: true });
});

test("an empty text is an empty object or list, or null where that may be", () => {
  const call = z.object({ name: z.string(), input: z.object({ q: z.string().optional() }) });
  expect(read('{"name": "x", "input": " "}', call)).toMatchObject({ value: { name: "x", input: {} }, sure: true });
  expect(read('{"input": ""}', z.object({ input: z.array(z.string()) }))).toMatchObject({
    value: { input: [] },
    sure: false,
  });
  expect(read('{"input": ""}', z.object({ input: z.object({}).nullable() }))).toMatchObject({
    value: { input: null },
    sure: false,
  });
  const several = z.object({ x: z.union([z.array(z.string()), z.object({})]) });
  expect(read('{"x": ""}', several)).toMatchObject({ sure: false });
  expect(extractJson('["", {"q": "a"}]', { schema: z.array(z.object({ q: z.string().optional() })) }).ok).toBe(false);
  expect(extractJson('""', { schema: z.object({ q: z.string().optional() }) }).ok).toBe(false);
  const asked = z.object({ input: z.object({ q: z.string() }) });
  expect(extractJson('{"input": ""}', { schema: asked }).ok).toBe(false);
});

test("a sentence with commas is one member of a list, and digits with a first zero are a number", () => {
  const list = z.object({ steps: z.array(z.string()) });
  expect(read('{"steps": "Cook it, then wait."}', list)).toMatchObject({ value: { steps: ["Cook it, then wait."] } });
  expect(read('{"n": 0118.50}', COUNT)).toMatchObject({ value: { n: 118.5 }, sure: false });
});

describe("with a schema, and nothing lost", () => {
  test.each<[string, string, StandardSchemaV1<unknown, unknown>, unknown, string]>([
    ["an enum in another case", '{"status": "DONE"}', STATUS, { status: "done" }, "status"],
    ["an enum with a blank for its sign", '{"status": " In progress"}', STATUS, { status: "in_progress" }, "status"],
    ["a number with commas", '{"n": "1,234,567"}', COUNT, { n: 1234567 }, "n"],
    ["an amount of money", '{"n": "$1,234.50"}', COUNT, { n: 1234.5 }, "n"],
    ["a number with its sign", '{"n": "+42"}', COUNT, { n: 42 }, "n"],
    ["a number where a text is asked", '{"s": 42}', NAME, { s: "42" }, "s"],
    ["a number with a last zero where a text is asked", '{"s": 1.10}', NAME, { s: "1.10" }, "s"],
    ["a long number where a text is asked", '{"s": 12345678901234567890}', NAME, { s: "12345678901234567890" }, "s"],
    ["a boolean where a text is asked", '{"s": true}', NAME, { s: "true" }, "s"],
    ["a key of a member that may be missing", '{"is_on": "x"}', OPTIONAL, { isOn: "x", tags: [] }, "isOn"],
    ["the same, in a list", '[{"Is-On": "x"}]', z.array(OPTIONAL), [{ isOn: "x", tags: [] }], "[0].isOn"],
    ["the same, with a default", '{"Tags": ["a"]}', OPTIONAL, { tags: ["a"] }, "tags"],
    ["a key in another style", '{"user_name": "Ann"}', USER, { userName: "Ann" }, "userName"],
    ["a key with a blank", '{"User name": "Ann"}', USER, { userName: "Ann" }, "userName"],
    ["a tuple in a string", `{"tags": "('a', 'b')"}`, TAGS, { tags: ["a", "b"] }, "tags"],
    ["years in round brackets", '{"tags": "(2020-2021)"}', TAGS, { tags: ["(2020-2021)"] }, "tags"],
    ["a link of a wiki that breaks off", '{"tags": "[[wiki link"}', TAGS, { tags: ["[[wiki link"] }, "tags"],
    ["a name in brackets, one too many", '{"tags": "[draft]]"}', TAGS, { tags: ["[draft]]"] }, "tags"],
    ["a name that begins with a bracket", '{"tags": "[Old town"}', TAGS, { tags: ["[Old town"] }, "tags"],
    ["damaged JSON in a string", `{"tags": "['a', 'b',]"}`, TAGS, { tags: ["a", "b"] }, "tags"],
  ])("%s is read as it is meant", (_, text, schema, value, path) => {
    expect(read(text, schema)).toEqual({ value, sure: true, paths: [path] });
  });

  test("what becomes the one member of a list is coerced in its turn", () => {
    const schema = z.object({ ids: z.array(z.number()) });
    expect(read('{"ids": "42"}', schema)).toEqual({ value: { ids: [42] }, sure: true, paths: ["ids", "ids[0]"] });
  });

  test("what stands in a string is coerced in its turn", () => {
    const schema = z.object({ user: USER });
    expect(read('{"user": "{\\"user_name\\": true, \\"age\\": \\"30\\"}"}', schema)).toEqual({
      value: { user: { userName: "true", age: 30 } },
      sure: true,
      paths: ["user", "user.userName", "user.age", "user.userName"],
    });
  });
});

describe("where another reading is possible, it is not sure", () => {
  test.each<[string, string, StandardSchemaV1<unknown, unknown>, unknown]>([
    ["thousands with a point", '{"n": "10.000"}', COUNT, { n: 10 }],
    ["words with another sign between them for a list", '{"tags": "红、绿、蓝"}', TAGS, { tags: ["红、绿、蓝"] }],
    ["words with a word between them for a list", '{"tags": "red and green"}', TAGS, { tags: ["red and green"] }],
    ["dollars with three decimals", '{"n": "$1.234"}', COUNT, { n: 1.234 }],
    ["an amount whose point may be none", '{"n": "€1.234"}', COUNT, { n: 1.234 }],
    ["digits without quotes that JSON does not know", '{"n": 007}', COUNT, { n: 7 }],
    ["a number with one comma, which may be that of a fraction", '{"n": "1,299"}', COUNT, { n: 1299 }],
    ["yes for a boolean", '{"b": "yes"}', FLAG, { b: true }],
    ["0 for a boolean", '{"b": 0}', FLAG, { b: false }],
    ["a word for nothing", '{"x": "N/A"}', MAYBE, { x: null }],
    ["words with commas for a list", '{"tags": "a, b"}', TAGS, { tags: ["a", "b"] }],
    ["numbered keys for a list", '{"tags": {"1": "a", "2": "b"}}', TAGS, { tags: ["a", "b"] }],
    ["words behind a list in a string", '{"tags": "[\\"a\\"] and more"}', TAGS, { tags: ['["a"] and more'] }],
    ["JSON in a string with a bracket too many", '{"tags": "[\\"a\\"]]"}', TAGS, { tags: ["a"] }],
    ["JSON in a string that breaks off", '{"tags": "[\\"a\\", \\"b\\""}', TAGS, { tags: ["a", "b"] }],
    ["an enum with words behind it", '{"status": "done – all of it"}', STATUS, { status: "done" }],
  ])("%s", (_, text, schema, value) => {
    expect(read(text, schema)).toMatchObject({ value, sure: false });
  });
});

test.each([
  ["a share", "95%"],
  ["a number in another country's style", "1.234,5"],
  ["a number and its unit", "12 apples"],
  ["a date", "2026-11-22"],
  ["a number with a first zero", "01234"],
  ["an id of 20 digits", "12345678901234567890"],
])("%s is no number", (_, text) => {
  expect(read(JSON.stringify({ n: text }), COUNT)).toBe("schema");
});

test("two keys that look alike are not chosen from, and one that is there is kept", () => {
  expect(read('{"user_name": "Ann", "user-name": "Eve"}', USER)).toBe("schema");
  expect(read('{"userName": "Ann", "user_name": "Eve"}', USER)).toMatchObject({
    value: { userName: "Ann" },
    paths: [],
  });
});

describe("a union, an enum and a key in another style", () => {
  const text = '{"a": "In Progress", "u": {"k": "x", "n": "1"}, "user_name": "q"}';
  const value = { a: "in_progress", u: { k: "x", n: 1 }, userName: "q" };
  test.each<[string, StandardSchemaV1<unknown, unknown>]>([
    [
      "zod",
      z.object({
        a: z.enum(["in_progress", "done"]),
        u: z.union([z.object({ k: z.literal("y"), m: z.boolean() }), z.object({ k: z.literal("x"), n: z.number() })]),
        userName: z.string(),
      }),
    ],
    [
      "valibot",
      v.object({
        a: v.picklist(["in_progress", "done"]),
        u: v.union([v.object({ k: v.literal("y"), m: v.boolean() }), v.object({ k: v.literal("x"), n: v.number() })]),
        userName: v.string(),
      }),
    ],
    [
      "arktype",
      type({
        a: "'in_progress'|'done'",
        u: type({ k: "'y'", m: "boolean" }).or({ k: "'x'", n: "number" }),
        userName: "string",
      }),
    ],
  ])("are coerced by what %s says of them", (_, schema) => {
    expect(read(text, schema)).toMatchObject({ value, sure: true });
  });
});

test.each(["1.0", "10.00", "1e3"])(
  "a whole number keeps the way it is written where a string is asked: %s",
  (written) => {
    const result = extractJson(`{"version": ${written}}`, { schema: z.object({ version: z.string() }) });
    expect(result).toMatchObject({ value: { version: written } });
  },
);

test("a number inside of an envelope keeps the digits it was written with", () => {
  expect(read('{"result": {"s": 1.0}}', NAME)).toMatchObject({ value: { s: "1.0" }, sure: true });
  expect(read('{"S": 1.0}', NAME)).toMatchObject({ sure: false });
  expect(read('{"x": "{\\"s\\": 7}"}', z.object({ x: NAME }))).toMatchObject({ value: { x: { s: "7" } }, sure: false });
  expect(read('- {"s": 2.0}\n- {"s": 3}', z.array(NAME))).toMatchObject({ sure: false });
});

test.each([
  ["AA-", ["AAA", "AA", "A"]],
  ["A-", ["A", "B"]],
  ["-1", ["0", "1"]],
  ["1-2", ["12", "10"]],
  ["1_0", ["10", "1"]],
])("a sign is no stroke: %s", (text, words) => {
  const seen = read(JSON.stringify({ g: text }), z.object({ g: z.enum(words) }));
  expect(typeof seen === "string" || !seen.sure).toBe(true);
});

test.each(["red\nblue", "- red\n- blue", "red | blue", "red/blue", "none", "N/A", ""])(
  "a text that may be several, or none, is not surely a list of one: %j",
  (text) => {
    const seen = read(JSON.stringify({ s: text }), z.object({ s: z.array(z.string()) }));
    expect(typeof seen === "string" || !seen.sure).toBe(true);
    const one = read('{"s": "https://a.example/b"}', z.object({ s: z.array(z.string()) }));
    expect(one).toMatchObject({ sure: true });
  },
);

test.each<[string, StandardSchemaV1<unknown, unknown>]>([
  ['{"v": 1}', z.object({ v: z.any().refine((value) => value !== 1) })],
  ['{"v": 5}', z.object({ v: z.union([z.string(), z.number()]).refine((value) => value !== 5) })],
  ["[1, 1]", z.fromJSONSchema({ type: "array", uniqueItems: true })],
  ['{"v": 5}', z.object({ v: z.union([z.number().min(9), z.array(z.number().min(9))]) })],
  ['{"v": "abc"}', type({ v: "string == 5 | string[]" })],
])("what fails a check is not made another type to pass it: %s", (text, schema) => {
  expect(extractJson(text, { schema })).toMatchObject({ ok: false, error: { code: "schema" } });
});

test("a key that is missing with none like it ends the tries, unless a check of the caller's misses it", () => {
  let tries = 0;
  const counted = (validate: (value: unknown) => { value: unknown } | { issues: object[] }) =>
    ({
      "~standard": { version: 1, vendor: "own", validate: (value) => ++tries && validate(value) },
    }) as StandardSchemaV1;
  const both = z.object({ n: z.number(), m: z.number() });
  const schema = counted((value) => both["~standard"].validate(value) as { value: unknown });
  expect(extractJson('{"n": "1"}', { schema })).toMatchObject({ ok: false });
  expect(tries).toBe(1);
  tries = 0;
  expect(extractJson('{"n": "1", "M": "2"}', { schema })).toMatchObject({ ok: true, value: { n: 1, m: 2 } });
  expect(tries).toBeGreaterThan(1);
  const check = counted((value) => {
    const isText = Object(value).n === "1";
    return isText ? { issues: [...Array(300).fill({ code: "custom", path: ["m"] }), { path: ["n"] }] } : { value };
  });
  expect(extractJson('{"n": "1"}', { schema: check })).toMatchObject({ ok: true, value: { n: 1 } });
});

test("the JSON around many parts is parsed once for the digits of all of them", () => {
  const parse = vi.spyOn(JSON, "parse");
  const rows = z.array(z.object({ n: z.number() }));
  const result = extractJson(`{"a": [${"[1],".repeat(2_000)}[1]]}`, { schema: rows });
  const times = parse.mock.calls.length;
  parse.mockRestore();
  expect(result.ok).toBe(false);
  expect(times).toBeLessThan(20);
});

test("words that a schema comes to allow later are found", () => {
  const allowed = ["open"];
  const validate = (value: unknown) => {
    const isAllowed = allowed.includes(Object(value).s);
    return isAllowed ? { value } : { issues: [{ message: "no", path: ["s"], values: allowed }] };
  };
  const schema = { "~standard": { version: 1, vendor: "own", validate } } as StandardSchemaV1;
  expect(read('{"s": "Open"}', schema)).toMatchObject({ value: { s: "open" } });
  allowed.push("in_progress");
  expect(read('{"s": "In progress"}', schema)).toMatchObject({ value: { s: "in_progress" } });
});

test("lists in a union of arktype at the root are coerced", () => {
  const schema = type("string[]").or({ names: "string[]" });
  expect(read('["Ann", 5, 6]', schema)).toMatchObject({ value: ["Ann", "5", "6"] });
  expect(read('{"a": 1}', type({ a: "number" }).array())).toMatchObject({ value: [{ a: 1 }] });
});

test("many keys in another style are each compared once", () => {
  const names = Array.from({ length: 1_500 }, (_, nth) => `my_key_${nth}`);
  const schema = z.object(Object.fromEntries(names.map((name) => [name, z.number()])));
  const camel = Object.fromEntries(names.map((name, nth) => [name.replace("_k", "K"), nth]));
  const lower = vi.spyOn(String.prototype, "toLowerCase");
  const result = extractJson(JSON.stringify(camel), { schema });
  const times = lower.mock.calls.length;
  lower.mockRestore();
  expect(result).toMatchObject({ ok: true, value: { my_key_1499: 1_499 } });
  expect(times).toBeLessThan(20_000);
});

test("where very much is wrong, little of it is tried", () => {
  let numbers: z.ZodType = z.number();
  for (let depth = 0; depth < 9; depth++) numbers = z.array(numbers);
  let issues = 0;
  const counting: StandardSchemaV1<unknown, unknown> = {
    "~standard": {
      ...numbers["~standard"],
      validate(value) {
        const result = numbers["~standard"].validate(value) as { value: unknown; issues?: { message: string }[] };
        issues += result.issues?.length ?? 0;
        return result;
      },
    },
  };
  const text = `${"[".repeat(9)}"x"${',"x"'.repeat(3_999)}${"]".repeat(9)}`;
  expect(extractJson(text, { schema: counting }).ok).toBe(false);
  const parser = createPartialParser({ schema: counting });
  for (let at = 0; at < text.length; at += 500) parser.push(text.slice(at, at + 500));
  expect(parser.end().ok).toBe(false);
  const deep = issues;
  issues = 0;
  expect(extractJson(`["x"${',"x"'.repeat(59_999)}]`, { schema: counting }).ok).toBe(false);
  // In four rounds; all ways would be seven.
  expect(issues).toBeLessThan(310_000);
  const stringify = vi.spyOn(JSON, "stringify");
  const rows = z.object({ n: z.array(z.number()) });
  expect(extractJson(`{"n": [${'"x",'.repeat(9_999)}"x"]}`, { schema: rows }).ok).toBe(false);
  const names = stringify.mock.calls.length;
  stringify.mockRestore();
  // Of the first places; of all of them it would be 20,000.
  expect(names).toBeLessThan(2_000);
  // 166,000; all ways at all places, in all lists and at each piece, would be 966,000.
  expect(deep).toBeLessThan(200_000);
});

describe("a list, where an object that needs one list alone is asked for", () => {
  const Items = z.object({ items: z.array(z.string()), note: z.string().optional() });

  test.each(['["a", "b"]', 'Here they are:\n```json\n["a", "b"]\n```', "['a', 'b',]"])("is in it: %s", (text) => {
    expect(extractJson(text, { schema: Items })).toMatchObject({
      value: { items: ["a", "b"] },
      repairs: expect.arrayContaining([expect.objectContaining({ kind: "coercion", sure: false })]),
    });
  });

  test.each([
    ["another list", '["a"]\n\n["b"]', Items],
    ["a mark in a sentence", "As it says [1].", z.object({ items: z.array(z.number()) })],
    ["a list that breaks off", '["a", "b', Items],
    ["more is needed", '["a"]', z.object({ items: z.array(z.string()), n: z.number() })],
    ["none is needed", '["a"]', z.object({ items: z.string() })],
  ])("is not: %s", (_, text, schema) => {
    expect(extractJson<unknown>(text, { schema }).ok).toBe(false);
  });

  test("gives way to what is in an envelope", () => {
    const text = '[{"type": "text", "text": "{\\"items\\": [\\"a\\"]}"}]';
    expect(extractJson(text, { schema: Items })).toMatchObject({ value: { items: ["a"] }, source: "envelope" });
  });
});

test.each([
  ["zod", z.object({ n: z.number().max(100) })],
  ["valibot", v.object({ n: v.pipe(v.number(), v.maxValue(100)) })],
  ["arktype", type({ n: "number <= 100" })],
] as [string, StandardSchemaV1][])(
  "what is wrong with a number that is too big and stands in quotes, by %s",
  (_, schema) => {
    const result = extractJson('{"n": "120"}', { schema });
    expect(result.ok || describeIssues(result.error)).toMatch(/100/);
  },
);

test("a word in other cases is that of an enum, but for a unit, which may be another one", () => {
  expect(read('{"p": "iOS"}', z.object({ p: z.enum(["ios", "web"]) }))).toMatchObject({
    value: { p: "ios" },
    sure: true,
  });
  expect(read('{"p": "mW"}', z.object({ p: z.enum(["MW", "kW"]) }))).toMatchObject({ value: { p: "MW" }, sure: false });
});
