import { describe, expect, test } from "vitest";
import { z } from "zod";
import { extractJson, parseJson } from "../src/index.js";

/** The value, and whether every repair is sure. */
function read(text: string, schema?: z.ZodType): { value: unknown; sure: boolean } | undefined {
  const result = extractJson(text, schema ? { schema } : {});
  return result.ok ? { value: result.value, sure: result.repairs.every(({ sure }) => sure) } : undefined;
}

const Person = z.object({ name: z.string(), age: z.number() });
const [ann, bob] = ['{"name": "Ann", "age": 1}', '{"name": "Bob", "age": 2}'];
const both = [
  { name: "Ann", age: 1 },
  { name: "Bob", age: 2 },
];

describe("what stands in a sentence is an example beside what has its lines for itself", () => {
  test.each([
    ['I thought of `[{"id": 1}]`, but nothing matches:\n\n```json\n[]\n```', []],
    ['No more `{"strict": true}` as a default.\n\n{}', {}],
    ['The config is:\n\n    {"a": 1}\n\nand the old one was {"a": 0, "b": 2}.', { a: 1 }],
    [
      'By the schema\n```json\n{"type": "object", "properties": {"alt": {"type": "integer"}}}\n```\nit is\n```json\n{"alt": 2}\n```',
      { alt: 2 },
    ],
    ['{"summary": "cold"}\n\n(based on {"place": "Oslo", "month": "January", "temp": 3})', { summary: "cold" }],
  ])("%s", (text, value) => {
    expect(read(text)).toEqual({ value, sure: true });
  });

  test("alone, or among others of its kind, it is the answer", () => {
    expect(read('I chose {"a": 1} for you.')?.value).toEqual({ a: 1 });
    const script = '<script>var a = {"n": 3};\nvar b = {"name": "Kettle", "colours": ["sand"]};</script>';
    expect(read(script)?.value).toEqual({ name: "Kettle", colours: ["sand"] });
    expect(read('Before {"a": 1} it was {"a": 1, "b": 2} here.')?.value).toEqual({ a: 1, b: 2 });
  });
});

test.each([
  ["of options", 'Option A: {"a": 1}\nOption B: {"a": 2}', false],
  ["of options with letters alone", 'A) {"a": 1}\nB) {"a": 2}', false],
  ["of options in fences", 'Option 1\n```json\n{"a": 1}\n```\nOption 2\n```json\n{"a": 2}\n```', false],
  ["what others call old", 'Old: {"a": 1}\nNew: {"a": 2}', true],
])("the last %s is taken", (_, text, sure) => {
  expect(read(text)).toEqual({ value: { a: 2 }, sure });
  expect(read(text, z.object({ a: z.number() }))).toEqual({ value: { a: 2 }, sure });
});

describe("what speaks against a value", () => {
  test.each([
    ["it is the input of what follows", 'Input: {"a": 2, "b": 3}\nOutput: {"a": 1}'],
    ["it was rejected", 'Decision: {"a": 1}. Layout A, i.e. {"a": 2}, was rejected since it is small.'],
    ["another one has an element for itself", 'Draft A is {"a": 3},\ndraft B is {"a": 2}.\n\n<final>{"a": 1}</final>'],
  ])("%s", (_, text) => {
    expect(read(text)).toEqual({ value: { a: 1 }, sure: true });
  });

  test.each([
    ["it is called wrong for a reason", '{"a": 1}\n\nWrong (in cents it would be 12): {"a": 2}'],
    ["it is what was sent", '{"a": 1}\n\nFor comparison, this is the input you had sent:\n{"a": 2}'],
    ["it is an example of what is wrong", '{"a": 1}\n\nUse this as an example of what is wrong:\n{"a": 2}'],
    ["it is there for comparison", '{"a": 1}\nFor comparison only, the other option would be:\n{"a": 2}'],
    ["it would have been wrong", '{"a": 1}\n\nThis would have been wrong, because it is a price:\n\n{"a": 2}'],
  ])("%s, in words that may mean something else", (_, text) => {
    expect(read(text)).toEqual({ value: { a: 1 }, sure: false });
  });

  test.each([
    ...[
      "I got the age wrong",
      "Sorry, that was not correct",
      "Values that are not used are left out",
      "The answer would be",
    ],
    ...["Your validator rejected the first one", "All things considered", "Please ignore the draft", "Not a draft"],
    ...["This replaces the previous one", "Fixed the invalid JSON", "The original question asks for this"],
    ...["My first answer was wrong", "❌ was the first one, ✅ is this", "For reference, the answer"],
    ...["Wrong final answer", "Example of a final answer", "The old record (not updated)", "I updated this record"],
    ...["The tool actually returned", "You have to wait for the second response", "Mine is better than yours"],
  ])("nothing for sure, where more is said: %s", (words) => {
    const text = `{"a": 1}\n${words}:\n{"a": 2}`;
    expect([read(text)?.sure, read(text, z.object({ a: z.number() }))?.sure]).toEqual([false, false]);
  });

  test.each([
    ["a heading of what is meant", 'Draft order:\n{"id": 7, "items": [1, 2]}\n\nNote:\n{"x": 1}'],
    ["words about a final result", '{"id": 7, "items": [1, 2]}\n\nThe final result has this footer: {"ok": true}'],
    ["former ones beside those of today", 'Previous month:\n{"a": 1}\nThis month:\n{"a": 2}'],
  ])("nothing for sure: %s", (_, text) => {
    expect(read(text)?.sure).toBe(false);
    expect(read(text, z.array(z.object({ a: z.number() })))?.sure).not.toBe(true);
  });

  test.each([
    ["is the last one of two on a line", '<a>{"c": 2}</a><b>{"a": 1, "b": [2]}</b>', { a: 1, b: [2] }],
    ["was accepted", 'Layout A is {"a": 2}.\nLayout B, i.e. {"a": 1}, was taken.', { a: 1 }],
    ["stands in an element of other things", '<context>{"b":2}</context>\nSo I return {"a": 1} now.', { a: 1 }],
    ["is a citation in an element", 'Answer {"a": 1}\n<sup>[1]</sup>', { a: 1 }],
    ["is followed by another sentence", '{"a": 1}\n\nIs wrong role possible? Then {"a": 2}', { a: 1 }],
    [
      "is wrong under a condition",
      '{"a": 1, "c": 2} is invalid only if b is missing. See also {"b": 1}.',
      { a: 1, c: 2 },
    ],
    ["was provided", 'Here is the input you provided as JSON:\n{"a": 1, "b": 2}\n\nStats: {"len": 5}', { a: 1, b: 2 }],
    [
      "takes the place of an old one",
      'Please use the following, the old one is wrong:\n{"a": 1}\n\nmeta {"b":1}',
      { a: 1 },
    ],
    ["is for those of whom words say something", '{"a": 2}\n\nDo **not** use markdown:\n{"a": 1}', { a: 1 }],
    ["ends an indented line that no code follows", "Result:\n\n    answer = []\n\nNothing was found.", []],
  ])("nothing, where it %s", (_, text, value) => {
    expect(read(text)?.value).toEqual(value);
  });
});

test("an answer to what the model asked itself is not taken", () => {
  const text = '### Response:\n{"a": 1}\n\n### Instruction:\nNext\n\n### Response:\n{"a": 2}';
  expect(read(text)).toEqual({ value: { a: 1 }, sure: true });
});

describe("a value that corrects those before it is taken, whatever they hold", () => {
  const [more, less] = ['{"a": 1, "b": 2}', '{"a": 1}'];

  test.each([
    `First attempt:\n${more}\n\nOops, "b" does not belong there. Fixed version:\n${less}`,
    `\`\`\`json\n${more}\n\`\`\`\n**Corrected JSON:**\n\`\`\`json\n${less}\n\`\`\``,
    `Observation: ${more}\nFinal Answer: ${less}`,
    `${more}\n\n## Corrected version\n${less}`,
  ])("%s", (text) => {
    expect(read(text)).toEqual({ value: { a: 1 }, sure: true });
  });

  test.each([
    ["under a title of the same words", `Variable costs:\n${more}\n\nFixed costs:\n${less}`],
    ["within a sentence", `${more}\n\nThe values that were updated: ${less}`],
    ["that is denied", `${more}\n\nNot final: ${less}`],
    ["behind the number of an issue", `${more}\n\nSee issue #12. Final version\n${less}`],
    ["behind strokes alone", `${more}\n\nThis is the updated__\n${less}`],
    ["at the end of a sentence", `${more}\nThis is no final answer\n${less}`],
    ["that is final and empty", `${more}\n\nFinal answer: {}`],
    ["that is empty", `${more}\n\nCorrected: {}`],
    ["of another kind", `${more}\n\nUpdated: ["a"]`],
    ["of other keys", `Semi-final: ${more}\nFinal: {"c": 1}`],
    ["behind the next turn", `${more}\n\nHuman: Thanks\n\nAssistant: Final answer: ${less}`],
  ])("but not one %s", (_, text) => {
    expect(read(text)?.value).toEqual({ a: 1, b: 2 });
  });
});

test.each([
  'Plan: {"steps": ["x", "y"]}\n\nFinal answer:\n{"a": 1}',
  'Plan: {"steps": ["x", "y"]}\n\n**Final result**\n```json\n{"a": 1}\n```',
])("a final answer with other keys than those before it is taken: %s", (text) => {
  expect(read(text)).toEqual({ value: { a: 1 }, sure: true });
});

describe("where a list is asked for, several values are its members", () => {
  test.each([
    ["elements of the same name", `<tool_call>\n${ann}\n</tool_call>\n<tool_call>\n${bob}\n</tool_call>`],
    ["fences", `\`\`\`json\n${ann}\n\`\`\`\n\`\`\`json\n${bob}\n\`\`\``],
  ])("behind each other, each in %s", (_, text) => {
    expect(read(text, z.array(Person))?.value).toEqual(both);
  });

  test("words between them make it unsure", () => {
    expect(read(`First comes\n${ann}\nand later on\n${bob}`, z.array(Person))).toEqual({ value: both, sure: false });
  });

  test("what stands in one of them does not say that the next one corrects it", () => {
    const quiz = (nth: number) => `### ${nth}\n\`\`\`json\n{"name": "q", "age": ${nth}, "correct": "b"}\n\`\`\`\n`;
    const Quiz = z.array(Person.extend({ correct: z.string() }));
    expect(read(quiz(1) + quiz(2), Quiz)?.value).toHaveLength(2);
  });

  test("an example or one that is commented out is no member", () => {
    const text = `For example {"name": "your name", "age": 0}:\n${ann}\nand later on\n${bob}\n// {"name": "Cy", "age": 1}`;
    expect(read(text, z.array(Person))?.value).toEqual(both);
  });

  test("who prefers one gets one", () => {
    const text = `First comes\n${ann}\nand later on\n${bob}`;
    expect(parseJson(text, { schema: z.array(Person), prefer: "first" })).toEqual(both.slice(0, 1));
  });

  test("a draft is no member", () => {
    expect(read(`A draft:\n${ann}\nI got the name wrong, so:\n${bob}`, z.array(Person))?.value).toEqual(both.slice(1));
  });

  test("words that correct one leave the last", () => {
    expect(read(`At first:\n${ann}\nI got the name wrong, so:\n${bob}`, z.array(Person))).toEqual({
      value: both.slice(1),
      sure: false,
    });
  });
});

describe("values behind each other, and nothing is asked for", () => {
  test("objects with the same keys and nothing between them are a list, which is not sure", () => {
    expect(read(ann + bob)).toEqual({ value: both, sure: false });
    expect(read(`${ann}{"b": 2}`)?.sure).toBe(false);
  });

  test("an empty one among them, or a free line before other keys, is not sure", () => {
    expect(read('{}\n{"a": 1}')?.sure).toBe(false);
    expect(read('{"a": 1}\n\n{"a": 1, "b": 2}')?.sure).toBe(false);
    expect(read('{"a": 1}\n{"b": 2}')).toEqual({ value: [{ a: 1 }, { b: 2 }], sure: true });
    expect(read('{"a": 1},\n{"b": 2}')).toEqual({ value: [{ a: 1 }, { b: 2 }], sure: false });
    expect(read('{\n"a": 1}\n{\n"b": 2}')).toEqual({ value: [{ a: 1 }, { b: 2 }], sure: false });
    expect(read('{\n"a": 1}\n{\n"a": 2}')).toEqual({ value: [{ a: 1 }, { a: 2 }], sure: true });
  });

  test("a line that lacks its last bracket is a member of the list as well", () => {
    const lines = `${ann.slice(0, -1)}\n${bob}`;
    for (const text of [lines, `${ann}\n${lines}`, `${lines}\n${ann}`])
      for (const schema of [undefined, z.array(Person)])
        expect(read(text, schema)).toMatchObject({ value: { length: text.split("\n").length } });
    expect(read(`${lines}\n${ann}`)?.value).toEqual([...both, both[0]]);
  });

  test.each([`"name": the name of the person`, `"name": "Ann" since it says so.`])(
    "but not what explains a key: %s",
    (words) => {
      expect(read(`${ann}\n${words}`)?.value).toEqual(both[0]);
    },
  );

  test("of which the last one breaks off", () => {
    const lines = 'The log:\n{"n": 1, "m": 2}\n{"n": 3, "m": 4}\n{"n": 5, "m';
    expect(read(lines)).toEqual({ value: [{ n: 1, m: 2 }, { n: 3, m: 4 }, { n: 5 }], sure: false });
  });

  test("behind the end of a line", () => {
    expect(read('ent": 1}\n{"ent": 2}')).toEqual({ value: [{ ent: 1 }, { ent: 2 }], sure: false });
  });

  test("behind keys with numbers", () => {
    const lines = 'ring-1:{"n": 1}\nring-2:{"n": 2}\n% end of topic x [0] at 2';
    expect(read(lines)).toEqual({ value: [{ n: 1 }, { n: 2 }], sure: false });
  });

  test("of several containers", () => {
    const lines = 'api-1  | {"a":1}\nqueue-worker-2 | {"a":2}\nqueue-worker-2 | {"a":3}';
    expect(read(lines)).toEqual({ value: [{ a: 1 }, { a: 2 }, { a: 3 }], sure: false });
  });

  test.each(["api-1  | ", "07:00:59.12 [main] INFO up ", "[app] "])(
    "objects with the same keys behind the same mark of a log: %j",
    (mark) => {
      const lines = `${mark}${ann}\n${mark.replace("59", "60")}${bob}`;
      expect(read(`It says:\n${lines}`)).toEqual({ value: both, sure: false });
      // Words introduce one value: it may be one of several tries.
      expect(read(`Try 1 ${ann}\nTry 2 ${bob}`)?.value).toEqual(both[1]);
      expect(read(`${lines}\n${mark}{"a": 1}`)?.value).toEqual(both[1]);
    },
  );

  test("a numbered list is sure", () => {
    expect(read(`1. ${ann}\n2. ${bob}`)).toEqual({ value: both, sure: true });
  });
});

describe("a text that breaks off in a member that the schema refuses", () => {
  const List = z.object({ items: z.array(Person) });

  test("gives what there is before that member", () => {
    for (const cut of ['{"na', '{"name": "Bob",', '{"name": "Bob", "age', "{"]) {
      const result = extractJson(`{"items": [${ann}, ${cut}`, { schema: List });
      expect(result).toMatchObject({ ok: true, value: { items: both.slice(0, 1) }, complete: false });
    }
  });

  test("leaves out a member that may be missing", () => {
    const schema = z.object({ name: z.string(), home: z.object({ city: z.string(), zip: z.string() }).optional() });
    const result = extractJson('{"name": "Ann", "home": {"city": "Rome", "zi', { schema });
    expect(result).toMatchObject({ ok: true, value: { name: "Ann" }, complete: false });
  });

  test("takes nothing away from what has ended", () => {
    expect(extractJson('{"items": [{"name": "Ann", "age": "old"}]}', { schema: List }).ok).toBe(false);
    expect(extractJson(`{"items": [{"name": "Ann", "age": "old"}, ${bob}`, { schema: List }).ok).toBe(false);
  });
});

describe("parts of something that is written in another way", () => {
  test("what stands in a call that nobody knows is not surely the answer", () => {
    expect(read("{'a': f([1, 2, 3]), 'b': 1}")?.sure).toBe(false);
    expect(read("{'a': f([1, 2, 3])} gives:\n\n{\"b\": [4]}")).toEqual({ value: { b: [4] }, sure: true });
  });

  test("an equals sign may stand for the colon before lists and objects, too", () => {
    expect(read('{home = {city = "Rome", zip = 184}, n = 1}')?.value).toEqual({
      home: { city: "Rome", zip: 184 },
      n: 1,
    });
  });

  test("a declaration is no value", () => {
    expect(read("interface A { name: string, age: number }")).toBeUndefined();
  });
});

describe("what was lost or put in at the start", () => {
  test("a brace behind words, if more of them close than open", () => {
    const text = 'The first line was lost:\n\n"name": "map", "parts": ["app", "tiles"]}';
    expect(read(text)?.value).toEqual({ name: "map", parts: ["app", "tiles"] });
    const described = '"name": "a text",\n"parts": ["texts"]\n\n{"name": "map", "parts": []}';
    expect(read(`Keys:\n${described}`)?.value).toEqual({ name: "map", parts: [] });
  });

  test("the opening brace and the first quote", () => {
    expect(read('score": 3, "why": "so"}')).toEqual({ value: { score: 3, why: "so" }, sure: true });
    expect(read('"score": 3, "why": "so"}')).toEqual({ value: { score: 3, why: "so" }, sure: true });
    expect(read('"a": 1}, {"a": 2}]')?.sure).toBe(false);
  });

  test("a stray sign before a key, but none of a patch", () => {
    expect(read('{."n": 3, *"el": "Li"}')?.value).toEqual({ n: 3, el: "Li" });
    expect(read(' {\n-  "a": 1,\n+  "a": 2\n }')).toBeUndefined();
  });

  test("the values stand under the schema's own word", () => {
    expect(read(`{"properties": ${ann}}`, Person)?.value).toEqual(both[0]);
  });
});

test("what leaves something out is no row of a list", () => {
  const text = 'It has this shape: {"a": [...], "b": ...}\n\n{"a": ["x"], "b": 2}';
  expect(read(text)?.value).toEqual({ a: ["x"], b: 2 });
});

test("what is commented out behind another value is no answer", () => {
  expect(read('{"a": 1}\n// {"a": 2} {"a": 3}', z.object({ a: z.number() }))?.value).toEqual({ a: 1 });
});

test("lists of which the first bracket is missing are read for a schema, and not sure", () => {
  const result = read("Matrix: [1, 0], [0, 1]]", z.array(z.array(z.number())));
  expect(result).toEqual({
    value: [
      [1, 0],
      [0, 1],
    ],
    sure: false,
  });
});

test("a thought before a final answer is no answer", () => {
  expect(read('{"thought": "hm"}\nFinal answer: {"a": 1}')).toEqual({ value: { a: 1 }, sure: true });
});

test("versions behind bars are none of a log", () => {
  expect(read('old | {"a": 1}\nnew | {"a": 2}')).toEqual({ value: { a: 2 }, sure: true });
});

describe("where nothing says which of several values is meant, the one that is taken is not sure", () => {
  test.each<[string, string, unknown, boolean]>([
    ["the last of two versions", 'First:\n{"a": 1}\n\nThen:\n{"a": 2}', { a: 2 }, false],
    ["the larger of two", 'Head:\n{"a": 1}\n\nBody:\n{"b": 2, "c": 3}', { b: 2, c: 3 }, false],
    ["a list behind an object", 'Page:\n{"n": 1}\n\nRows:\n["x", "y"]', ["x", "y"], false],
    ["two within sentences", 'It was {"a": 1} and is {"a": 2} now.', { a: 2 }, false],
    ["what is called the correction", 'First:\n{"a": 1}\n\nCorrected:\n{"a": 2}', { a: 2 }, true],
    ["what is called an updated plan", 'First:\n{"a": 1}\n\nUpdated travel plan:\n{"a": 2}', { a: 2 }, false],
    ["the same twice", '{"a": [1, 2]}\n\nIn one line:\n{"a":[1,2]}', { a: [1, 2] }, true],
    ["a part of what is taken", 'Step 1:\n{"a": 1}\n\nAll:\n{"a": 1, "b": 2}', { a: 1, b: 2 }, true],
    [
      "what has a key of all objects",
      'A:\n{"__proto__": {}}\n\nB:\n{"a": 1, "b": 2, "c": 3}',
      { a: 1, b: 2, c: 3 },
      false,
    ],
    ["an example in an element of its own", 'Answer:\n{"a": 1}\n<example>\n{"a": 2}\n</example>', { a: 1 }, true],
    ["another list", 'First:\n["x"]\n\nThen:\n["x", "y"]', ["x", "y"], false],
    ["a piece of a sentence", 'As {"a": 1} asks:\n\n{"b": 2, "c": 3}', { b: 2, c: 3 }, true],
    ["what a call is given", 'find({ c: 1 })\n{"a": 1, "b": 2}', { a: 1, b: 2 }, true],
    ["a pair of brackets", 'Errors:\n[]\nData:\n{"b": 2, "c": 3}', { b: 2, c: 3 }, true],
    ["an example", 'Example:\n{"a": 1}\n\nThe answer:\n{"b": 2, "c": 3}', { b: 2, c: 3 }, true],
    ["the next turn", '{"a": 1}\n\nUser: And now?\n\nAssistant: {"a": 2}', { a: 1 }, true],
  ])("%s", (_, text, value, sure) => {
    expect(read(text)).toEqual({ value, sure });
  });

  test("for a schema, the one that is called final", () => {
    const schema = z.object({ a: z.number() });
    expect(read('Final answer: {"a": 1}\n\nIt is not {"a": 2}.', schema)).toEqual({ value: { a: 1 }, sure: true });
    expect(read('Corrected: {"a": 1}\n\nFinal answer: {"a": 2}', schema)).toEqual({ value: { a: 2 }, sure: true });
  });

  test("thoughts may have a fence of their own", () => {
    const text = '```thinking\nIt may be {"a": 1}.\n```\n\n{"a": 2}';
    expect(read(text, z.object({ a: z.number() }))).toEqual({ value: { a: 2 }, sure: true });
  });

  test("but if the caller said which", () => {
    const result = extractJson('First:\n{"a": 1}\n\nThen:\n{"a": 2}', { prefer: "first" });
    expect(result).toMatchObject({ value: { a: 1 }, repairs: [] });
  });
});

describe("records among other lines", () => {
  test.each([
    ["a line corrects those before", '{"n": 1}\n{"n": 2}\nSorry, that was too early.\n{"n": 3}'],
    ["no line has a number", '{"n": 1}\n{"n": 2}\nOn reflection\n{"n": 3}'],
    ["some of the marked ones are thoughts", '<think>\nk1 {"n": 1}\nk2 {"n": 2}\n</think>\nk3 {"n": 3}'],
    ["a thought suggests an option", '<think>\nOption A: {"n": 1}\nI suggest option A.\n</think>\nOption B: {"n": 3}'],
    ["some are thoughts", '<think>\n{"n": 1}\n{"n": 2}\n</think>\n{"n": 3}'],
    ["some are commented out", '<!--\n{"n": 1}\n{"n": 2}\n-->\n{"n": 3}'],
    ["a line introduces what follows", '{"n": 1}\n{"n": 2}\nAnd now:\n{"n": 3}'],
    ["none stands directly below another", 'one\n{"n": 1}\ntwo\n{"n": 2}\nthree\n{"n": 3}'],
    ["words stand behind one", '{"n": 1} ok\n{"n": 2}\n{"n": 3}\nx\n{"n": 3}'],
    ["the last has a fence of its own", '```\n{"n": 1}\n{"n": 2}\n```\nthen\n```\n{"n": 3}\n```'],
    ["the first is an example", '{"n": "<n>"}\n{"n": 2}\nthen\n{"n": 3}'],
    ["there are words before each", 'the first {"n": 1}\nthe first {"n": 2}\nthe first {"n": 3}'],
  ])("are none where %s", (_, text) => {
    expect(read(text)?.value).toEqual({ n: 3 });
  });
});

test("where each record fits as it stands, or a list of them does not fit, none is made", () => {
  const text = 'api-1 | {"n": 1}\napi-1 | {"n": 2}';
  expect(read(text, z.any())?.value).toEqual({ n: 2 });
  const result = extractJson('k1 {"n": 1}\n-\nk1 {"n": 2}\n-\nk1 {"n": 3}', { schema: z.object({ a: z.number() }) });
  expect(result).toMatchObject({ error: { issues: [{ path: ["a"] }] } });
});

test("lines of forms are a list, as other lines are", () => {
  expect(read('{"n": "<n>"}\n{"n": "<m>"}')?.value).toEqual([{ n: "<n>" }, { n: "<m>" }]);
});

describe("an answer that the text begins with", () => {
  const schema = z.object({ a: z.number() });
  const taken = (words: string) => parseJson(`{"a": 1}\n\n${words}`, { schema }).a;

  test.each([
    'Never write {"a": 2}, it chokes.',
    'With more of it I would have written {"a": 2}.',
    '(I considered {"a": 2}.)',
  ])("is not the value that stands in words behind it: %s", (words) => expect(taken(words)).toBe(1));

  test.each(['Actually, it is {"a": 2}.', 'Wait, the answer is {"a": 2}.', 'Corrected:\n{"a": 2}', '{"a": 2}'])(
    "gives way to one that corrects it, or has its own line: %s",
    (words) => expect(taken(words)).toBe(2),
  );
});
