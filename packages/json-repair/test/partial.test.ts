import { expect, test } from "vitest";
import { createPartialParser, extractJson } from "../src/index.js";

test("the value grows with every chunk", () => {
  const parser = createPartialParser();
  const seen = [
    'Sure:\n```json\n{"ti',
    'tle": "La dol',
    'ce vita", "year": 19',
    '60, "cast": ["Marc',
    'ello"',
    "]}\n```\nBye",
  ].map((chunk) => {
    parser.push(chunk);
    return JSON.stringify(parser.value);
  });
  expect(seen).toEqual([
    "{}",
    '{"title":"La dol"}',
    '{"title":"La dolce vita"}',
    '{"title":"La dolce vita","year":1960,"cast":["Marc"]}',
    '{"title":"La dolce vita","year":1960,"cast":["Marcello"]}',
    '{"title":"La dolce vita","year":1960,"cast":["Marcello"]}',
  ]);
  expect(parser.complete).toBe(true);
});

test("an escape that is cut waits for its end", () => {
  const parser = createPartialParser();
  parser.push('{"a": "snow \\u26');
  expect(parser.value).toEqual({ a: "snow " });
  parser.push('03"');
  expect(parser.value).toEqual({ a: "snow ☃" });
  expect(parser.complete).toBe(false);
});

test("what is not JSON any more is repaired", () => {
  const parser = createPartialParser();
  parser.push("{'a': 'x', ");
  expect(parser.value).toEqual({ a: "x" });
  expect(parser.complete).toBe(false);
  const other = createPartialParser();
  other.push('{"a": 1, b: "tw');
  expect(other.value).toEqual({ a: 1, b: "tw" });
  expect(other.complete).toBe(false);
  other.push('o",}');
  expect(other.value).toEqual({ a: 1, b: "two" });
  expect(other.complete).toBe(true);
});

test.each([
  ["a citation and a placeholder", "See [1] and {topic}: "],
  ["thoughts", '<think>Maybe {"report": "a draft"}?</think>\n'],
  ["a log line", "[INFO] start {x}\n"],
])("%s before the value is passed over, in any pieces", (_, before) => {
  const value = { report: "as [1] says", list: [1, null] };
  const whole = createPartialParser();
  const pieces = createPartialParser();
  whole.push(before + JSON.stringify(value));
  for (const sign of before + JSON.stringify(value)) pieces.push(sign);
  for (const parser of [whole, pieces]) {
    expect(parser.value).toEqual(value);
    expect(parser.complete).toBe(true);
  }
});

test("__proto__ is a key like any other", () => {
  const parser = createPartialParser();
  parser.push('{"__proto__": {"admin": true}}');
  expect(Object.keys(parser.value as object)).toEqual(["__proto__"]);
  expect("admin" in (parser.value as object)).toBe(false);
});

test.each([
  ["[THINK]", "[/THINK]"],
  ["<think>", "</think>"],
  ["<antThinking>", "</antThinking>"],
  ["◁think▷", "◁/think▷"],
  ["<|channel|>analysis<|message|>", "<|end|><|channel|>final<|message|>"],
  ["<unused94>", "<unused95>"],
])("a draft between %s and %s is passed over, as in a whole text", (opens, closes) => {
  const text = `${opens}{"a":"draft"}${closes}{"a":"final"}`;
  const parser = createPartialParser();
  for (const sign of text) parser.push(sign);
  expect(parser.value).toEqual({ a: "final" });
  expect(extractJson(text)).toMatchObject({ value: { a: "final" } });
});

// The limit of the runner is the only clock: each of these took minutes.
test.each([
  ["a single quote", "{'a': 1, "],
  ["a comment", '{ /* all */ "a": 1, '],
  ["a trailing comma", '{"a": [1,], '],
])("%s does not make every reading of what follows one of the whole", (_, damage) => {
  const text = `${damage}"rows": [${'{"id": 1, "name": "x"}, '.repeat(12_000)}{}]}`;
  const parser = createPartialParser();
  for (let at = 0; at < text.length; at += 40) {
    parser.push(text.slice(at, at + 40));
    parser.value;
  }
  expect(parser.complete).toBe(true);
  expect((parser.value as { rows: unknown[] }).rows).toHaveLength(12_001);
});
