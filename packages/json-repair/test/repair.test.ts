import { describe, expect, test } from "vitest";
import { describeIssues, extractJson, JsonExtractError, parseJson, repairJson } from "../src/index.js";

describe("repairJson", () => {
  test("writes JSON and keeps the layout", () => {
    expect(repairJson("{\n  // name\n  name: 'x', // why\n  list: [1, 2,],\n}\n")).toEqual({
      text: '{\n  \n  "name": "x", \n  "list": [1, 2]\n}',
      value: { name: "x", list: [1, 2] },
      repairs: [
        { kind: "comment", at: 4, line: 2, sure: true },
        { kind: "unquoted", at: 14, line: 3, sure: true },
        { kind: "quotes", at: 20, line: 3, sure: true },
        { kind: "comment", at: 25, line: 3, sure: true },
        { kind: "unquoted", at: 34, line: 4, sure: true },
        { kind: "trailing-comma", at: 45, line: 4, sure: true },
        { kind: "trailing-comma", at: 47, line: 4, sure: true },
      ],
      complete: true,
    });
  });

  test("a run of line ends is one repair", () => {
    expect(repairJson('{"a": "x\n\n\ny\n"}')).toMatchObject({
      text: '{"a": "x\\n\\n\\ny\\n"}',
      repairs: [
        { kind: "control-character", at: 8, line: 1 },
        { kind: "control-character", at: 12, line: 4 },
      ],
    });
  });

  test("the line end before the fence that ends a string is none of its own", () => {
    expect(extractJson('```json\n{"a": "x\n\n```\n')).toMatchObject({ value: { a: "x\n" }, complete: false });
  });

  test("what opens on the next line is no part of an object that ends with a comma", () => {
    const row = (nth: number) =>
      `{"id": ${nth}, "note": "${"some words ".repeat(8)}", "tags": ["a", "b"], "more": "${"x".repeat(40)}"`;
    const result = extractJson(`${row(1)},}\n${row(2)}}\n`);
    expect(result).toMatchObject({
      value: [{ id: 1 }, { id: 2 }],
      repairs: [{ kind: "list" }, { kind: "trailing-comma" }],
    });
  });

  test.each([
    'expected "}" but found "]"',
    'Use the "Save", "Open" and "Close" buttons.',
    'const a = ["x", "y"];',
    'log("a", "b");',
    'if (x == "y") { return "z"; }',
    'a regex "[a-z]+" here',
  ])("quotes in a string that have none of their backslashes are content: %s", (words) => {
    for (const value of [
      { a: words, b: 1 },
      { a: words, b: 'the "end"' },
      { a: [words, "c"] },
      [{ a: 1, b: words }, 2],
    ])
      for (const indent of [0, 2]) {
        const text = JSON.stringify(value, null, indent).replaceAll('\\"', '"');
        expect(repairJson(text).value, text).toEqual(value);
      }
  });

  describe("where lines are indented", () => {
    const value = { a: { b: "one", c: { d: [1, "two"] } }, e: { f: "three" }, g: 4 };
    const text = JSON.stringify(value, null, 2);

    test.each([...text.matchAll(/[}\]](?=,?\n)/g)].map(({ index }) => index))(
      "a bracket that is missing is put where it was: %i",
      (at) => {
        const result = repairJson(text.slice(0, at) + text.slice(at + 1));
        expect(result.value).toEqual(value);
        expect(result.repairs.every(({ sure }) => sure)).toBe(false);
      },
    );

    test.each([
      ["before a key without quotes", "{\n  a: {\n    b: 1,\n  c: 2\n}", { a: { b: 1 }, c: 2 }],
      ["before one behind a lost comma", '{\n  "a": {\n    "b": 1\n  "c": 2\n}', { a: { b: 1 }, c: 2 }],
      ["before a bracket, behind a lost colon", '{\n  "a" [\n    "b"\n}', { a: ["b"] }],
      ["before a bracket of its own kind", "[\n  [\n    [\n      1\n  ],\n  2\n]", [[[1]], 2]],
      ["before an item", '[\n  {\n    "a": 1,\n  2\n]', [{ a: 1 }, 2]],
    ])("so is one %s", (_, damaged, meant) => {
      expect(repairJson(damaged).value).toEqual(meant);
    });

    test.each([...text.matchAll(/"(?=,?\n)/g)].map(({ index }) => index))(
      "so is a quote that a string has lost: %i",
      (at) => {
        expect(repairJson(text.slice(0, at) + text.slice(at + 1)).value).toEqual(value);
      },
    );

    test("commas may be missing everywhere", () => {
      const values = { name: "a@x.example", counts: [-4, -1, "one\ntwo", false], dates: [null] };
      for (const one of [value, values])
        expect(repairJson(JSON.stringify(one, null, 2).replaceAll(",\n", "\n")).value).toEqual(one);
    });
  });

  test.each([
    ['{"a": 1, "b": [{"c": "no end}]}', { a: 1, b: [{ c: "no end" }] }],
    ['["one", "two]', ["one", "two"]],
  ])("a quote that is lost before the last brackets, whatever is said behind them: %s", (text, value) => {
    for (const behind of ["\n\nNote: it is a guess.", `\n\n${"some words ".repeat(30)}`])
      expect(extractJson(text + behind)).toMatchObject({ ok: true, value, complete: false });
    for (const behind of ["<|im_end|>", "</answer>", ");", " `"])
      expect(extractJson(text + behind)).toMatchObject({ ok: true, value });
    expect(extractJson(`\`\`\`json\n${text}\n\`\`\`\nBye.`)).toMatchObject({ ok: true, value });
  });

  test.each([
    { old: "  return 1;\n}\n", new: "  return 2;\n}\n" },
    { insert: "</div>\n  );\n}\n\nexport default App;\n", line: 3 },
    { t: "- one }\n- two }\n- three", n: 1 },
    { answer: "the last lines:\n```\n}\n```\nDone.", lang: "css" },
    { a: "f(){ }\n}\nx\n}\ny", b: 1 },
  ])("brackets at the ends of lines are content of a string that has its quote: %j", (value) => {
    const { value: read, repairs } = repairJson(JSON.stringify(value).replaceAll("\\n", "\n"));
    expect(read).toEqual(value);
    expect(repairs.every(({ kind }) => kind === "control-character")).toBe(true);
  });

  test("several brackets at the end of a line need no free one behind it", () => {
    const text = '{"a": 1, "b": [{"c": "no end}]}\nI hope that helps!';
    expect(extractJson(text)).toMatchObject({ value: { a: 1, b: [{ c: "no end" }] }, complete: false });
  });

  test.each([
    ["a backslash opened a quote that has none at its end", '{"a": "the \\"big""}', 'the "big"'],
    ["Python's raw strings keep their backslashes", "{'a': r'\\b\\d+'}", "\\b\\d+"],
    ["bytes of UTF-8 are one character", "{'a': b'Z\\xc3\\xbcrich \\xe2\\x82\\xac \\xc3'}", "Zürich € Ã"],
    ["a control character before letters is none", '{"a": "\\frac{1}{2} \\times", b: 1}', "\\frac{1}{2} \\times"],
    ["words and backslashes between them are a path", '{"a": "CORP\\nina.txt", b: "\\S"}', "CORP\\nina.txt"],
    ["the name of a host has two backslashes", '{"a": "\\\\host\\share\\x.txt"}', "\\\\host\\share\\x.txt"],
    ["another quote in a string is content, if its own stands behind", `{'a': ['","', '";"']}`, ['","', '";"']],
    ["the last three of several quotes close", '{"a": """he said "hi""""}', 'he said "hi"'],
    ["a stroke before digits makes a name", '{"a": _123}', "_123"],
  ])("%s", (_, text, a) => {
    expect(repairJson(text).value).toMatchObject({ a });
  });

  test.each([
    ["some commas are too many behind a text in other quotes", "{'a':'x',,,,'b':1}"],
    ["a key was written twice", '{"a": "a": "x", "b": 1}'],
  ])("%s", (_, text) => {
    expect(repairJson(text).value).toEqual({ a: "x", b: 1 });
  });

  test("the comma in a number that begins with 0 is that of a fraction", () => {
    expect(repairJson('{"a": 0,785}').value).toEqual({ a: 0.785 });
  });

  test.each([
    ["signs of other languages", '{"a": "end\\0", "b": "\\a ring",}'],
    ["several texts of Python", '{"a": """x""" """y"""}'],
    ["a quote within a word", '{f"irst": 1}'],
  ])("%s leave a doubt", (_, text) => {
    expect(repairJson(text).repairs.every(({ sure }) => sure)).toBe(false);
  });

  test.each([
    ["a form feed", '{"a": "Page1\\fPage 2",}', "Page1\fPage 2"],
    ["a tab before a word", '{"a": "x\\tan apple",}', "x\tan apple"],
    ["a comment on its own line", '{"b": 1,\n// was once "c": 2,\n"a": "x"}', "x"],
  ])("%s leaves none", (_, text, a) => {
    const { value, repairs } = repairJson(text);
    expect(value).toMatchObject({ a });
    expect(repairs.every(({ sure }) => sure)).toBe(true);
  });

  test("a key that an object has twice leaves a doubt, since brackets may be missing", () => {
    expect(repairJson('[{"a": 1, b: 2, "a": 3}]')).toMatchObject({
      value: [{ a: 3, b: 2 }],
      repairs: [{ sure: false }],
    });
    expect(repairJson('[{x: 1, "b": 2, "b": 3}]')).toMatchObject({ repairs: [{ sure: false }] });
    expect(repairJson('[{"a": 1, b: {"a": 3}}]')).toMatchObject({ repairs: [{ sure: true }] });
  });

  test("the letter before an empty key is none of bytes", () => {
    expect(repairJson('{"a": 1, b"": true}').value).toEqual({ a: 1, b: true });
    expect(repairJson("{'a': b'', 'c': 1}").value).toEqual({ a: "", c: 1 });
    expect(repairJson("{u'': u'x', u'a': 1}").value).toEqual({ "": "x", a: 1 });
  });

  test("what ends a statement behind the brackets leaves a doubt", () => {
    expect(extractJson('{"a": "one two}')).toMatchObject({ value: { a: "one two" }, repairs: [{ sure: true }] });
    expect(extractJson('{"a": "one two};')).toMatchObject({ value: { a: "one two" }, repairs: [{ sure: false }] });
  });

  test("an option that is no flag is told", () => {
    expect(() => repairJson("{a: 1}", { strict: "yes" as never })).toThrow("options.strict must be true or false");
  });

  test("a text that breaks off behind such a bracket goes on with the string", () => {
    const cut = '{"answer": "A block ends with }\nand it begins with';
    expect(extractJson(cut)).toMatchObject({
      value: { answer: "A block ends with }\nand it begins with" },
      complete: false,
    });
  });

  test("an empty object before a member without its brace may be meant as one", () => {
    expect(extractJson('[{}, {}, "a": 1}]')).toMatchObject({ value: [{}, {}, { a: 1 }], repairs: [{ sure: false }] });
    expect(repairJson('[{"b": 1}, {} "a": 1}]').repairs).toContainEqual(expect.objectContaining({ sure: false }));
  });

  test.each(['[{"a":1,\n1', `[${'{"b":1},'.repeat(10_000)}{"a":1,\n1`])(
    "a bracket that would be one level too many is told at once",
    (text) => {
      expect(extractJson(text, { maxDepth: 2 })).toMatchObject({ ok: false, error: { code: "too-deep" } });
    },
  );

  test("another sign for a comma behind the last member is one repair", () => {
    expect(repairJson("[1、2、]").repairs.map(({ kind }) => kind)).toEqual(["separator", "separator"]);
  });

  test("a title of the text behind an object that lacks its brace is no key, unless keys are written so", () => {
    const value = { name: "Ann", tags: ["a"] };
    const text = '{"name": "Ann", "tags": ["a"]\n\nExplanation: I took the {tags} from it.';
    expect(extractJson(text)).toMatchObject({ ok: true, value, complete: false });
    expect(repairJson('{name: "Ann"\nage: 3 years}').value).toEqual({ name: "Ann", age: "3 years" });
    expect(repairJson('{"name": "Ann"\nage: 3}').value).toEqual({ name: "Ann", age: 3 });
    expect(extractJson('{"city": "Paris"\ncountry: France')).toMatchObject({
      value: { city: "Paris", country: "France" },
    });
  });

  test.each(["C:\\Program Files\\nodejs\\node.exe", "D:\\My Files\\reports"])("a path may have blanks: %s", (path) => {
    expect(repairJson(`{"a": "${path}"}`).value).toEqual({ a: path });
  });

  test("a quote that closes a low one of German is content, and sure", () => {
    const { value, repairs } = repairJson('{"a": "Umbau „Alte Post"", "b": "das „Haus" dort"}');
    expect(value).toEqual({ a: 'Umbau „Alte Post"', b: 'das „Haus" dort' });
    expect(repairs.every(({ sure }) => sure)).toBe(true);
  });

  test.each(["{a -> 1, b -> 'x'}", "{:a -> 1, :b -> 'x'}", "{a => 1, b => 'x'}"])(
    "an arrow stands for a colon: %s",
    (text) => {
      expect(repairJson(text).value).toEqual({ a: 1, b: "x" });
    },
  );

  test.each([
    "{\n  a: {\n    x: 1,\n  y: 2\n  },\n  b: 2\n}",
    "{\n\t'a': {\n        'x': 1,\n\t'y': 2\n\t},\n\t'b': 2\n}",
  ])("columns tell nothing where no bracket is missing: %j", (text) => {
    expect(repairJson(text).value).toEqual({ a: { x: 1, y: 2 }, b: 2 });
  });

  test.each(["{u'a': 'x'\n u'b': 'y'}", "{'a': 'x' b'b': 'y'}"])(
    "behind a blank a letter before a quote is Python's: %j",
    (text) => {
      expect(repairJson(text).value).toEqual({ a: "x", b: "y" });
    },
  );

  test("a path with a blank is only one of those that Windows has", () => {
    expect(repairJson('{"a": "D:\\x And\\nthen \\q"}').value).toEqual({ a: "D:\\x And\nthen \\q" });
  });

  test("an apostrophe that closes words in a string does not stand for its quote", () => {
    expect(repairJson(`{"a": ["he said 'no...'}]}`).value).toEqual({ a: ["he said 'no...'"] });
    expect(repairJson(`{"a": "b', "c": 1}`).value).toEqual({ a: "b", c: 1 });
  });

  test("the quote of a key may be lost beside the sign for its colon", () => {
    expect(repairJson('{"a="b", "c": 1}').value).toEqual({ a: "b", c: 1 });
  });

  test("any number of blanks and brackets may stand behind the value", () => {
    expect(repairJson(`[1,]${" ".repeat(10_000_000)}${"]".repeat(1_000_000)}`).value).toEqual([1]);
  });

  test("keys may have marks between their letters", () => {
    expect(extractJson('यह रहा:\n{नाम: "आशा", भाषाएँ: ["हिन्दी"]')).toMatchObject({
      value: { नाम: "आशा", भाषाएँ: ["हिन्दी"] },
    });
  });

  test("what is found late stands in the order of the text, however much there is", () => {
    const paths = "C:\\new\\d ".repeat(1_000);
    const { value, repairs } = repairJson(`{"a": "${paths}", b: 1}`);
    expect(value).toEqual({ a: paths, b: 1 });
    expect(repairs).toHaveLength(2_001);
    expect(repairs).toEqual(repairs.toSorted((a, b) => a.at - b.at));
  });

  test("strict allows only what has one reading", () => {
    expect(repairJson("{'a': 1,}", { strict: true }).value).toEqual({ a: 1 });
    expect(() => repairJson('{"a": "b"c"}', { strict: true })).toThrow(/not sure \(inner-quote\)/);
  });

  test("finds nothing in prose", () => {
    expect(() => repairJson('Here: {"a": 1}')).toThrow(JsonExtractError);
    expect(() => repairJson('{"a": 1} and more')).toThrow(/something else follows/);
  });

  test("what is no text or no limit is said", () => {
    expect(() => repairJson(null as unknown as string)).toThrow("expected a string, got null");
    expect(() => repairJson("[1]", { maxDepth: "a" as never })).toThrow(
      'options.maxDepth must be a number from 0, got "a"',
    );
    expect(() => repairJson("[1]", null as never)).toThrow("options must be an object, got null");
  });

  test("its limits are errors", () => {
    expect(() => repairJson("[[[1]]]", { maxDepth: 2 })).toThrow(/deeper than 2/);
    expect(() => repairJson("[[[1,]]]", { maxDepth: 2 })).toThrow(/deeper than 2/);
    expect(() => repairJson("[1]", { maxLength: 2 })).toThrow(/more than 2 characters/);
  });
});

describe("sure", () => {
  const sureOf = (text: string) => repairJson(text).repairs.map(({ kind, sure }) => `${kind}${sure ? "" : "?"}`);

  test("two numbers that may be the groups of one are not; other ones are", () => {
    expect(sureOf('{"n": [12 345 6]}')).toEqual(["missing-comma?", "missing-comma"]);
    expect(sureOf('{"n": [1 2 34]}')).toEqual(["missing-comma", "missing-comma"]);
  });

  test.each([
    ['{"a"": 1", "b": 2}', "missing-colon?"],
    ['[1, "a"",b"]', "missing-comma?"],
    ['{"a": [7["b", 8], 9]}', "missing-comma?"],
    ['{"a": 12 or so: 3}', "missing-comma?"],
  ])("of two signs that may be too many or belong together neither is: %s", (text, kind) => {
    expect(sureOf(text)).toContain(kind);
  });

  test("a bar between strings or members separates, and is where one of them follows", () => {
    expect(repairJson('{"days": ["Mo" | "We"], "n": 3}')).toMatchObject({
      value: { days: ["Mo", "We"], n: 3 },
      repairs: [{ kind: "separator", sure: true }],
    });
    expect(repairJson('{"a": "x" | "b": 1}')).toMatchObject({ value: { a: "x", b: 1 }, repairs: [{ sure: true }] });
    expect(repairJson('{"t": "the "a" | the b"}').value).toEqual({ t: 'the "a" | the b' });
  });

  test.each([
    ["{a: https://x.example/a?b=1}", "https://x.example/a?b=1"],
    ["{a: 10.0.0.7}", "10.0.0.7"],
    ["{a: €12.50}", "€12.50"],
  ])("%s: an address, a version, an amount is one word", (text, a) => {
    expect(repairJson(text).value).toEqual({ a });
    expect(sureOf(text)).toEqual(["unquoted", "unquoted"]);
  });

  test.each([
    ["a quotation at the start", '{"a": ""Free" is a lure.", "b": 1}', '"Free" is a lure.'],
    ["a colon before speech", '{"a": "She turned: "Who?" Nobody spoke.", "b": 1}', 'She turned: "Who?" Nobody spoke.'],
    ["a last quote lost before the brackets", '{"a": "00:29}', "00:29"],
    ["one lost before the next line", '{"a": "Prepaid/Post,\n"b": 1}', "Prepaid/Post"],
    ["a first quote lost before a sentence", '{"a": The team asked, in May.", "b": 1}', "The team asked, in May."],
    ["an apostrophe for a last quote", `{"a": "Via Roma 12', "b": 1}`, "Via Roma 12"],
    ["a call of a number's type", '{"a": NumberInt(3), "b": 1}', 3],
    ["not a number", '{"a": NaN, "b": 1}', null],
    ["brackets of another width", '{"a": ［1］, "b": 1｝', [1]],
    ["a comma for a colon", '{"b": 1, "a", "x"}', "x"],
    ["a colon before a name, and an arrow", '{:a=>"x", :b=>nil}', "x"],
    ["an accent for a last quote", "{`a´: `x´}", "x"],
    ["pieces in round brackets", '{"a": ("one, "\n  "two")}', "one, two"],
    ["a bracket for the last quote of a key", '{"b": 2, "a[: 1}', 1],
    ["a comma for the last quote of a key", '{"b": 2, "a,: 1}', 1],
    ["a bracket that opens for the last quote of a value", '{"a": "one two{,\n  "b": 2}', "one two"],
    ["a brace for the bracket of a list of several", '{"a": [1, 2}, "b": 3}', [1, 2]],
    ["a bracket for the brace of a member", '{"a": [{"b": 1], {"b": 2}]}', [{ b: 1 }, { b: 2 }]],
    ["a bracket too many right behind its like", '{"a": {"b": 1}}, "e": 3}', { b: 1 }],
    ["a comma for a colon in an object in a list", '{"a": [{"b", "c ", "d": 1}]}', [{ b: "c ", d: 1 }]],
    ["a blank on the inside of guillemets", "{« a » : «\u00a0x y\u00a0»}", "x y"],
    ["a curly quote at the end of strings and of keys", '{"b”: "one”, "c”: 2, "a”: "x”}', "x"],
    ["a bracket that took the place of a colon on a line", '{\n  "b": 1,\n  "a"} 2\n}', 2],
    ["a bracket for the first quote of a value", '{"b": 1, "a": {one two"}', "one two"],
    ["a first quote lost on a line of its own", '{"a": [\n  "one",\n  two or three"\n]}', ["one", "two or three"]],
  ])("%s has one reading", (_, text, a) => {
    const { value, repairs } = repairJson(text);
    expect(value).toMatchObject({ a });
    expect(repairs.every(({ sure }) => sure)).toBe(true);
  });

  test.each([
    ["a number behind a lone quote", '{"a": "1471}'],
    ["a comma before a lost quote", '{"a": "list,\n}'],
    ["members before a lost quote", '{"a": ["name, 151, "and"]}'],
    ["two words in braces", '{"a", "b"}'],
    ["a colon behind a list in a list", "{a: ['x', [length]: 1]}"],
    ["a quote before a colon", '{"a": "b": "c"}'],
    ["a quote before a blank and a colon", '{"a": "b" : "c"}'],
    ["two strings and a sign between them", '{"a": "M" / "L", "b": "one " + two + " three"}'],
    ["the inches before a last quote", '{"a": "1/2""}'],
    ["bold signs around a key and a number", '{**"a"**: **31**, **b**: 2}'],
    ["a letter of a program behind a number", '{"a": 3L, "b": 10n}'],
    ["an apostrophe doubled before a word", "{'a': ''tis'}"],
    ["a backslash before a letter of a key", '{"ke\\y": 1}'],
    ["brackets at the end of a key that lost its quote", '{"tags[]: [1]}'],
    ["a bracket beside inner quotes", '["one", "two"}"three"]'],
    ["signs between members at the start of a key", '{"id": "list,",,name": 1}'],
    ["a missing value before a bracket too many", '{\n  "a": ,\n    "b": 1\n  },\n  "c": 2\n}'],
    ["a line end in a string that lost its quote", '[" null\n  false\n]'],
    ["an interval", "[0, 1)"],
    ["a list in a list that has closed before", '{"a": [["b"], "c"], ["d"]]}'],
    ["a list of one with a brace for its bracket", '{"a": [1}}'],
    ["a list in a list with a brace for its bracket", '[["a", "b"}]'],
    ["a bracket too many behind one that may be it", '{"a": {"b": {"c": 1}, "d": 2}}, "e": 3}'],
    ["a wrong bracket beside a colon too many", '{"a": ["b",: "c"}, "d": 1}'],
    ["a bare value before a name and a lost quote", '{"a": list, key: 5% of it", "b": 1}'],
    ["numbers with a point and a colon between them", '{"a": [12.3456.78, 131:129]}'],
    ["inner quotes between signs of JSON", '{"a": "5%},"b,:"c"}'],
    ["an inner quote behind a comma, before a letter", '{"a": "59.49,"n:"x"}'],
    ["a value beside a list in a list", '[\n  ["a",\n  "b"]\n  1\n]'],
    ["a list beside a value in a list", '[1 ["a"]]'],
    ["a missing comma behind a string that ends with signs of JSON", '["a",\n"b],"\n"c"]'],
    ["a missing colon behind a key that ends with one", '{"a:: ""b"}'],
    ["inner quotes of a key", '{"a"" x": 1}'],
    ["a doubled quote before a sign of JSON", '{"a": ["",}b c"]}'],
    ["a missing colon beside one too many", '{"a"[:["b"]]}'],
    ["a quote too many behind a literal, or one that was lost before it", '{"a": null", "b": 1}'],
    ["a number behind a string that may hold it", '[\n  "x,\n  1\n]'],
    ["a quote behind a low one that another one closes", '{"a": "„Haus"“ x", "b": 2}'],
    ["a missing value beside a quote too many", '{"b": ,"name": "about""}'],
    ["two numbers at the start of the text that may be one", "[1 234]"],
    ["a bracket and a comma before the first item, or an empty object that lost an end", '[{, {}, "x"]'],
    ["a bracket that closes nothing before a comma", '[}, "x"]'],
    ["a bracket in a literal before a lost quote", '{"a": tr{ue, "b": 1}'],
    ["a bracket in a number before a lost quote", '{"a": 1.5e{-7, "b": 1}'],
    ["an empty string, a blank and a quote", '{"a": "" "}'],
    ["a quote and a blank before a string", '{"a":" "b c", "d": 1}'],
    ["a backslash at the end of a line", '{"a": "b \\\nc"}'],
    ["a quote too many, or one that was lost behind the first sign", '["[,1,2,""]'],
    ["blanks at the end of a string that lost its quote", '{"a": "b  , "c": 1}'],
    ["a quote in a literal, behind a letter of a program", '{"a": f"alse, "b": 1}'],
    ["a quote that neither opens nor closes, or ends its string before a key without its colon", '{"a": "b", c "d"}'],
    ["two strings and a sign of a program between them", '{"a": "b" || "c"}'],
    ["bare keys in a string that lost its quote", '{a: "b, c: 1}'],
    ["a backtick that may have closed a string", '{"a": "b`, "c": 1}'],
    ["a comma before the quote, or behind it", '{"a": "b," "c": "d"}'],
    ["an empty string right before a word", '{"a": ""b: "c""}'],
    ["a bracket that may be doubled, before a string that lost its quote", '[[\n"a",\n"b]\n]'],
    ["a bracket in the place of a colon before a string that lost its quote", '{"a"[ "b c], "d": [1]}'],
    ["inches at the end of a string, or a quote too many", '{"a": "bar 24""}'],
    ["names with a plus between blanks", "{a: one, two + three: four}"],
    ["a plus before a name", "{a: b, +c: 1}"],
    ["bare keys of other letters in a string that lost its quote", '{a: "b,  größe: 1}'],
    ["a key in a string of other quotes", `{'a': "b's 11', 'c': 2001}`],
    ["a key behind a string that lost its quote", `{"a": 'b, "c": 1}`],
    ["a quote before a string in another quote", `{"a": '"b", "c": 30}`],
    ["what Node leaves out", "{ a: { b: [Object] } }"],
    ["a sign behind a sentence and its quote", '["It works.", and "Done."]'],
    ["a sign behind a key", '{"a": "It works.", "b"?: "x"}'],
    ["a doubled quote before one that has a backslash", '{"a": ""b\\" c", "d": 1}'],
    ["one value in round brackets", '{"a": (5)}'],
    ["a string of a backslash alone", '{"a": "\\", "b": ","}'],
    ["a cast of a text", '{"a": int("5")}'],
    ["two numbers, of which the second one begins with a zero", "{'a': [1 000000]}"],
    ["an opening bracket before one that closes", '{"a":{"c":{"d":"y"[},"e":{"f":"z"}}'],
    ["a number and a colon before a key", '{"a": 12:"b:"c"}'],
    ["two brackets behind a key without its colon", '{"a"[["b"], "c"]}'],
    ["a brace that is missing behind two brackets", '[["a": 1}, {"a": 2}]]'],
    ["three quotes", '{"a": """}'],
    ["a word for what was left out", '["a", "b", etc.]'],
    ["a bracket that closes too early before a comma too many", "[\n\t7,\n\t8\n\t],\n]"],
  ])("%s is not sure", (_, text) => {
    expect(repairJson(text).repairs.some(({ sure }) => !sure)).toBe(true);
  });

  test("a string that lost its quote ends before brackets without partners in it and the next bracket", () => {
    const rows = [{ a: "x" }, { a: "y" }, { a: "z" }];
    expect(repairJson('[{"a": "x}, {"a": "y"}, {"a": "z"}]').value).toEqual(rows);
    expect(repairJson('[\n  {"a": "x"},\n  {"a": "y},\n  {"a": "z"}\n]').value).toEqual(rows);
    expect(repairJson('[["x"], ["y], ["z"]]').value).toEqual([["x"], ["y"], ["z"]]);
    expect(repairJson('[{"a": ["x]}, {"a": "y"}]').value).toEqual([{ a: ["x"] }, { a: "y" }]);
    expect(repairJson('{"a": "see {"b": 1}, {"c": 2} there", "d": 1}').value).toEqual({
      a: 'see {"b": 1}, {"c": 2} there',
      d: 1,
    });
  });

  test.each([
    [
      "a bracket in the place of a key's first quote",
      '[{"x": "z", "v": false,}y": true}]',
      [{ x: "z", v: false, y: true }],
    ],
    ["an opening bracket that nothing begins with", '{"a": [7[, 8], "b": 1}', { a: [7, 8], b: 1 }],
    ["a quote too many before a key", '{\n  "  "a": 1,\n  "b": 2\n}', { a: 1, b: 2 }],
    ["a name that is none of NumPy", '{"a": Nat, "b": np.nan}', { a: "Nat", b: null }],
    ["two signs for a colon that compare", '{"a": 1, "b" == 2}', { a: 1, b: 2 }],
    ["a bracket in the place of a comma at the end of a line", '{\n  "a": "x"}\n  "b": 1\n}', { a: "x", b: 1 }],
  ])("%s", (_, text, value) => {
    expect(repairJson(text).value).toEqual(value);
    expect(parseJson(text)).toEqual(value);
  });

  test.each(['{"id"" "all of it", "n": 1}', '{"  "id": 1}'])("a quote too many at a key is sure: %s", (text) => {
    expect(repairJson(text).repairs.every(({ sure }) => sure)).toBe(true);
  });

  test("the backslash at the end of a line goes on with it as JSON5 does, or stands for its end", () => {
    expect(repairJson('{"a": "b \\\nc"}').value).toEqual({ a: "b c" });
    expect(repairJson("{a: 'b\\\nc'}").value).toEqual({ a: "bc" });
    expect(repairJson('{"a": "b\\\nc"}').value).toEqual({ a: "b\nc" });
  });

  test("a notice behind a string that breaks off is no part of it", () => {
    expect(repairJson('{"a": "b\n\n[stopped: max_tokens reached]').value).toEqual({ a: "b" });
    expect(repairJson('{"a": "b\n\n[stop here]').value).toEqual({ a: "b\n\n[stop here]" });
    expect(repairJson('{"a": "b\n\n[stream closed by peer]\n').value).toEqual({ a: "b" });
    expect(repairJson('{"a": "b... [truncated 18 chars]').value).toEqual({ a: "b" });
  });

  test("the line end behind a string that breaks off is that of the text", () => {
    expect(repairJson('{"a": "b\nc \n').value).toEqual({ a: "b\nc" });
    expect(repairJson('{"a": ["b", "c\n\n').value).toEqual({ a: ["b", "c"] });
  });

  test("a list that is closed too early goes on, if a bracket is left behind what follows", () => {
    expect(repairJson("[[3, 5], [8, 13]], [21, 34]]").value).toEqual([
      [3, 5],
      [8, 13],
      [21, 34],
    ]);
  });

  test("a bracket is missing where the others fit, however long the next text is", () => {
    const words = "north edge ".repeat(25);
    const text = `{"a": {"b": [[[1, 2], [3, 4]]}, "c": {"d": "${words}"}}`;
    expect(repairJson(text).value).toEqual({
      a: {
        b: [
          [
            [1, 2],
            [3, 4],
          ],
        ],
      },
      c: { d: words },
    });
  });

  test("a comma behind a bracket of the wrong kind may stand behind a list that lacks its end", () => {
    const { repairs } = repairJson('{"a": {"b": [,\n"c": 1, "d": {"e": 2}}}, "f": 3}');
    expect(repairs).toMatchObject([{ kind: "wrong-opener" }, { kind: "extra-comma", sure: false }]);
  });

  test("a dollar behind a backslash may be one alone", () => {
    expect(repairJson(String.raw`{"a": "\$5"}`)).toMatchObject({ value: { a: "\\$5" }, repairs: [{ sure: false }] });
  });

  test("inches before words have no partner", () => {
    expect(repairJson('["Lumo 27" curved", "Lumo 32" flat", "Lumo 24" small"]').value).toEqual([
      'Lumo 27" curved',
      'Lumo 32" flat',
      'Lumo 24" small',
    ]);
  });

  test("an odd number of inner quotes costs more than a lost one", () => {
    expect(repairJson('{"words": ["a", "b, "c"]}').value).toEqual({ words: ["a", "b", "c"] });
  });

  test("a digit and two quotes are inches behind a fraction, feet or alone; elsewhere one quote is too many", () => {
    expect(repairJson('{"a": "wrench 5/8"", "b": "5\'11"", "c": "48"", "d": "in 1937""}').value).toEqual({
      a: 'wrench 5/8"',
      b: "5'11\"",
      c: '48"',
      d: "in 1937",
    });
  });

  test("a sign whose digits are cut off is no value", () => {
    expect(extractJson('{"a": 4, "b": -')).toMatchObject({ value: { a: 4 }, complete: false });
    expect(extractJson("[0.5, -")).toMatchObject({ value: [0.5], complete: false });
  });

  test("1.000.000 may be a number", () => {
    expect(sureOf("{a: 1.000.000}")).toEqual(["unquoted", "unquoted?"]);
  });
});

describe("describeIssues", () => {
  const schema = {
    "~standard": {
      version: 1 as const,
      vendor: "test",
      validate: () => ({
        issues: [
          { message: "expected a list", path: ["meta", { key: "sources" }, 0] },
          { message: "expected an object" },
        ],
      }),
    },
  };

  test("gives path, expectation and what was found", () => {
    const result = extractJson('{"meta": {"sources": ["x"]}}', { schema });
    expect(result.ok ? "" : describeIssues(result.error)).toBe(
      'the JSON has another shape\n- meta.sources[0]: expected a list (found "x")\n- the value itself: expected an object',
    );
  });

  test("gives the place of a fault and the 80 characters around it", () => {
    const text = `${"x\n".repeat(50)}{"key" ~ 1}${" y".repeat(100)}`;
    const result = extractJson(text, { partial: false });
    expect(result).toMatchObject({ ok: false, error: { code: "syntax" } });
    const said = result.ok ? "" : describeIssues(result.error);
    expect(said).toContain("line 51");
    expect(said).toContain('\\"key\\" ~ 1');
  });

  test("stays short whatever the text and the schema are", () => {
    const long = "y".repeat(100_000);
    const issues = Array.from({ length: 500 }, () => ({ message: long, path: [long] }));
    const closest = { [long]: "\u0001".repeat(40) };
    expect(
      describeIssues(new JsonExtractError("schema", long, { text: long, at: 50_000, issues, closest })).length,
    ).toBeLessThanOrEqual(2_000);
  });
});

describe("what has one reading is sure, and other repairs are not", () => {
  test.each([
    ['{"a": [7[, 8]}', { a: [7, 8] }, true],
    ['{"a": [["k": "v"}, 1]}', { a: [{ k: "v" }, 1] }, false],
    // The one that closes may be right, and the colon a comma.
    ['{"a": ["k": "v"]}', { a: { k: "v" } }, false],
    ['["k": "v"}', { k: "v" }, false],
    ['}\n  "k": "v",\n  "n": 1\n}', { k: "v", n: 1 }, true],
    ['}\n{"k": "v"}', { k: "v" }, false],
    ["{a: [\n  1\n  two\n]}", { a: [1, "two"] }, true],
    ["{'a': {1, 2}, 'b': 3}", { a: [1, 2], b: 3 }, false],
    [
      "{'a': datetime.date(2024, 3, 1), 'b': datetime.datetime(2024, 5, 17, 9, 30).isoformat()}",
      { a: "2024-03-01", b: "2024-05-17T09:30:00" },
      false,
    ],
    ["{ a = 1, [1] = true }", { a: 1, 1: true }, true],
    ["[1, 2, ... 47 more items]", [1, 2], false],
    ["[1, 2, +more]", [1, 2], false],
    [
      '{"a": 00.0000, "b": -007.5, "c": 007, "d": 01.02.03, "e": 09.30}',
      { a: 0, b: -7.5, c: "007", d: "01.02.03", e: "09.30" },
      false,
    ],
    ["{“a”: ObjectId(‘5b17aa01’)}", { a: "5b17aa01" }, true],
    ['[{"a": {"b": 1}}}, "c": 2}, {"c": 3}]', [{ a: { b: 1 }, c: 2 }, { c: 3 }], false],
    ['{"a": "x", "b": "ship it<|im_end|>', { a: "x", b: "ship it" }, false],
    ['{"a": ["x", "y"... (truncated, 18422 bytes)', { a: ["x", "y"] }, false],
    ['{"id": {{userId}}, "n": 1}', { id: "{{userId}}", n: 1 }, false],
    // A key that stands too far left to be in the list.
    ['{\n  "a": [\n    {"b": 1}\n  "c": 2\n}', { a: [{ b: 1 }], c: 2 }, false],
    // A list of Hjson has its words on lines, in one column.
    ["{a: [\n  x\n  y z\n]}", { a: ["x", "y z"] }, false],
    ["{a: [x\ny]}", { a: ["x", "y"] }, true],
    ["{t: ['the dogs' bone', 'b']}", { t: ["the dogs' bone", "b"] }, false],
    ['{"k": ["the end": [true]]}', { k: { "the end": [true] } }, false],
    ['{"a": {"b", "c"], "d": 1}', { a: ["b", "c"], d: 1 }, false],
    ['{"a":[1[ ]}', { a: [1] }, false],
  ])("%j", (text, value, sure) => {
    const result = extractJson(text);
    expect(result).toMatchObject({ ok: true, value });
    expect(result.ok && result.repairs.every((repair) => repair.sure)).toBe(sure);
  });
});

test.each([
  ['/*/ x */ {"b":2}', { b: 2 }],
  ['/*/ {"a":1} */ {"b":2}', { b: 2 }],
  ['{"a":1} /*/ */', { a: 1 }],
])("a comment has more than the sign between its ends: %s", (text, value) => {
  expect(repairJson(text).value).toEqual(value);
});

// Made from public reports.
test.each<[string, string, unknown]>([
  ["a backslash behind a value goes", '["a"\\, "b"]', ["a", "b"]],
  ["words before a key, behind a comma", '{"a": false, NOT WANTED\n "b": "c"}', { a: false, b: "c" }],
  ["words before a key, without a comma", '{"a": "b" REMARK "c": "d"}', { a: "b", c: "d" }],
  ["a line of words between members", '{\n"a": "b",\nI fix a typo in \'a\',\n"c": 1}', { a: "b", c: 1 }],
  ["a key without a value at the end of its line", '{\n  "a":\n  "b": "c"\n}', { a: null, b: "c" }],
  ["a quote on the wrong side of a comma", '{"a": true, "hour":9",min":45}', { a: true, hour: 9, min: 45 }],
  ["a line end and an apostrophe before a comma", '{"a": "x"\n\', "b": "y"}', { a: "x", b: "y" }],
  ["an object that was begun twice", '{"{"path":"a.ts"}', { path: "a.ts" }],
  [
    "a word that lost its comma and its first quote",
    '{"a": ["x", "y" LOOSE"], "b": 1}',
    { a: ["x", "y", "LOOSE"], b: 1 },
  ],
  ["a last word without quotes", '{"a": [\n"x",\n"y" z\n], "b": 1}', { a: ["x", "y", "z"], b: 1 }],
  ["a line end before the quote of a key", '{"a": 1,"model\n":"m"}', { a: 1, model: "m" }],
  ["a blank behind the point of a number", '{"a": 0. 85,}', { a: 0.85 }],
  ["numbers in other bases at the start of a list", "[0x1C, 0o17, 0b1011]", [28, 15, 11]],
  ["numbers in base 16 with a sign", "[1, -0x1f, +0xF, -0XAB]", [1, -31, 15, -171]],
  ["commas before, between and behind the items", "[,, 1, ,,, , 2, ]", [1, 2]],
  ["literals without commas at the start of a list", "[ true false null ]", [true, false, null]],
  [
    "an address without quotes in a list",
    "{urls: [http://example.org, https://example.org:8080/q]}",
    { urls: ["http://example.org", "https://example.org:8080/q"] },
  ],
  ["objects side by side", '{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }]],
  [
    "an object in a string whose quotes have no backslash",
    '{"json": "{\\n "a": "x",\\n "b": ["c", "d"],\\n "e": "y"\\n}"}',
    { json: '{\n "a": "x",\n "b": ["c", "d"],\n "e": "y"\n}' },
  ],
  ["events that a server sends", 'data: {"a": 1}\n\ndata: {"a": 2}\n\ndata: [DONE]\n', [{ a: 1 }, { a: 2 }]],
  [
    "an error behind a text that breaks off",
    'Text: {"path": "a/b.py".\nError message: Expected "}"',
    { path: "a/b.py" },
  ],
  ["an error behind it in Go", `raw='{"note":"I cite [4] and', err=unexpected end`, { note: "I cite [4] and" }],
  ["the marks of fields, of DSPy", '[[ ## args ## ]]\n{"a": None}\n\n[[ ## completed ## ]]', { a: null }],
  ["a list in a list behind a number", "[3 [4]]", [3, [4]]],
  ["an object right behind a literal", '[true{"a": 1}]', [true, { a: 1 }]],
  [
    "a list that was closed before its last row",
    '[{"step":"wash"}]},\n{"step2": "dry"}]',
    [{ step: "wash" }, { step2: "dry" }],
  ],
  ["backslashes of a path in a key", '{".\\Shop\\obj": 1}', { ".\\Shop\\obj": 1 }],
  [
    "a string in an object in quotes of another kind that breaks off",
    `{"f": {"args": '{"a": "Esb'},}`,
    { f: { args: '{"a": "Esb' } },
  ],
  [
    "two levels that end where a line begins further left",
    '{\n  "q": {\n    "f": {\n      "g": [\n        1\n      ,\n    "r": 2\n  }\n}',
    { q: { f: { g: [1] }, r: 2 } },
  ],
])("%s", (_, text, value) => {
  expect(extractJson(text)).toMatchObject({ ok: true, value });
});

test("times are words, and other numbers with a colon between may be two", () => {
  const sure = (text: string) => repairJson(text).repairs.every((repair) => repair.sure);
  expect([sure("{a: 10:30}"), sure("{a: 890:50.93}")]).toEqual([true, false]);
});

// What a reviewer found to be read wrongly, by rules made for these reports.
test.each<[string, string, unknown]>([
  ["three quotes twice", '{"code": """a"""; "b": """c"""}', { code: "a", b: "c" }],
  ["inches at the start of a text", '["5/8"", 1]', ['5/8"', 1]],
  ["a number in two pairs of quotes", '[27, ""12""]', [27, '"12"']],
  ["two strokes in a text without quotes, on one line", "{a: x // y, b: 1}", { a: "x // y", b: 1 }],
  ["words of an error in a text", `{"log": "code='E1', err='late'", "n": 2,}`, { log: "code='E1', err='late'", n: 2 }],
  ["a comma in a name", '{"name": "Smith", Jr., "age": 4}', { name: 'Smith", Jr.', age: 4 }],
  ["a quote in a name", '["New" York", "Rome"]', ['New" York', "Rome"]],
  ["a date with a blank in it", '{"date": 3. 10}', { date: "3. 10" }],
  ["an object that is sent anew, and grows", '{"a": 1}{"a": 1, "b": 2}', { a: 1, b: 2 }],
])("%s", (_, text, value) => {
  expect(extractJson(text)).toMatchObject({ ok: true, value });
});

test.each([
  "The flags [true false] are",
  "The call:name{id: 5} syntax is used.",
  "see [2 [sic]] here",
  "I saw it in [7.",
])("is no value: %s", (text) => {
  expect(extractJson(text)).toMatchObject({ ok: false });
});
