import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createPartialParser, extractJson, type StandardSchemaV1 } from "../src/index.js";

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

test("a long list may be pushed at once", () => {
  const update = createPartialParser().push(`[${"1,".repeat(200_000)}1]`);
  expect(update.finished).toHaveLength(200_002);
  expect(update.complete).toBe(true);
});

test("__proto__ is a key like any other", () => {
  const parser = createPartialParser();
  parser.push('{"__proto__": {"admin": true}}');
  expect(Object.keys(parser.value as object)).toEqual(["__proto__"]);
  expect("admin" in (parser.value as object)).toBe(false);
});

/** An expectation for each sign would take longer than the reading. */
function mustHideDraft(value: unknown, text: string): void {
  const shown = JSON.stringify(value) ?? "";
  if (shown.includes("draft")) expect(shown, text).not.toContain("draft");
}

const HARMONY = ["<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"] as const;
const THOUGHTS = [
  ["[THINK]", "[/THINK]"],
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<antThinking>", "</antThinking>"],
  ["<scratchpad>", "</scratchpad>"],
  ["◁think▷", "◁/think▷"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<cot>", "</cot>"],
  ["<think_reason>", "</think_reason>"],
  ["<|thinking_start|>", "<|thinking_end|>"],
  ["<|channel>thought\n", "<channel|>"],
  ["<unused94>", "<unused95>"],
  ["Thinking...\n", "\n...done thinking.\n"],
  HARMONY,
] as const;

test.each(THOUGHTS)("a draft between %s and %s is never shown, nor one that is not closed", (opens, closes) => {
  for (const draft of [
    '{"a":"draft"}',
    '{"a":"draft',
    '{"draft":',
    "{'a': 'draft',}",
    '```json\n{"a":"draft"}\n```',
    '["draft"]',
    '{\\"a\\": \\"draft\\"}',
    '> {"a": "draft"}\n> x\n',
    '"{\\"a\\": \\"draft\\"}"',
    '\'{"a": "draft\\\\n it\\\'s"}\'',
  ]) {
    for (const answer of ['{"a":"final"}', "So:\n```json\n{'a': 'final',}\n```\n", ""]) {
      for (const close of [closes, "\n"]) {
        const parser = createPartialParser();
        const text = opens + draft + close + answer;
        for (const sign of text) {
          const { value, complete } = parser.push(sign);
          mustHideDraft(value, parser.text);
          if (complete) expect(extractJson(parser.text)).toMatchObject({ value, complete });
        }
        if (close === closes && answer !== "") {
          expect(parser.value).toEqual({ a: "final" });
          expect(parser.complete).toBe(true);
        }
        expect(parser.end()).toEqual(extractJson(text));
      }
    }
  }
});

describe("thoughts in thoughts", () => {
  // A channel is left by the next one, and Ollama's words begin no second thought.
  const nesting = THOUGHTS.filter((marks) => marks !== HARMONY && marks[0] !== "Thinking...\n");
  const pairs = nesting.flatMap((outer) => nesting.map((inner) => [outer, inner] as const));

  test.each(pairs)("%s around %s: nothing is shown before the outer one has ended", ([open, close], inner) => {
    for (const before of ["", "As [1] says: "]) {
      const parser = createPartialParser();
      const thought = `${open}x ${inner[0]}{"a":"draft"}${inner[1]} y {"a":"draft"} ${close}`;
      for (const sign of `${before}${thought}{"a":"final"}`) mustHideDraft(parser.push(sign).value, parser.text);
      expect(parser.value).toEqual({ a: "final" });
      expect(parser.end()).toMatchObject({ ok: true, value: { a: "final" } });
    }
  });

  const isDraft = expect.objectContaining({ kind: "surroundings", sure: false });

  test.each(pairs)(
    "%s around %s: what the text has when it breaks off in the outer one is a draft",
    ([open], inner) => {
      const text = `${open}x ${inner[0]}{"a":"draft"}${inner[1]} y {"a":"draft"} z`;
      for (let to = open.length; to <= text.length; to++) {
        const result = extractJson(text.slice(0, to));
        if (result.ok) expect(result.repairs, text.slice(0, to)).toContainEqual(isDraft);
      }
    },
  );

  test.each(nesting)("%s without its %s: what comes behind the inner one is not sure", (open, close) => {
    const text = `${open}x ${open}{"a":"draft"}${close} y {"a":"final"}`;
    expect(extractJson(text)).toMatchObject({ ok: true, value: { a: "final" }, repairs: [isDraft] });
  });

  test("channels follow each other, and the final one ends all of them", () => {
    const [analysis, final] = HARMONY;
    const text = `${analysis}x${analysis}{"a":"draft"}${analysis}y${final}{"a":"final"}`;
    expect(extractJson(text)).toMatchObject({ ok: true, value: { a: "final" }, repairs: [] });
    expect(createPartialParser().push(text).value).toEqual({ a: "final" });
  });

  test("what Ollama prints ends with the first line that says so", () => {
    const text = 'Thinking...\nThinking...\n{"a":"draft"}\n...done thinking.\n\n{"a":"final"}';
    expect(extractJson(text)).toMatchObject({ ok: true, value: { a: "final" }, repairs: [] });
    expect(createPartialParser().push(text).value).toEqual({ a: "final" });
    expect(extractJson(text.slice(0, 40))).toMatchObject({ ok: true, value: { a: "draft" }, repairs: [isDraft] });
  });

  test.each(nesting)("%s: a thought may tell of %s in quotes", (open, close) => {
    const parser = createPartialParser();
    const told = `${open}I must write "${close.trim()}" later, or "x ${close.trim()} y". {"a":"draft"}`;
    for (const sign of `${told}${close}{"a":"final"}`) mustHideDraft(parser.push(sign).value, parser.text);
    expect(parser.value).toEqual({ a: "final" });
    const broken = createPartialParser();
    for (const sign of told) broken.push(sign);
    expect(broken.value).toBeUndefined();
    expect(broken.end()).toMatchObject({ repairs: [{ kind: "surroundings", sure: false }] });
  });
});

test.each([
  ["a thought ends behind it that no mark began", "</think>", undefined],
  ["another value comes that has its keys", '\nNo: {"a": 2}', { a: 2 }],
  ["it goes on", ', "b": 2}', { a: 1, b: 2 }],
])("a value that has ended is given up when %s, and that is told", (_, rest, value) => {
  const parser = createPartialParser();
  expect(parser.push('{"a": 1}')).toMatchObject({ value: { a: 1 }, complete: true, restarted: false });
  const updates = Array.from(rest, (sign) => parser.push(sign));
  expect(updates.filter(({ restarted }) => restarted)).toHaveLength(1);
  expect(parser.value).toEqual(value);
});

test("words and citations behind a value leave it as it is", () => {
  const parser = createPartialParser();
  const updates = Array.from('{"a": [1]}\nAs [1] says, "it is" (so): {topic}.', (sign) => parser.push(sign));
  expect(updates.some(({ restarted }) => restarted)).toBe(false);
  expect(parser.value).toEqual({ a: [1] });
  expect(parser.complete).toBe(true);
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

test("a text of nothing but repairs is read anew seldom", () => {
  const parser = createPartialParser();
  parser.push("{");
  const values = Array.from({ length: 1_000 }, () => parser.push('"\t'.repeat(10)).value);
  expect(new Set(values).size).toBeLessThan(60);
});

test("however a text is damaged, one reading is left for its end", () => {
  const text = `{'a': 1, "rows": [${'{"id": 1, "name": "x"}, '.repeat(900)}{}]}`;
  for (const size of [7, 20, 33, 250]) {
    const parser = createPartialParser();
    for (let at = 0; at < text.length; at += size) parser.push(text.slice(at, at + size));
    expect([size, parser.complete]).toEqual([size, true]);
  }
});

describe("what is complete is what the whole text gives", () => {
  const name = z.string();
  test.each<[string, string, z.ZodType]>([
    ["yes for true", '{"name":"Ann","ok":"yes"}', z.object({ name, ok: z.boolean() })],
    ["a value that was told before", '{"ok":"yes","name":"Ann"}', z.object({ name, ok: z.boolean() })],
    ["a list in a text", '{"name":"Ann","tags":"a, b"}', z.object({ name, tags: z.array(z.string()) })],
    ["a key in another style", '{"name":"Ann","Age":30}', z.object({ name, age: z.number() })],
    ["null for a missing key", '{"name":"Ann","age":null}', z.object({ name, age: z.number().optional() })],
    ["a list of one", '{"name":"Ann"}', z.array(z.object({ name }))],
  ])("%s", (_, text, schema) => {
    const parser = createPartialParser<unknown>({ schema });
    let restarted = false;
    for (const sign of text) restarted = parser.push(sign).restarted;
    const whole = extractJson<unknown>(text, { schema });
    expect(parser.complete).toBe(true);
    expect(parser.value).toEqual(whole.ok && whole.value);
    expect(restarted).toBe(true);
    expect(parser.push("\nThat is it.")).toMatchObject({ restarted: false, complete: true });
  });

  test.each<[string, string, Record<string, unknown>]>([
    ["a number where a text is asked for", '{"b": 1.10, "x": 1, "y": 2', { b: "1.10", x: 1, y: 2 }],
    ["what holds one", '{"b": {"c": 1.10}, "x": 1, "y": 2', { b: { c: "1.10" }, x: 1, y: 2 }],
    ["a text that may be several", '{"b": "1, 2", "x": 1, "y": 2', { b: ["1", "2"], x: 1, y: 2 }],
  ])("what has ended and is still changed at the end is not named: %s", (_, text, value) => {
    const shapes = [z.string(), z.array(z.string()), z.object({ c: z.string() })];
    const b = shapes.find((shape) => shape.safeParse(value["b"]).success) ?? z.never();
    const parser = createPartialParser({ schema: z.object({ b, x: z.number(), y: z.number().optional() }) });
    expect(parser.push(text).finished).toEqual([["x"]]);
    expect(parser.end()).toMatchObject({ ok: true, value });
  });

  test("a citation is given up when the sentence goes on", () => {
    const parser = createPartialParser();
    expect(parser.push("[1]").complete).toBe(true);
    expect(parser.push(" says so.")).toMatchObject({ value: undefined, complete: false });
  });
});

test.each([
  [['\nThinking...\n{"a": 7, "b": [1]}', "\n...done thinking.\n", "\nSure: "]],
  [['{"a": 7}', "\n...done thinking.\n", "So be it."]],
])("what the end of a thought turns into a draft is taken back: %j", (chunks) => {
  const parser = createPartialParser();
  const updates = chunks.map((chunk) => parser.push(chunk));
  expect(updates.map(({ restarted }) => restarted)).toEqual([false, true, false]);
  expect([parser.value, parser.complete]).toEqual([undefined, false]);
});

test.each([null, { schema: 5 }])("options that are none are refused: %j", (options) => {
  expect(() => createPartialParser(options as never)).toThrow(expect.objectContaining({ code: "invalid-options" }));
});

test("a schema that answers later is an error of the package", () => {
  const parser = createPartialParser({ schema: z.object({ a: z.number() }).refine(async () => true) });
  const push = () => parser.push('{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}');
  expect(push).toThrow(expect.objectContaining({ name: "JsonExtractError", code: "async-schema" }));
});

test.each([
  ["another one corrects it", ["{'a': 1}", "\n\nCorrected JSON:\n", "{'a': 2}"]],
  ["it goes on as another one", ["[", "1", "]", "-", "1"]],
  ["words follow a pair of brackets", ["{}", " is empty"]],
])("a damaged or empty value that was complete is given up where %s", (_, pieces) => {
  const parser = createPartialParser();
  const updates = pieces.map((piece) => parser.push(piece));
  const result = parser.end();
  expect(updates.at(-1)?.value).toEqual(result.ok ? result.value : undefined);
  expect(updates.some(({ complete }) => complete)).toBe(true);
  expect(updates.at(-1)?.restarted).toBe(true);
});

test("what is no string is refused, and is not added", () => {
  const parser = createPartialParser();
  parser.push('{"a": ');
  expect(() => parser.push(new TextEncoder().encode("1}") as never)).toThrow("expected a string, got an object");
  expect(parser.push("1}").value).toEqual({ a: 1 });
});

test.each([
  'Version 1:\n{"n": "x", "a": 3}\nVersion 2 (fixed):\n{"n": "x", "a": 4}\nUse version 1 if it breaks.',
  'Option A: {"a": 2}\nOption B: {"a": 1}\nI recommend option A, since it is cheap.',
])("words behind options that say which one is meant are heard: %s", (text) => {
  for (const size of [1, 3, 7, text.length]) {
    const parser = createPartialParser();
    for (let at = 0; at < text.length; at += size) {
      const { complete, value } = parser.push(text.slice(at, at + size));
      if (complete) expect(extractJson(parser.text)).toMatchObject({ ok: true, value });
    }
    expect(parser.end()).toEqual(extractJson(text));
  }
});

describe("unions in a stream", () => {
  const zods = [
    z.object({ kind: z.literal("circle"), radius: z.number() }),
    z.object({ kind: z.literal("square"), side: z.number() }),
  ] as const;
  const valibots = [
    v.object({ kind: v.literal("circle"), radius: v.number() }),
    v.object({ kind: v.literal("square"), side: v.number() }),
  ] as const;
  test.each<[string, StandardSchemaV1<unknown, unknown>]>([
    ["z.union", z.union(zods)],
    ["z.discriminatedUnion", z.discriminatedUnion("kind", zods)],
    ["v.union", v.union(valibots)],
    ["v.variant", v.variant("kind", valibots)],
    ["type.or", type({ kind: "'circle'", radius: "number" }).or({ kind: "'square'", side: "number" })],
  ])("%s: nothing that was named is changed, and all is what the whole text gives", (_, schema) => {
    for (const text of [
      '{"kind": "Circle", "radius": "2.5", "by": "ann"}',
      '{"radius": "2.5", "by": "ann", "kind": "Circle"}',
      '{"kind": "square", "side": "3", "by": "ann"}',
    ]) {
      const parser = createPartialParser<unknown>({ schema });
      const named = new Map<string, string>();
      for (const piece of text) {
        const { value, finished, restarted } = parser.push(piece);
        expect(restarted, text).toBe(false);
        const at = (key: string) => JSON.stringify(key === "" ? value : Object(value)[key]);
        for (const path of finished) named.set(path.join("."), at(path.join(".")));
        for (const [key, json] of named) expect(at(key), `${key} of ${text}`).toBe(json);
      }
      expect([...named.keys()], text).toEqual(expect.arrayContaining([""]));
      expect(parser.value).toMatchObject(text.includes("square") ? { side: 3 } : { kind: "circle", radius: 2.5 });
    }
  });

  test.each<[string, StandardSchemaV1<unknown, unknown>, string]>([
    ["numbers", type({ k: "1", v: "number" }).or({ k: "2", v: "string" }), '"k": 1'],
    ["literals", type({ k: "true", v: "number" }).or({ k: "false", v: "string" }), '"k": true'],
    ["types", type({ k: "string", v: "number" }).or({ k: "number", v: "string" }), '"k": "x"'],
    ["several words", type({ k: "'x'|'w'", v: "number" }).or({ k: "'y'", v: "string" }), '"k": "w"'],
    [
      "a key in another object",
      type({ m: { k: "'x'" }, v: "number" }).or({ m: { k: "'y'" }, v: "string" }),
      '"m": {"k": "x"}',
    ],
  ])("options of arktype that are told apart by %s", (_, schema, tag) => {
    const parser = createPartialParser<unknown>({ schema });
    const named = new Map<string, unknown>();
    for (const piece of `{"v": "42", ${tag}, "y": 1, "z": [1, 2, 3]}`) {
      const { value, finished } = parser.push(piece);
      for (const [key] of finished) if (key !== undefined) named.set(String(key), Object(value)[key]);
    }
    expect(parser.value).toMatchObject({ v: 42 });
    expect(parser.value).toMatchObject(Object.fromEntries(named));
  });

  test("what tells the options apart is named at once if the schema says that it does", () => {
    const parser = createPartialParser({ schema: z.discriminatedUnion("kind", zods) });
    expect(parser.push('{"kind": "Circle", "radius": ').finished).toEqual([["kind"]]);
  });

  test("what was named and is changed by what came later is given up", () => {
    const schema = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("circle"), size: z.number() }),
      z.object({ kind: z.literal("text").optional(), size: z.string() }),
    ]);
    const parser = createPartialParser({ schema });
    const first = parser.push('{"size": "4", "by": "ann", "kind": ');
    expect(first).toMatchObject({ value: { size: "4" }, finished: [["size"], ["by"]], restarted: false });
    const second = parser.push('"circle", "n": 1}');
    expect(second).toMatchObject({ value: { size: 4 }, restarted: true, complete: true });
    expect(second.finished).toEqual([["kind"], ["n"], []]);
    expect(parser.push(" ")).toMatchObject({ restarted: false, complete: true });
  });

  test("of more options than are looked at nothing is named before the object", () => {
    const options = Array.from({ length: 150 }, (_, nth) => z.object({ kind: z.literal(`k${nth}`), n: z.number() }));
    const parser = createPartialParser({ schema: z.union(options) });
    expect(parser.push('{"kind": "K149", "x": 1, "y": 2, "z": 3, ').finished).toEqual([]);
  });
});
