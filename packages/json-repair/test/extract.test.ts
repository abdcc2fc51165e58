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
        { kind: "inner-quote", at: 24, line: 3, sure: true },
        { kind: "inner-quote", at: 26, line: 3, sure: true },
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

  test("values beside each other are all given, so that none is left over", () => {
    const all = extractAll('{"n": 1}\n{"n": 2}\n{"n": 3}}');
    expect(all.map(({ value, repairs }) => [value, repairs.map(({ kind }) => kind)])).toEqual([
      [{ n: 1 }, []],
      [{ n: 2 }, []],
      [{ n: 3 }, ["surroundings"]],
    ]);
  });

  test("all values of what a program wrote for a terminal are given where they stand in it", () => {
    const text = '\u001b[32mok\u001b[0m {"n": \u001b[33m1\u001b[0m} and {"n": 2}';
    const all = extractAll(text);
    expect(all.map((one) => one.value)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(all.map(({ range }) => text.slice(...range))).toEqual(['{"n": \u001b[33m1\u001b[0m}', '{"n": 2}']);
  });

  test("marks and words in brackets are none of all values, as they are none alone", () => {
    const sentence = "As [1] and [red, blue] show";
    expect(extractAll(sentence)).toEqual([]);
    expect(extractJson(sentence).ok).toBe(false);
    expect(extractAll(`${sentence}, {"a": 1} is it.`).map(({ value }) => value)).toEqual([{ a: 1 }]);
  });

  test("a whole text that is a plain value counts where the schema asks for one", () => {
    expect(parseJson("42", { schema: z.number() })).toBe(42);
    expect(parseJson('"yes"', { schema: z.string() })).toBe("yes");
    expect(extractJson("yes", { schema: z.string() })).toMatchObject({ ok: false });
    expect(extractJson("42")).toMatchObject({ ok: false });
  });

  test("and so does one that is all of a fence", () => {
    expect(extractJson("```json\ntrue\n```", { schema: z.boolean() })).toMatchObject({ value: true, source: "fence" });
    expect(extractJson("True", { schema: z.boolean() })).toMatchObject({ value: true });
    expect(extractJson("```json\ntrue\n```")).toMatchObject({ ok: false });
    const [fence, schema] = ["It is\n```\ntrue\n```", z.boolean()];
    expect(extractJson(fence, { schema })).toMatchObject({ value: true, source: "fence" });
    for (const text of ["The answer is not:\n```\ntrue\n```", "Wrong:\n```\ntrue\n```", "```\ntrue\n```\nor so"]) {
      const result = extractJson(text, { schema });
      expect(result.ok && result.repairs.every(({ sure }) => sure), text).toBe(false);
    }
    for (const text of ["Use ```true``` or not", "<think>\n```\ntrue\n```\n</think>\nfalse"])
      expect(extractJson(text, { schema }).ok, text).toBe(false);
    expect(extractJson(`${fence}\nor\n\`\`\`\nfalse\n\`\`\``, { schema })).toMatchObject({ ok: false });
  });

  test("words in brackets on a line are a list where one is asked for, and it is not sure", () => {
    const result = extractJson("[red, dark blue, green]", { schema: z.array(z.string()) });
    expect(result).toMatchObject({ value: ["red", "dark blue", "green"] });
    expect(result.ok && result.repairs.every(({ sure }) => sure)).toBe(false);
    expect(extractJson("[Music, applause]")).toMatchObject({ ok: false });
    expect(extractJson("We heard [Music, applause] there", { schema: z.array(z.string()) })).toMatchObject({
      ok: false,
    });
  });

  test.each(['{"a":2,"":{"":false}}', '{"":{"b":[null,""],"":[1]}}', '{"a":{"b":"","c":""},"":1}'])(
    "empty strings are no quotes that are doubled: %s",
    (json) => {
      for (const text of [`Here it is: ${json}`, `${json} That is it.`]) {
        expect(extractJson(text)).toMatchObject({ value: JSON.parse(json) });
      }
      expect(extractJson('{""a"": 2, ""b"": {""c"": ""d""}}')).toMatchObject({ value: { a: 2, b: { c: "d" } } });
    },
  );

  test("an inner value that a broken one surrounds says so", () => {
    const result = extractJson('{"x" oops {"report": "r"} }', { schema: Report });
    expect(result).toMatchObject({ value: { report: "r" }, repairs: [{ kind: "surroundings", sure: false }] });
  });
});

describe("the schema", () => {
  test("a part of a damaged value that fits says so", () => {
    const rows = z.array(z.object({ id: z.number() }));
    for (const text of ['{"rows": [], "n": 1}}', 'Answer: {{"rows": [], "n": 1}']) {
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

  const written = Array.from({ length: 300 }, (_, n) => ({
    id: n % 2 ? n : `${n}`,
    tags: n % 3 ? ["7"] : "7",
    none: null,
  }));

  test("however many rows need it", () => {
    const schema = z.array(z.object({ id: z.number(), tags: z.array(z.string()), none: z.string().optional() }));
    for (const input of [JSON.stringify(written), written.map((row) => JSON.stringify(row)).join("\n")]) {
      const result = extractJson(input, { schema });
      expect(result).toMatchObject({ ok: true, value: written.map((_, id) => ({ id, tags: ["7"] })) });
      const paths = result.ok ? result.repairs.flatMap(({ path }) => path ?? []) : [];
      expect(paths).toHaveLength(150 + 100 + 300);
      expect(paths.slice(0, 3)).toEqual(["[0].id", "[0].tags", "[0].none"]);
    }
  });

  test("a list that does not fit is not validated again for each of its rows", () => {
    let lists = 0;
    const schema = z.preprocess(
      (value) => {
        if (Array.isArray(value) && value.length > 1) lists++;
        return value;
      },
      z.array(z.object({ id: z.number(), missing: z.string() })),
    );
    const result = extractJson(written.map((row) => JSON.stringify(row)).join("\n"), { schema });
    expect(result).toMatchObject({ ok: false, error: { code: "schema" } });
    expect(lists).toBeLessThan(5);
  });

  test("nothing is guessed: digits with a leading zero, an object for a string, a missing field", () => {
    for (const [input, schema] of [
      ['{"a": "007"}', z.object({ a: z.number() })],
      ['{"a": {"b": 7}}', z.object({ a: z.string() })],
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
    // As of another realm.
    // biome-ignore lint/suspicious/noThenProperty: a promise of another kind has one.
    const validate = () => ({ then: () => {} }) as never;
    const other = extractJson('{"a": "x"}', { schema: { "~standard": { version: 1, vendor: "test", validate } } });
    expect(other).toMatchObject({ ok: false, error: { code: "async-schema" } });
  });
});

describe("what stands around an answer", () => {
  const Person = z.object({ name: z.string(), age: z.number() });
  const ann = { name: "Ann", age: 30 };
  const eve = { name: "Eve", age: 60 };
  const call = { name: "find", arguments: ann };
  const isSure = (text: string) => {
    const result = extractJson(text, { schema: Person });
    return result.ok && result.repairs.every(({ sure }) => sure);
  };
  const used = { type: "tool_use", id: "1", name: "find", input: ann };
  const asked = { role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: call }] };

  test.each([
    ["a relative of who was meant", { name: "Ann", age: "unknown", mother: eve }, Person],
    [
      "a relative, in a broken text",
      '{"name": "Ann", "age": "unknown",, "mother": {"name": "Eve", "age": 60}}',
      Person,
    ],
    ["the input of what failed", { status: "failed", input: ann, output: null }, Person],
    ["the parameters of what failed", { status: "failed", parameters: ann, output: null }, Person],
    ["the arguments of what failed", { error: "no such tool", arguments: ann }, Person],
    ["the input of a tool that failed", { type: "tool_use", input: ann, error: "no such tool" }, Person],
    ["what was said before there was no result", { result: null, history: [ann] }, Person],
    ["an empty list beside an error", { data: [], error: "quota" }, z.array(z.string())],
    ["one of several", { people: [ann, eve] }, Person],
    [
      "one row of several",
      {
        matrix: [
          [1, 2],
          [3, 4],
        ],
      },
      z.array(z.number()),
    ],
    ["a text that has a key of what it stands in", { name: "Ann", text: JSON.stringify(eve) }, Person],
    ["a relative, with keys in another style", { Name: "Ann", Age: "unknown", data: eve }, Person],
    ["the parameters of no success", { success: false, params: ann }, Person],
    ["the arguments of what is not ok", { ok: false, arguments: ann }, Person],
    ["the parameters of what failed, with capitals", { Status: "FAILED", Params: ann }, Person],
    ["the parameters beside a state", { state: "FAILED", params: ann }, Person],
    ["the parameters of what was not found", { status: "not_found", params: ann }, Person],
    ["the parameters of what was denied", { status: "denied", params: ann }, Person],
    ["the parameters of what is unavailable", { status: "unavailable", params: ann }, Person],
    ["the parameters beside a number that tells of an error", { statusCode: 404, params: ann }, Person],
    ["the parameters beside errors", { errors: ["bad"], params: ann }, Person],
    ["the parameters beside the message of an error", { errorMessage: "boom", params: ann }, Person],
    ["the parameters beside an error, with capitals", { Error: "x", params: ann }, Person],
    ["the arguments beside no output", { Arguments: ann, Output: null }, Person],
    ["the parameters beside a result in words", { params: ann, result: "not found" }, Person],
    ["the parameters beside an empty list", { params: ann, result: [] }, Person],
    ["the parameters beside an empty object", { params: ann, result: {} }, Person],
    ["the arguments beside empty data", { args: ann, data: [] }, Person],
    ["the parameters beside no rows", { parameters: ann, rows: [] }, Person],
    ["the parameters beside another result", { status: "completed", parameters: ann, result: { id: 3 } }, Person],
    ["a call beside its output", { function: { name: "find", arguments: ann }, output: "nothing" }, Person],
    ["a call beside what was seen", { action: "find", action_input: ann, observation: "nothing" }, Person],
    ["calls beside their results", { tool_calls: [call], tool_results: [{ error: "not found" }] }, Person],
    ["the result of a tool", { type: "tool_result", content: [ann] }, Person],
    ["the arguments beside a name and more", { name: "Ann", age: "unknown", arguments: eve }, Person],
  ])("is not taken for it: %s", (_, outer, schema) => {
    const text = typeof outer === "string" ? outer : JSON.stringify(outer);
    expect(extractJson<unknown>(text, { schema })).toMatchObject({ ok: false, error: { code: "schema" } });
  });

  test.each([
    ["response", { response: ann, stats: {} }],
    ["response", { response: `Here it is: ${JSON.stringify(ann)}`, stats: {} }],
    ["data.result", { data: { result: ann, ms: 5 }, ok: true }],
    ["choices[0].message.content", { id: "x", choices: [{ index: 0, message: { content: JSON.stringify(ann) } }] }],
    ["content[0].input", { role: "assistant", content: [{ type: "tool_use", id: "1", input: ann }] }],
    ["final_answer", { final_answer: ann }],
  ])("is opened, and that is a repair: %s", (path, outer) => {
    expect(extractJson(JSON.stringify(outer), { schema: Person })).toMatchObject({
      value: ann,
      source: "envelope",
      repairs: [{ kind: "envelope", sure: true, path }],
    });
  });

  test.each([
    ["in the text of an error", { isError: true, content: [{ type: "text", text: JSON.stringify(ann) }] }, Person],
    ["beside another row that does not fit", [{ name: "Eve", age: null }, ann], Person],
    ["beside an inner row that does not fit", [{ person: { name: "Eve", age: null } }, { person: ann }], Person],
    ["beside another field that fits", { spouse: eve, data: ann }, Person],
    ["beside another list", { labels: ["x"], values: [1, 2], data: [3, 4] }, z.array(z.number())],
    ["as arguments beside words", { tool: "find", args: ann, message: "Person not found" }, Person],
    ["as arguments inside of what failed", { error: "x", result: { call: 1, arguments: ann } }, Person],
    ["as the arguments of a command", { command: "rm", args: ["-rf"] }, z.array(z.string())],
    ["beside a status that is not known", { status: "partly", data: ann }, Person],
  ])("is opened and not sure: %s", (_, outer, schema) => {
    const result = extractJson<unknown>(JSON.stringify(outer), { schema });
    expect(result).toMatchObject({ repairs: [{ kind: "envelope", sure: false }] });
  });

  test.each([
    ["arguments", call],
    ["arguments", { name: "find", arguments: JSON.stringify(ann) }],
    ["arguments", { id: 5, name: "find", arguments: ann }],
    ["input", used],
    ["arguments", { type: "function_call", id: "f", call_id: "c", name: "p", status: "completed", arguments: ann }],
    ["args", { toolName: "find", toolCallId: "c", args: { ...ann, toolName: "x" } }],
    ["functionCall.args", { functionCall: { name: "find", args: ann } }],
    ["tool_calls[0].function.arguments", { tool_calls: [{ id: "1", type: "function", function: call }] }],
  ])("what a call is given may have the keys of the call: %s", (path, outer) => {
    expect(extractJson(JSON.stringify(outer), { schema: Person })).toMatchObject({
      value: ann,
      repairs: [{ kind: "envelope", sure: true, path }],
    });
  });

  test("a call that fits the schema as it stands is the answer", () => {
    const schema = z.looseObject({ name: z.string() });
    expect(extractJson(JSON.stringify(call), { schema })).toMatchObject({ value: call, source: "whole", repairs: [] });
  });

  const answers: [string, ...unknown[]][] = [
    ["a result of Anthropic", used, { type: "tool_result", tool_use_id: "1", content: "not found" }],
    ["a message of the person with a result", { role: "assistant", content: [used] }, { role: "user", content: [] }],
    ["a message of a tool", asked, { role: "tool", tool_call_id: "1", content: "not found" }],
    [
      "the output of the Responses API",
      { type: "function_call", ...call },
      { type: "function_call_output", output: "no" },
    ],
    ["a part of Gemini", { functionCall: call }, { functionResponse: { name: "find", response: { error: "no" } } }],
    ["an error", call, { error: "no such person" }],
    ["no success", call, { name: "find", success: false }],
    ["no result", call, { result: null }],
    ["another result", call, { result: { id: 3 } }],
    ["a result, behind another call", call, { name: "other", arguments: { x: 1 } }, { result: "none" }],
    [
      "a line of Gemini CLI",
      { type: "tool_use", parameters: ann },
      { type: "tool_result", status: "error", output: "x" },
    ],
    ["a result, before words", call, { result: "none" }, { role: "assistant", content: "There is nobody." }],
  ];
  test.each(answers)("what a call is given is not sure behind which stands %s", (_, ...list) => {
    for (const text of [
      JSON.stringify(list),
      JSON.stringify({ messages: list }),
      JSON.stringify([list]),
      list.map((one) => JSON.stringify(one)).join("\n"),
      list.map((one) => `\`\`\`json\n${JSON.stringify(one)}\n\`\`\``).join("\nthen\n"),
    ])
      expect(isSure(text), text).toBe(false);
  });

  test.each([
    ["words", call, "not found"],
    ["the words of the model", { role: "assistant", content: [used, { type: "text", text: "Not found." }] }],
    ["content of the tool's name", call, { name: "find", content: "not found" }],
    ["null", call, null],
    ["an empty list", call, []],
    ["an empty object", call, {}],
    ["another value", call, { ok: true, value: 3 }],
  ])("a call is not sure behind which stand %s", (_, ...list) => {
    const result = extractJson<unknown>(JSON.stringify(list), { schema: Person });
    expect(result).toMatchObject({ value: ann, repairs: [{ kind: "envelope", sure: false }] });
  });

  test.each([
    "<tool_call>\n$\n</tool_call>\n<tool_response>not found</tool_response>",
    "$\nError: no such person",
    "```json\n$\n```\nObservation: none",
  ])("a call is not sure behind which the text tells what came of it: %j", (text) => {
    expect(isSure(text.replace("$", JSON.stringify(call)))).toBe(false);
  });

  test.each([
    "Final Answer: $\nObservation: none",
    "Thought: I look for her.\nAction: find\nAction Input: $\nObservation: not found",
    "Action: find\n**Action Input:**\n```json\n$\n```\nObservation: []",
    'Action Input: "§"\nObservation: not found',
    "Tool: find\nArguments: $\nResult: none",
    "find($)\nError: no such person",
    "POST /people\nRequest body:\n$\n\nHTTP/1.1 404 Not Found",
    "<tool_call>find\n$</tool_call>\n<tool_response>not found</tool_response>",
    "<|channel|>commentary to=functions.find <|message|>$<|call|><|start|>functions.find to=assistant<|message|>none",
  ])("what the text says to be given to a tool is not sure behind which it tells what came of it: %j", (text) => {
    const json = JSON.stringify(ann);
    const result = extractJson(text.replace("$", json).replace("§", json.replaceAll('"', '\\"')), { schema: Person });
    expect(result).toMatchObject({ value: ann });
    expect(result.ok && result.repairs).toContainEqual(expect.objectContaining({ kind: "surroundings", sure: false }));
  });

  test.each(["user", "tool"])("a message of the %s tells what came of the input in the text before it", (role) => {
    const content = `Action: find\nAction Input: ${JSON.stringify(ann)}`;
    const list = [
      { role: "assistant", content },
      { role, content: "Observation: not found" },
    ];
    expect(isSure(JSON.stringify(list))).toBe(false);
  });

  test.each([
    "Action: find\nAction Input: $",
    "Action: find\nAction Input:\n```json\n$\n```\n",
    "Arguments: $\nLet me know if you need more.",
    "<function=find>$</function>",
    "You called for the data (as requested):\n$\nThe result of the search is above.",
    "Result: $",
  ])("what nothing came of, or what is no input of a tool, is sure: %j", (text) => {
    expect(extractJson(text.replace("$", JSON.stringify(ann)), { schema: Person })).toMatchObject({
      value: ann,
      repairs: [],
    });
  });

  test.each([
    ["another call and its result", { ...used, input: { query: "Ann" } }, { type: "tool_result", content: "nobody" }],
    ["the words before it", { type: "text", text: "I look for Ann." }],
    ["the counts of the answer", { usage: { input_tokens: 5 } }],
  ])("the last call is sure, behind %s", (_, ...list) => {
    const last = { type: "tool_use", id: "2", name: "answer", input: eve };
    expect(extractJson(JSON.stringify([...list, last]), { schema: Person })).toMatchObject({
      value: eve,
      repairs: [{ kind: "envelope", sure: true }],
    });
  });

  test("the pieces of a call that was answered are no answer", () => {
    const json = JSON.stringify(ann);
    const pieces = [json.slice(0, 9), json.slice(9)].map((args) => ({
      choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: args } }] } }],
    }));
    const lines = (all: unknown[]) => all.map((one) => JSON.stringify(one)).join("\n");
    expect(extractJson(lines(pieces), { schema: Person })).toMatchObject({ value: ann });
    const answered = [...pieces, { role: "tool", tool_call_id: "1", content: "not found" }];
    expect(extractJson(lines(answered), { schema: Person })).toMatchObject({ ok: false });
    expect(extractJson(JSON.stringify(answered), { schema: Person })).toMatchObject({ ok: false });
  });

  test.each([
    ["of the Responses API", { type: "function_call", id: "f", call_id: "c", status: "completed" }],
    ["of the AI SDK", { type: "tool-call", toolCallId: "c", toolName: "p", providerMetadata: { x: {} } }],
    ["with the steps before it", { thought: "I know it", action: "final_answer" }],
  ])("the arguments of a call %s are sure", (_, call) => {
    expect(extractJson(JSON.stringify({ ...call, arguments: ann }), { schema: Person })).toMatchObject({
      value: ann,
      repairs: [{ kind: "envelope", sure: true, path: "arguments" }],
    });
  });

  test("of several answers in one list the last one is taken, and is not sure", () => {
    expect(extractJson(JSON.stringify([ann, eve]), { schema: Person })).toMatchObject({
      value: eve,
      repairs: [{ kind: "envelope", sure: false }],
    });
  });

  test("a list of texts may hold the pieces of an answer", () => {
    const json = JSON.stringify(ann);
    const pieces = [json.slice(0, 9), json.slice(9)];
    for (const whole of [pieces, { output: pieces }])
      expect(extractJson(JSON.stringify(whole), { schema: Person })).toMatchObject({ value: ann });
  });

  test("the pieces of a stream are a repair", () => {
    const events = [...JSON.stringify(ann)].map((text) => JSON.stringify({ type: "delta", delta: { text } }));
    expect(extractJson(events.join("\n"), { schema: Person })).toMatchObject({
      value: ann,
      repairs: [{ kind: "envelope" }],
    });
  });
});

// The limit of the runner is the only clock: on each of these an answer took minutes, or for ever.
describe("what may stand before an answer does not hold it up", () => {
  test.each([
    ["blank lines and a word", `${"\n".repeat(40)}x`],
    ["comments of a stream of events", ": KEEP-ALIVE\n\n\n".repeat(40)],
    ["marks of quotations that end in returns", ">\r".repeat(200_000)],
  ])("%s", (_, before) => {
    expect(parseJson(`${before}\n{"report": "r"}`, { schema: Report })).toEqual({ report: "r" });
  });
});

test("many answers on lines are found in time that grows with the text, each repair with its line", () => {
  const all = extractAll('{"name": "A", "age": "1",}\nx\n'.repeat(20_000));
  expect(all.map(({ repairs }) => repairs[0]?.line)).toEqual(all.map((_, nth) => 2 * nth + 1));
  expect(all).toHaveLength(20_000);
});

test.each(["{};", "\u001e{}"])("an answer is found behind very many small values: %j", (small) => {
  const text = `${small.repeat(130_000)} {"report": "r"}`;
  expect(parseJson(text, { schema: Report })).toEqual({ report: "r" });
});

test("the error says from where on a text was not read", () => {
  const result = extractJson(`${"{'a': 1,}\n".repeat(8_000)}{"report": "r"}`, { schema: Report });
  const at = result.ok ? undefined : /from character (\d+) on the text was not read/.exec(result.error.message)?.[1];
  expect(Number(at)).toBeGreaterThan(10_000);
});

test("a backslash before a backslash does not escape the quote behind it", () => {
  expect(extractJson(String.raw`{"p":"C:\\tmp\\","a":["x"],"y"],"n":1}`)).toMatchObject({
    value: { p: "C:\\tmp\\", a: ["x", "y"], n: 1 },
  });
});

describe("errors", () => {
  test.each([
    ["undefined", undefined],
    ["null", null],
    ["42", 42],
    ["a list", ["{}"]],
    ["an object", {}],
  ])("%s in place of the text is an error that says so", (named, text) => {
    const result = extractJson(text as unknown as string);
    expect(!result.ok && result.error.message).toBe(`expected a string, got ${named}`);
  });

  test.each([
    [null, "options must be an object, got null"],
    ["x", 'options must be an object, got "x"'],
    [{ schema: {} }, /^options\.schema must be a Standard Schema \(zod 3\.24 or later.*\), got an object$/],
    [{ schema: null }, /^options\.schema must be a Standard Schema .*, got null$/],
    [{ schema: { "~standard": null } }, /^options\.schema must be a Standard Schema/],
    [{ schema: () => true }, /^options\.schema must be a Standard Schema .*, got a function$/],
    [{ prefer: "x" }, 'options.prefer must be "last", "first" or "largest", got "x"'],
    [{ partial: 1 }, "options.partial must be true or false, got 1"],
    [{ maxLength: "a" }, 'options.maxLength must be a number from 0, got "a"'],
    [{ maxDepth: NaN }, "options.maxDepth must be a number from 0, got NaN"],
    [{ scheme: 1 }, /^options\.scheme is unknown; there are schema, prefer, /],
    [{ strict: true }, "options.strict is unknown; there are schema, prefer, partial, maxLength, maxDepth"],
  ])("options that are wrong are not the fault of the text: %j", (options, message) => {
    const result = extractJson("{}", options as never);
    expect(result).toMatchObject({ ok: false, error: { code: "invalid-options" } });
    expect(!result.ok && result.error.message).toMatch(message);
    expect(() => parseJson("{}", options as never)).toThrow(message);
    expect(() => extractAll("{}", options as never)).toThrow(message);
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
    const result = extractJson('Sure: {"report": [5]}', { schema: Report });
    expect(result).toMatchObject({
      ok: false,
      error: { code: "schema", closest: { report: [5] }, issues: [{ path: ["report"] }] },
    });
  });
});

describe("what was asked is not what came of it", () => {
  const Person = z.object({ name: z.string(), age: z.number() });
  test.each([
    '{"status":"failed","parameters":{"name":"A","age":1},"output":null}',
    '{"error":"cannot","arguments":{"name":"A","age":1}}',
    '{"type":"tool_use","input":{"name":"A","age":1},"error":"x"}',
    '{"result":null,"history":[{"name":"A","age":1}]}',
  ])("%s has no answer", (text) => {
    expect(extractJson(text, { schema: Person })).toMatchObject({ ok: false, error: { code: "schema" } });
  });

  test("nothing beside an error is no answer", () => {
    const schema = z.array(z.string());
    expect(extractJson('{"data":[],"error":"quota"}', { schema }).ok).toBe(false);
  });
});

describe("several values with nothing between them", () => {
  const Row = z.object({ a: z.number() });
  const zod = z.array(Row);
  const valibot = v.array(v.object({ a: v.number() }));
  const arktype = type({ a: "number" }).array();
  const two = [{ a: 1 }, { a: 2 }];

  test.each([
    ["zod", zod],
    ["valibot", valibot],
    ["arktype", arktype],
    ["at least two", zod.min(2)],
    ["transformed", zod.transform((rows) => rows)],
    ["a row of another kind or a list", z.union([z.object({ b: z.number() }), zod])],
    ["any list", z.array(z.unknown())],
  ])("are the list that the schema asks for: %s", (_, schema) => {
    for (const text of ['{"a":1}\n{"a":2}', '{"a":1}, {"a":2}', 'Here:\n```\n{"a":1},\n{"a":2}\n```\nDone.']) {
      const result = extractJson<unknown>(text, { schema });
      expect(result).toMatchObject({ value: two, complete: true, repairs: [{ kind: "list", sure: true }] });
      expect(result.ok && text.slice(...result.range)).toMatch(/^\{"a":1\}.*\{"a":2\}$/s);
      expect(extractAll<unknown>(text, { schema }).map((one) => one.value)).toEqual([two]);
    }
  });

  test.each([
    ["the schema takes each", '{"a":1}\n{"a":2}', Row, { a: 2 }],
    ["the schema takes each and the list", '{"a":1}\n{"a":2}', z.union([Row, zod]), { a: 2 }],
    [
      "the schema takes some, and the list of all",
      '{"a":1}\n{"b":2}',
      z.union([Row, z.array(z.unknown())]),
      [{ a: 1 }, { b: 2 }],
    ],
    ["lists of lists", "[1]\n[2]", z.array(z.array(z.number())), [[1], [2]]],
    ["two answers that are lists", '[{"a":1}]\n[{"a":2}]', zod, [{ a: 2 }]],
    ["fences behind each other", '```json\n{"a":1}\n```\n\n```json\n{"a":2}\n```', zod, two],
    ["one of them fits, and nothing that fits is lost", '{"log":1}\n{"a":2}', zod, [{ a: 2 }]],
    ["two fences with words between", '```\n{"a":1}\n```\nBetter:\n```\n{"a":2}\n```', zod, [{ a: 2 }]],
  ])("%s", (_, text, schema, value) => {
    expect(extractJson<unknown>(text, { schema })).toMatchObject({ ok: true, value });
  });

  test("lists and objects are not of one list: the last replaces the others", () => {
    expect(extractJson('[]\n{}\n{"a":1}')).toMatchObject({ value: { a: 1 } });
    expect(extractJson('{}\n{"a":1}')).toMatchObject({ value: { a: 1 } });
    expect(extractJson('{}\n{"a":1}\n{"a":2}')).toMatchObject({ value: [{}, { a: 1 }, { a: 2 }] });
  });

  test("a list of only one of several that fit would lose the others: what is wrong with the list is said", () => {
    const result = extractJson('{"a":1}\n{"b":2}\n{"a":3}', { schema: zod });
    expect(result).toMatchObject({ ok: false, error: { code: "schema", issues: [{ path: [1, "a"] }] } });
  });
});

describe("a text that breaks off behind a value", () => {
  const Row = z.object({ a: z.number() });
  const text = '{"a":1}\n{"a":2}\n{"a":';

  test.each([
    ["without a schema", text, undefined, [{ a: 1 }, { a: 2 }, {}]],
    ["each", text, Row, { a: 2 }],
    ["the list", text, z.array(Row), [{ a: 1 }, { a: 2 }]],
    ["the list in its bracket", '[{"a":1},{"a":2},{"a":', z.array(Row), [{ a: 1 }, { a: 2 }]],
    ["in a fence", `\`\`\`json\n${text}\n\`\`\``, z.array(Row), [{ a: 1 }, { a: 2 }]],
    ["one is left", '{"a":1}\n{"a":', z.array(Row), [{ a: 1 }]],
    ["behind words", 'First {"a":1}, then better: {"a":', Row, { a: 1 }],
  ])("says so: %s", (_, broken, schema, value) => {
    const options = schema ? { schema } : {};
    expect(extractJson<unknown>(broken, options)).toMatchObject({ value, complete: false });
    expect(extractJson<unknown>(broken, { ...options, partial: false })).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/breaks off|another shape/) },
    });
  });

  test("of all values the last one says it", () => {
    const all = extractAll(text, { schema: Row });
    expect(all.map(({ value, complete }) => [value, complete])).toEqual([
      [{ a: 1 }, true],
      [{ a: 2 }, false],
    ]);
  });

  test.each([
    ['{"a":', {}, ["unclosed"]],
    ['{"a"', {}, ["unclosed"]],
    ["{", {}, ["unclosed"]],
    ['{"x":1,"a":', { x: 1 }, ["unclosed"]],
    ['{"x":1,"a"', { x: 1 }, ["unclosed"]],
    ['{"x":1, /* then */ "a', { x: 1 }, ["unclosed"]],
    ['{"x":1,', { x: 1 }, ["trailing-comma", "unclosed"]],
  ])("a key without a value is not kept: %s", (broken, value, kinds) => {
    const result = extractJson(broken);
    expect(result).toMatchObject({ value, complete: false });
    expect(result.ok && result.repairs.map(({ kind }) => kind)).toEqual(kinds);
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

test("backslashes in a string behind a colon do not tell that the text is a string itself", () => {
  const text = '[true, {"p": "C:\\\\new"}, x]';
  expect(extractJson(text)).toMatchObject({ ok: true, value: [true, { p: "C:\\new" }, "x"] });
});

test("a list whose first members no list begins with is not surely all of what follows", () => {
  expect(extractJson('[undefined, ["a"], "b"]')).toMatchObject({ ok: true, value: [null, ["a"], "b"] });
  const result = extractJson('[50%, ["a"], "b"]');
  expect(result.ok && result.repairs.every(({ sure }) => sure)).toBe(false);
});

test("with `partial: false` the value before the one that the text breaks off in does not count either", () => {
  const text = '{"a": 1}\n{"a": 2}\n{"a":';
  expect(extractAll(text).map(({ complete }) => complete)).toEqual([true, true, false]);
  expect(extractAll(text, { partial: false }).map(({ value }) => value)).toEqual([{ a: 1 }]);
});

test("where the element ends that it stands in, a value has ended", () => {
  expect(extractJson('<answer>\n{"a": 1, "b": "c"\n</answer>')).toMatchObject({ ok: true, value: { a: 1, b: "c" } });
});

describe("one sign before a value is no part of it if nothing else stands beside it", () => {
  test.each(['{{"a": 1}', ': {"a": 1}', ',\n{"a": 1}\n', '"{"a": 1}', "{ [1]"])("sure: %s", (text) => {
    expect(extractJson(text)).toMatchObject({
      ok: true,
      complete: true,
      repairs: [{ kind: "surroundings", sure: true }],
    });
  });

  test.each(['{"a": 1},', '}{"a": 1}', ',{"a": 1]', ': {"a": 1} or so', ',,{"a": 1}'])("not sure: %s", (text) => {
    const { repairs = [] } = extractJson(text) as { repairs?: { sure: boolean }[] };
    expect(repairs.some(({ sure }) => !sure)).toBe(true);
  });
});

test.each<[string, string, unknown]>([
  ["a path before one that tells of backslashes", String.raw`{"a": "D:\temp", "b": "D:\data"}`, String.raw`D:\temp`],
  ["a quotation that ends with the string", "{'a': 'he said ‘yes’', 'b': 1}", "he said ‘yes’"],
  ["bytes of UTF-16", [...'{"a": "x", "b": [1]}'].join("\0"), "x"],
  ["a string of a program, over several lines", '\'{ \\\n "a": "x", \\\n "b": 0 \\\n }\'', "x"],
  ["a comment of D", '{\n/+ "a": 1 +/\n"a": "x",\n"b": 1,}', "x"],
  ["blanks that a line lost its end to", String.raw`'{ \ "a": "x", \ "b": [ \ "y" \ ] \ }'`, "x"],
  ["a lost bracket and a remark", '{"a": "x",\n"b": 1\n\nNote: all is made up.', "x"],
])("what is read in one way alone: %s", (_, text, a) => {
  expect(extractJson<object>(text)).toMatchObject({ ok: true, value: { a, b: expect.anything() } });
  expect(Object.keys(Object(extractJson(text)).value)).toEqual(["a", "b"]);
});

test("quoted lines, of which each speaks as much for itself as the last one, are not surely the last", () => {
  const result = extractJson('> {"a": 1}\n> {"a": 2}\n> {"a": 3}');
  expect(result.ok && result.repairs.some(({ sure }) => !sure)).toBe(true);
});

test("what a tool is given is no thought, nor is what stands before it", () => {
  const call = (name: string) => `<|start|>assistant<|channel|>commentary to=find<|message|>{"name":"${name}"}<|call|>`;
  const text = `<|channel|>analysis<|message|>Both.<|end|>${call("Ann")}${call("Eve")}`;
  const schema = z.array(z.object({ name: z.string() }));
  expect(extractJson(text, { schema })).toMatchObject({ value: [{ name: "Ann" }, { name: "Eve" }] });
});

test("values with a block between them that was never written are a list", () => {
  expect(extractJson(`{"a": 1}\n${"\0".repeat(40)}{"a": 2}`)).toMatchObject({ value: [{ a: 1 }, { a: 2 }] });
});

describe("what may be read in another way says so", () => {
  const numbered = z.array(z.object({ id: z.number() }));
  test.each([
    ["a word behind a quote that may have been content", "{'a': 'x' y, 'b': 1}", undefined, "inner-quote"],
    ["a quote before a bracket", '{"a": " b" { "",\n"c": 1}', undefined, "inner-quote"],
    ["the mark of a mail in a string", '> {"a": "b c\n> d e", "f": 1}', undefined, "control-character"],
    ["a line that a mail has broken", '{"a": "b c=\nd e"}', undefined, "control-character"],
    ["a list without its brackets", '{"tags": "red", "green", "blue"}', undefined, "separator"],
    ["whole words on lines of their own", '{"a": "Open the lid."\n"Press start."}', undefined, "concatenation"],
    ["a comment in the place of members", '[{"b": 1}, // ... more items\n{"b": 9}]', undefined, "comment"],
    ["direct speech at the end of a string", '{"q": "Yes," she said. "I will."", "b": 1}', undefined, "extra-quote"],
    ["a backslash that ends a string with another one", String.raw`{"a": "src\main\", "b": "x"}`, undefined, "escape"],
    ["a call that may give anything", '{"a": os.getenv("API_KEY")}', undefined, "call"],
    ["a sign right behind a string", '{"a": "20"%, "b": 1}', undefined, "separator"],
    ["a correction in a sentence", '{"a": 1}\n\nThe right one is {"a": 2}, it seems.', undefined, "surroundings"],
    ["what is commented out", '// {\n  // "a": 1\n// }', undefined, "encoding"],
    ["groups of digits in a list", '{"p": [1,000, 2,500]}', undefined, "unquoted"],
    ["a part of what breaks off at odd quotes", "{“t”: ““a” b”,\n“n”: {“x”: 1}", undefined, "surroundings"],
    ["a mail's way to write", 'Encoding: quoted-printable\n\n{"a": "J=C3=B6rg"}', undefined, "surroundings"],
    [
      "pieces of an answer",
      'Transfer-Encoding: chunked\r\n\r\n10\r\n{"a": "a b\r\n5\r\n c"}\r\n0\r\n',
      undefined,
      "surroundings",
    ],
    ["a backslash in a key", String.raw`{"\.a": 1}`, undefined, "escape"],
    ["a path in apostrophes", String.raw`{'a': 'C:\temp'}`, undefined, "escape"],
    ["records among words", 'Hi:\n{"a": 1}\n{"a": 2}\nBye', undefined, "list"],
    ["members of a list among words", 'first {"id": 1} then {"id": 2} last', numbered, "list"],
    ["a list of one in an envelope", '{"data": {"id": 1}, "n": 2}', numbered, "surroundings"],
    ["a comment with half a pair of quotes", '[1, # two"\n3]', undefined, "comment"],
    ["a bracket that may be missing or one too many", '{"a": [[1, 2], "b": 3}', undefined, "missing-closer"],
    [
      "the marks of a merge",
      '{\n"a": 1,\n<<<<<<< HEAD\n"b": 1,\n=======\n"b": 2,\n>>>>>>> x\n"c": 3\n}',
      undefined,
      "encoding",
    ],
    ["a value in a string that is left open", '{"n[:[],"ok":"value key:{}', undefined, "surroundings"],
    ["a value behind a damaged one on its line", '["\\"]word x["", null]', undefined, "inner-quote"],
    ["a list that closes before its members", "[]\n  4.9e+13,\n  [],\n  null\n]", undefined, "surroundings"],
    ["a list behind a member of another one", '["\\"]\\ud83d",\n [],\n 1.5e+8\n[]', undefined, "extra-opener"],
    ["a list within a number", '[\n -1.[75,\n {"a": 5}\n ]', undefined, "surroundings"],
    ["a list in one that cannot be read", '[null,"\\\\data: é/*[",\\"]\\"\'`"]', undefined, "inner-quote"],
    ["an object before a sign and a quote", '{"-k": ""}<",\n "a": ["]"]\n}', undefined, "surroundings"],
  ])("%s", (_, text, schema, kind) => {
    const result = extractJson<unknown>(text, schema ? { schema } : {});
    expect(result.ok && result.repairs.filter((repair) => !repair.sure).map((repair) => repair.kind)).toContain(kind);
  });

  test.each(['{"a": "x\\", "b": "y"}', '{"l": ["a\\", "b"]}', '{"a": "x\\"}'])(
    "a backslash before the quote that ends a string is sure where nothing else reads as well: %s",
    (text) => {
      const result = extractJson(text);
      expect(result).toMatchObject({ repairs: [{ kind: "escape", sure: true }] });
    },
  );

  test.each([
    'Here is the answer:\n\n- {"a": 1}',
    'Answer:\n\n---\n\n{"a": 1}\n\n---',
    'Date: Mon, 3 May 2024 10:00:00\n\n{"a": 1}',
    'HTTP/1.1 200 OK\nContent-Length: 8\n\n{"a": 1}',
    'Score: 5\n{"a": 1}',
    '10:11:12,123 {"a": 1}',
    '{"a": 1}\n\n("a" is the number)',
    '{"a": 1}\n1, 2 and 3 were wrong',
  ])("but not numbers and signs of a text: %s", (text) => {
    expect(extractJson(text)).toMatchObject({ value: { a: 1 }, repairs: [] });
  });

  test.each(['["x"\n" y"]', '{"k" " v"}', 'x = dict({"a": 1})'])(
    "and is sure where nothing else is meant: %s",
    (text) => {
      const result = extractJson(text);
      expect(result.ok && result.repairs.every(({ sure }) => sure)).toBe(true);
    },
  );

  test.each([
    ['<|tool_call>call:set_light{room:<|"|>den<|"|>,level:40}<tool_call|>', { room: "den", level: 40 }],
    ["<|tool_call>call:search{tags:[bug,ui],max:3}<tool_call|>", { tags: ["bug", "ui"], max: 3 }],
  ])("what a call of a tool is given, as Gemma writes it: %s", (text, value) => {
    expect(extractJson(text)).toMatchObject({ ok: true, value });
  });

  test("an apostrophe in a word is sure", () => {
    const result = extractJson("{'a': 'it's', 'b': 1}");
    expect(result.ok && result.repairs.every((repair) => repair.sure)).toBe(true);
  });

  test("the place of JSON with Markdown's backslashes is that in the text", () => {
    const text = 'See:\n\n\\[\\{"a\\_b": 1\\}\\]\n\nBye';
    const result = extractJson(text);
    expect(result.ok && [result.value, text.slice(...result.range)]).toEqual([[{ a_b: 1 }], '\\[\\{"a\\_b": 1\\}\\]']);
  });
});

describe("what a list that was asked for is made of", () => {
  const Names = z.array(z.string());
  const People = z.array(z.object({ name: z.string() }));

  test("marks of sources in words are no list", () => {
    const text = 'As [1] and [2] say, these are rivers:\n["Drava", "Sava"]\n[1] Atlas. [2] Gazetteer, p. 4.';
    expect(extractJson(text, { schema: Names })).toMatchObject({ ok: true, value: ["Drava", "Sava"] });
    expect(extractJson("Nothing is known of them, as [1] and [2] say.", { schema: Names })).toMatchObject({
      ok: false,
    });
  });

  test("values that a word joins, or that are events of a stream, are its members", () => {
    const value = [{ name: "Ana" }, { name: "Bo" }];
    expect(extractJson('{"name": "Ana"}\nand\n{"name": "Bo"}', { schema: People })).toMatchObject({ ok: true, value });
    const events = 'event: row\ndata: {"name": "Ana"}\n\nevent: row\nid: 2\ndata: {"name": "Bo"}\n\ndata: [DONE]\n';
    expect(extractJson(events, { schema: People })).toMatchObject({ ok: true, value });
  });
});

describe("what strings say, and what was put on them", () => {
  test("colours that stand in strings alone are content; others are a terminal's", () => {
    const red = (text: string) => `\u001b[31m${text}\u001b[0m`;
    expect(extractJson(`{"log": "${red("fail")}", "exit": 1}`)).toMatchObject({
      value: { log: red("fail"), exit: 1 },
      repairs: [{ kind: "control-character" }, { kind: "control-character" }],
    });
    expect(extractJson(`{"log": ${red('"fail"')}, "exit": 1}`)).toMatchObject({ value: { log: "fail", exit: 1 } });
    expect(extractJson(`{"${red("log")}": "${red("fail")}"}`)).toMatchObject({ value: { log: "fail" } });
    expect(extractJson(red('{"log": "fa\u001b[0mil"}'))).toMatchObject({ value: { log: "fail" } });
  });

  test("Markdown's backslashes go from values where keys have them", () => {
    const text = String.raw`{"price": "\$12.50", "var\_name": "max\_len"}`;
    expect(extractJson(text)).toMatchObject({ value: { price: "$12.50", var_name: "max_len" } });
    const formula = String.raw`{"var_name": "x\_1", "price": "\$1"}`;
    expect(extractJson(formula)).toMatchObject({ value: { var_name: String.raw`x\_1`, price: String.raw`\$1` } });
  });
});

test("what fits after a change is found behind thousands of values that nothing makes fit", () => {
  const others = Array.from({ length: 3_000 }, (_, nth) => `{"level": ${nth}}\n`).join("");
  const schema = z.object({ n: z.number() });
  const text = `${others}{"n": "1"}\n${others}{"n": "2"}`;
  expect(extractAll(text, { schema }).map((one) => one.value)).toEqual([{ n: 1 }, { n: 2 }]);
  expect(extractJson(text, { schema })).toMatchObject({ ok: true, value: { n: 2 } });
});

test("a long list of short names is read whole, although nearly all its signs are of another script", () => {
  const row = "｛“姓”：“王”，“名”：“伟”｝";
  const result = extractJson(`［${`${row}，`.repeat(1_000)}${row}］`);
  expect(result).toMatchObject({ ok: true, complete: true, range: [0, 18_019] });
  expect(result.ok && result.value).toEqual(Array(1_001).fill({ 姓: "王", 名: "伟" }));
});

test.each(['{"a": {"text": "Dear {{name"}}', '{"a": {"{{": 1}}', '["Dear {{name}}"]', '[["{{"]]'])(
  "two braces in a string stay as they are: %s",
  (json) => {
    expect(extractJson(`Here:\n${json}`)).toMatchObject({ ok: true, value: JSON.parse(json), repairs: [] });
  },
);

test("where colours stand around a value, one in a string stays", () => {
  const json = '[0, {"a": "\\u001b[31m"}]';
  expect(extractJson(`\u001b[32m${json}\u001b[0m\n`)).toMatchObject({ ok: true, value: JSON.parse(json) });
});

test.each([
  ["a literal", "null,\n4\n]"],
  ["a key", '"b": 3\n}'],
  ["a key without its first quote", 'b": 3\n}'],
])("a value that ends before a comma and %s is not sure", (_, rest) => {
  const result = extractJson(`[1,\n2,\n3\n],\n${rest}`);
  expect(result.ok && result.repairs.every(({ sure }) => sure)).toBe(false);
});

test("a value right behind a number that lost its comma is not sure", () => {
  expect(extractJson('[72["value", 1]]')).toMatchObject({
    value: [72, ["value", 1]],
    repairs: [{ kind: "missing-comma", sure: false }],
  });
});

test.each([
  ["a bullet before negative numbers", "- [\n-1,\n-2\n]", [-1, -2]],
  ["a word before itself", 'true [\n  true,\n  "x"\n]', [true, "x"]],
  ["a number before numbers", 'Round\n1 {"x": [\n  1e3,\n  12\n]}', { x: [1000, 12] }],
  ["bytes of Python with a quote that has one backslash", 'b\'{"a": "1\\"", "b": 2}\'', { a: '1"', b: 2 }],
  ["one event on two lines", 'data: ["a",\n"b"]\n', ["a", "b"]],
])("sound JSON behind %s stays as it is", (_, text, value) => {
  expect(extractJson(text)).toMatchObject({ ok: true, value, repairs: [], complete: true });
});

test("a word that a sign on each line begins with is not cut", () => {
  const result = extractJson('user {\n  user_id: 1,\n  user_name: "Ann"\n}');
  expect(result).toMatchObject({ ok: true, value: { user_id: 1, user_name: "Ann" } });
});

test("the value of the person's next turn is no answer, also on the line of the question", () => {
  const schema = z.object({ a: z.number() });
  const text = '{"a": 5}\nHuman: thanks, what of {"a": 6}?';
  expect(extractJson(text, { schema })).toMatchObject({ ok: true, value: { a: 5 } });
});

test.each(["[1.7e-[70,false]", "[\n  -[6,\n  {}\n]", "[]\n-2.5,\n[],\nnull\n]"])(
  "a number that goes on in a list may be a part of it: %s",
  (text) => {
    const result = extractJson(text);
    expect(result.ok && result.repairs.every(({ sure }) => sure)).toBe(false);
  },
);

test("a literal and a comma before a value may belong to it", () => {
  expect(extractJson('null, {"a": 1}')).toMatchObject({ ok: true, repairs: [{ kind: "surroundings", sure: false }] });
});

test("doubled quotes are read as single ones in a list, too", () => {
  expect(extractJson('[{""id"": 1, ""n"": ""q""}, {""id"": 2}]')).toMatchObject({
    ok: true,
    value: [{ id: 1, n: "q" }, { id: 2 }],
  });
});

describe("what looks like a sign around a value is left where it is none", () => {
  const read = (text: string, schema?: z.ZodType) => {
    const result = extractJson<unknown>(text, schema ? { schema } : {});
    return result.ok ? { value: result.value, sure: result.repairs.every(({ sure }) => sure) } : undefined;
  };

  test("the end of a quotation before the next key, where the string has lost its own", () => {
    expect(read('{"a": "il dit « oui », "b": 1}')).toEqual({ value: { a: "il dit « oui »", b: 1 }, sure: true });
    expect(read('{"a": "sie sagt ‚ja‘, "b": 1}')).toEqual({ value: { a: "sie sagt ‚ja‘", b: 1 }, sure: true });
  });

  test("an object in the words behind a value on its own lines", () => {
    expect(read('{"port": 80}\n\nNote: {"x": 1} is the default.')).toEqual({ value: { port: 80 }, sure: true });
  });

  test("what is written for an address or a form is read if a schema asks for it; a plus in it may be a blank", () => {
    const schema = z.object({ a: z.string() });
    const form = "payload=%7B%22a%22%3A%22x%22%7D&id=1";
    expect(read(form, schema)).toEqual({ value: { a: "x" }, sure: true });
    expect(read("payload=%7B%22a%22%3A+%22x+%C3%A9%22%7D", schema)).toEqual({ value: { a: "x é" }, sure: false });
    expect(read(form)).toBeUndefined();
    const a = "中文é".repeat(200);
    expect(read(`payload=${encodeURIComponent(JSON.stringify({ a }))}`, schema)).toEqual({ value: { a }, sure: true });
  });

  test.each([
    ["lists at the start of lines", "M:\n[\n[1], [2],\n[3], [4]\n]", [[1], [2], [3], [4]]],
    ["a literal at the start of lines", "x:\n[\n  true, [[1]],\n  true, null\n]", [true, [[1]], true, null]],
    ["a blank in pieces", '{"a": (" " "y")}', { a: " y" }],
    ["a tab in pieces", '{"a": ("x\ty" \'z\')}', { a: "x\tyz" }],
    ["a backslash beside words in backticks", 'Use \\`x\\`: {"t": "f\\_x",}', { t: "f\\_x" }, false],
    ["two quotes behind a number", '["item 1""item 2"]', ["item 1", "item 2"]],
    ["an apostrophe as a shell writes it", `-d '{"a": "Ann'\\''s", "b": 2}'`, { a: "Ann's", b: 2 }],
    ["a path beside a shell's apostrophe", `-d '{"a": "don'\\''t", "p": "C:\\\\new"}'`, { a: "don't", p: "C:\\new" }],
    ["records with a mark of inches", '{"a": 1,}\n\n{"a": "5\\" y"}\n\n{"a": 3}', [{ a: 1 }, { a: '5" y' }, { a: 3 }]],
    [
      "a lost quote and one too many, which may be none",
      '{\n  "a": "set x\n  "y": "z"",\n  "b": "S"\n}',
      { a: "set x", y: "z", b: "S" },
      false,
    ],
    ["a path that lost its quote", '{\n "a": "C:\\data\\new.txt\n "b": 1\n}', { a: "C:\\data\\new.txt", b: 1 }],
    ["a backslash before a lost quote", '{\n "a": "x \\\n "b": 1\n}', { a: "x ", b: 1 }, false],
    [
      "a number behind the name of a file",
      '{"a": "in C:\\src\\Main.cs 42\\nat x"}',
      { a: "in C:\\src\\Main.cs 42\nat x" },
    ],
    ["a call with curly quotes", "{“a”: NumberLong(“5”)}", { a: 5 }],
    [
      "keys of an object that PHP prints",
      "A Object\n(\n    [a:protected] => 1\n    [b:A:private] => x\n)\n",
      { a: 1, b: "x" },
    ],
    ["an address in the place of a member", '{"a": 1, "http://x.y"}', { a: 1, "http://x.y": null }, false],
    ["a key and its value in the first pair of quotes", '{"name: Ann", "tags": 637}', { name: "Ann", tags: 637 }],
    ["words that are the items of a list behind dashes", '{"a": [\n -- milk\n -- eggs\n]}', { a: [] }, false],
    ["a key and a literal in one pair of quotes", '{"a": 1, "dark: true", "b": 2}', { a: 1, dark: true, b: 2 }, false],
    ["a key and a text in one pair of quotes", '{"a": 1, "b": 2, "at: 10:30"}', { a: 1, b: 2, at: "10:30" }, false],
    [
      "a string without its quote and comma, before a key in its key's column",
      '{\n  "a": "x $y",\n  "b": "he \\"said\\" so\n  "c": "z",\n  "d": 1\n}',
      { a: "x $y", b: 'he "said" so', c: "z", d: 1 },
    ],
    [
      "objects with a comma and a comment between them",
      '{\n"a": 1\n}, // NEXT\n{\n"a": 2\n}',
      [{ a: 1 }, { a: 2 }],
      false,
    ],
    ["an object that a comment calls wrong", '{"s": "open"} // wrong\n{"s": "closed"}', { s: "closed" }],
    ["a comment behind a statement", 'const x = {"a": true}; // on\n\nThe answer:\n{"b": 1}', { b: 1 }],
    ["a style with a text in it", 'The style { font-family: "Arial"; } gives {"ok": true}', { ok: true }],
    ["a line that is sent anew", '{"a": 1}\n{"a": 2, "m": "x\n{"a": 2, "m": "xy"}', { a: 2, m: "xy" }, false],
    [
      "a path with blanks in its names",
      String.raw`{"f": "C:\data\Port 52\data\My Files\new\x.txt"}`,
      {
        f: String.raw`C:\data\Port 52\data\My Files\new\x.txt`,
      },
    ],
    [
      "a path and what may be the next line",
      String.raw`{"f": "C:\data\nNext"}`,
      { f: String.raw`C:\data\nNext` },
      false,
    ],
    [
      "semicolons between keys without quotes",
      '{host: "relay"; port: 9000; tags: ["a"]; tls: false}',
      { host: "relay", port: 9000, tags: ["a"], tls: false },
      false,
    ],
    [
      "a line of a log that breaks off",
      '{"a": 1, "m": "x"}\n{"a": 2, "m": "***\n{"a": 3, "m": "y"}',
      [
        { a: 1, m: "x" },
        { a: 2, m: "***" },
        { a: 3, m: "y" },
      ],
      false,
    ],
    [
      "a first line that breaks off and is sent anew",
      '{"a": 1, "m": "x\n{"a": 1, "m": "xy"}',
      { a: 1, m: "xy" },
      false,
    ],
    ["a rule between members", '{\n  "a": 1,\n---\n  "b": 2\n}', { a: 1, b: 2 }],
    [
      "commas lost beside quotes that have their backslashes",
      '[{"n": "Bob" "t": "quote: \\"x\\": y", "k": 442}, {"i": 175 "n": "O\'Brien" "t": "a \\"b\\", c" "k": 4}, {"i": 176 "n": "Bob"}]',
      [
        { n: "Bob", t: 'quote: "x": y', k: 442 },
        { i: 175, n: "O'Brien", t: 'a "b", c', k: 4 },
        { i: 176, n: "Bob" },
      ],
    ],
    [
      "lines of a log with the name of a thread",
      '07:59 INFO [main] {\n08:00 INFO [main]   "a": [1,\n08:00 INFO [main]   2]\n08:00 INFO [main] }',
      { a: [1, 2] },
    ],
    ["lines of which one has a line end of Unicode in a string", '> {\n> "a": "p\u2028> q"\n> }', { a: "p\u2028> q" }],
    ["an object of the same key on the next line", '{"a": 1, "b":\n{"a": 2,}\n}', { a: 1, b: { a: 2 } }],
    ["one behind a value of the same key", '{"a": 1, "b": True, "c":\n{"a": 2}}', { a: 1, b: true, c: { a: 2 } }],
    ["a blank that is all of a text", "{«a»: « », b: 1}", { a: " ", b: 1 }],
    ["a map of Erlang", '#{name => "ann", tags => [1, 2]}', { name: "ann", tags: [1, 2] }],
    [
      "lines of a log with the number of a process",
      'Jan 12 03:14:59 gw1 ups[712]: {\nJan 12 03:15:00 gw1 ups[712]:   "a": 1\nJan 12 03:15:00 gw1 ups[712]: }',
      { a: 1 },
    ],
    [
      "literals of modules of Python",
      "{'a': np.True_, 'b': pd.NaT, 'c': np.float64(1.5)}",
      { a: true, b: null, c: 1.5 },
    ],
    ["a value that Perl does not know", "$VAR1 = { 'a' => undef, 'b' => 1 };", { a: null, b: 1 }],
    ["names as keys of Perl", "$VAR1 = {\n  id => 'x',\n  sub => [{ a => 1 }]\n};", { id: "x", sub: [{ a: 1 }] }],
    ["maps of Elixir in a map", '%{"a" => [%{"b" => 1}, %{c: 2}], "d" => nil}', { a: [{ b: 1 }, { c: 2 }], d: null }],
    ["maps of Erlang in a list", "[#{id => 1}, #{id => 2}]", [{ id: 1 }, { id: 2 }]],
    ["a map that Node prints", '{ a: Map(1) { "b" => 1 }, c: Map(0) {} }', { a: { b: 1 }, c: {} }],
    ["literals of PowerShell", "@{ 'a' = $true, 'b' = $null }", { a: true, b: null }],
    ["binaries of Erlang", '#{<<"id">> => <<"x">>,<<"l">> => [<<"y">>]}', { id: "x", l: ["y"] }],
    [
      "arrays that PHP exports",
      "array (\n  'a' => 'L\\'x (y',\n  'b' =>\n  array (\n    0 => 'x',\n    1 => array ('c' => NULL,),\n  ),\n)",
      { a: "L'x (y", b: ["x", { c: null }] },
    ],
    [
      "arrays that PHP prints",
      "Array\n(\n    [a] => 3\n    [b c] => Array\n        (\n            [0] => 5\n            [1] => x\n        )\n)",
      { a: 3, "b c": [5, "x"] },
    ],
    [
      "what PHP dumps",
      'array(3) {\n  ["a"]=>\n  string(1) "W"\n  ["b"]=>\n  array(2) {\n    [0]=>\n    int(6)\n    [1]=>\n    bool(true)\n  }\n}',
      { a: "W", b: [6, true] },
    ],
    ["an object that PHP dumps", 'object(A\\User)#3 (1) {\n  ["a"]=>\n  array(0) {\n  }\n}', { a: [] }],
    ["an object that PHP prints", "stdClass Object\n(\n    [a] => 4\n)\n", { a: 4 }],
    [
      "pairs of Python, one in the other",
      "OrderedDict([('a', 1), ('b', [OrderedDict([('c', (2, 3))])])])",
      { a: 1, b: [{ c: [2, 3] }] },
    ],
    [
      "containers of Python",
      "{'a': defaultdict(<class 'int'>, {'x': 3}), 'b': deque([1, 2], maxlen=5), 'c': array('d', [1.5])}",
      { a: { x: 3 }, b: [1, 2], c: [1.5] },
    ],
    [
      "containers of JavaScript",
      '{ a: new Map([["x", 1], ["y", { z: [2] }]]), b: new Set([1, 2]) }',
      { a: { x: 1, y: { z: [2] } }, b: [1, 2] },
    ],
    [
      "arrays of NumPy and Torch",
      "{'a': array([[1., 2.],\n       [3., 4.]], dtype=float32), 'b': tensor([0.5], device='cuda:0')}",
      {
        a: [
          [1, 2],
          [3, 4],
        ],
        b: [0.5],
      },
    ],
    ["binaries of Erlang behind others", "#{id => 7, 'b' => <<\"y\"/utf8>>}", { id: 7, b: "y" }],
    ["a number behind a bracket", '[#0125] > {\n  "a": 1\n}', { a: 1 }],
    ["a test of a shell", 'then\n  [[ "$x" != "" ]]\nfi\n{"a":1}', { a: 1 }],
    [
      "lists behind a semicolon",
      "Matrix A; [[ 1, 2 ], [ 3, 4 ]]",
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["a colon and an equals sign before literals and names", "{ok := true, name:= Ann}", { ok: true, name: "Ann" }],
    ["a title behind a list without its end", '{tags: ["x"\nDone.\n{"a": 1}', { a: 1 }, false],
    ["what a mail quotes", '{"a":2}\n\nOn Mon, Bob wrote:\n> Could it be {"a":1}?', { a: 2 }],
    ["a quotation that no mail has", 'It is:\n\n> {"a": 1, "b": 2}\n\nUse `{"a": 3}` too.', { a: 1, b: 2 }],
    ["an apostrophe between two strings of a shell", `curl -d '{"a": "O'"'"'Hara"}'`, { a: "O'Hara" }],
    ["line ends that are written out", String.raw`[{"a":1}, \n {"a":"\n"}]`, [{ a: 1 }, { a: "\n" }]],
    [
      "an escaped quote before the one that ends the text",
      String.raw`{"id"=>"say \"hi\"", :tags=>2, :note=>"y"}`,
      { id: 'say "hi"', tags: 2, note: "y" },
    ],
    ["a list of Lua before another member", '{ a = { { id = 1 } }, b = { "c" } }', { a: [{ id: 1 }], b: ["c"] }, false],
    ["a low quote of German behind a key", '{"name“: "x", "b": 1}', { name: "x", b: 1 }],
    ["quotes of German that are content", '{"a": "Sie sagt „ja“, "b": 1}', { a: "Sie sagt „ja“", b: 1 }],
    ["code in a text that has lost its quote", '{"a": "run `ls`, "b": 1}', { a: "run `ls`", b: 1 }, false],
    ["a bracket too many behind words", 'The numbers: {"a": [1]], "b": 2}', { a: [1], b: 2 }],
    ["a brace too many behind words", 'The trip: {"a": {"b": 1}}, "c": 2}', { a: { b: 1 }, c: 2 }, false],
    ["one that is introduced as a quotation", 'It is:\n> {"a": 1}', { a: 1 }],
    ["one that a mail quotes", 'Ann wrote:\n> {"a": 1}', { a: 1 }, false],
    ["a wide quote behind a text", '{"a": "x＂, "b": 1}', { a: "x", b: 1 }],
    [
      "a text that Python breaks at its line ends",
      String.raw`{'a': ['b', 'one\n'⏎       'two']}`.replace("⏎", "\n"),
      { a: ["b", "one\ntwo"] },
      false,
    ],
    [
      "a name that begins as a number does",
      '{commit: 5e12345, branch: "main"}',
      { commit: "5e12345", branch: "main" },
      false,
    ],
    [
      "an attempt that failed",
      'Attempt 1 failed: {"error": "quota exceeded for x"}\nAttempt 2 succeeded: {"a": 1}',
      { a: 1 },
    ],
    [
      "lines of a container in parts",
      't1 stdout F up\nt2 stdout P {"a": "on\nt3 stdout P e\nt4 stdout F  two"}\nt5 stdout F down',
      { a: "one two" },
    ],
    ["empty containers", "{'a': set(), 'b': OrderedDict(), 'c': np.array([[1.5]])}", { a: [], b: {}, c: [[1.5]] }],
    ["a list that code makes", "{'a': np.array([1]).tolist(), 'b': 1}", { a: [1], b: 1 }],
    ["arrays of a console", "{ a: Array(2) [ 1, 2 ], b: Array [] }", { a: [1, 2], b: [] }],
    [
      "options of Rust on lines",
      'User {\n    a: [\n        "x",\n    ],\n    b: Some(\n        3,\n    ),\n}',
      { a: ["x"], b: 3 },
    ],
    ["numbers of Torch", "{'a': tensor(0.25, grad_fn=<MeanBackward0>), 'b': 1}", { a: 0.25, b: 1 }],
    ["a map of Haskell", 'fromList [("a",1),("b",2)]', { a: 1, b: 2 }],
    ["escaped apostrophes", String.raw`{"a": [\'x y\', \'z\']}`, { a: ["x y", "z"] }],
    ["a set of mathematics", 'A = {z : 0 < z < √2} is open.\n{"a": 1}', { a: 1 }],
    ["an interval", 'In [0, 1) it is {"a": 1}', { a: 1 }],
    ["a class of characters", '`[[:alnum:]]` in {"a": 1}', { a: 1 }],
    ["a set and an interval", '{x : |x| < 1}, [0, ∞) and\n{"a": 1}', { a: 1 }],
    ["examples that a model goes on with", '{"a": 1}\n\nInput: "x"\nOutput: {"a": 2}', { a: 1 }],
    ["empty texts that PHP prints", "Array\n(\n    [a] => \n    [b] => \n    [c] => 1\n)\n", { a: "", b: "", c: 1 }],
    ["backslashes that PHP dumps", 'array(1) {\n  ["a"]=>\n  string(6) "C:\\new"\n}', { a: "C:\\new" }],
    ["an array that PHP makes an object", "(object) array(\n   'a' => 1,\n)", { a: 1 }],
    [
      "a header that words name",
      'The header is `Content-Transfer-Encoding: quoted-printable`.\n{"q": "a=3Db"}',
      { q: "a=3Db" },
    ],
    ["pages in quotes", 'The pages are ["p. 1", "p. 2"].', ["p. 1", "p. 2"]],
    ["a line that ends in a word of code", "output struct\n{a: 1, b: 2}", { a: 1, b: 2 }],
    ["a colon behind a bracket", "users[0]:admin {a: 1}", { a: 1 }],
    ["what a prompt asks for", 'The format is {"x": 1}.\nInput: abc\nOutput:\n{"a": 1, "b": 2}', { a: 1, b: 2 }],
    ["a quotation at the start", '> {"a": 1, "b": 2}\n\nThis is wrong. Here is the right one:\n{"a": 1}', { a: 1 }],
    ["several colours without their escape character", '[1m[36m{[0m "a": [32m"x"[0m [1m[36m}[0m', { a: "x" }],
    ["what shall not be written", 'Use:\n{"a": 1}\n\nDo not write it like this, it fails:\n{"a": 2}', { a: 1 }],
    ["eight digits behind a word", String.raw`{'a': 'hi\U0001f44d'}`, { a: "hi👍" }],
    ["a name behind that of its domain", String.raw`{"a": "CORP\U00001234"}`, { a: String.raw`CORP\U00001234` }],
    ["a path", String.raw`{"a": "D:\d\U00012345\f"}`, { a: String.raw`D:\d\U00012345\f` }],
    ["fewer digits than eight", String.raw`{"a": "x\U00e9}y"}`, { a: String.raw`x\U00e9}y` }],
    [
      "an indented table of a configuration",
      '```hcl\n  tags = {\n    a = "x"\n    b = "y"\n  }\n```',
      { a: "x", b: "y" },
      false,
    ],
    [
      "lines of members before the answer",
      'Fields:\n"a": "who",\n"b": "when"\n\nValue: {"a":"x","b":3}',
      { a: "x", b: 3 },
    ],
    ["a value before one that is not meant", 'Nimm {"a": 1}, anstatt {"a": 2}', { a: 1 }],
    ["one that is struck out far to the right", `{"a": 1}\n~~\n${" ".repeat(24)}{"a": 2}~~`, { a: 1 }],
    [
      "eight digits of Python",
      String.raw`{'a': '\U0001f44d', 'b': '\U00110000'}`,
      { a: "👍", b: String.raw`\U00110000` },
    ],
    ["a call of Terraform around a list", '> x\n{\n  "a" = tolist([\n    "b",\n  ])\n}', { a: ["b"] }],
    ["a table of Lua that begins with a text in brackets", '{ ["a b"] = 1, c = "x" }', { "a b": 1, c: "x" }],
    ["a name with a question mark", '%{a: "x", live?: false}', { a: "x", "live?": false }],
    ["a map of Erlang behind a colon", '  state: #{<<"a">> => 1, b => 2}', { a: 1, b: 2 }],
    ["settings on lines", '# conf\n{\n  a = "x"\n  b = { c = true }\n}', { a: "x", b: { c: true } }],
    ["code in a string with line ends", '{"code": "\nx = set()\n"}', { code: "\nx = set()\n" }],
    ["code in a string behind a lone quote", 'The 5" one: {"code": "dict()"}', { code: "dict()" }],
    ["times in a list", '{"times": [\n09:00:00,\n10:00:00\n]}', { times: ["09:00:00", "10:00:00"] }],
    ["three quotes for one", `x='{ """a""": """v1""", """b""": { """c""": true } }'`, { a: "v1", b: { c: true } }],
    [
      "dates and words that PHP prints",
      'Array\n(\n    [a] => none\n    [b] => Array\n        (\n            [0] => 2024-09-07\n            [1] => x \\ "y"\n        )\n)\n',
      { a: "none", b: ["2024-09-07", 'x \\ "y"'] },
    ],
    ["fractions in a sentence", 'On [0, 1/3] it holds.\n{"a": 1}', { a: 1 }],
    ["a name before a bracket that is not PowerShell's", String.raw`user@{'re': '\\d+'}`, { re: String.raw`\d+` }],
    ["dates in a list", "{a: [2024-09-07, x]}", { a: ["2024-09-07", "x"] }],
    ["keys with a plus", "{a+b: 1, c+d: [2]}", { "a+b": 1, "c+d": [2] }],
    ["a sign of another script before a brace", '[{"a": 1},결{"a": 2}]', [{ a: 1 }, { a: 2 }]],
    ["a list of YAML", 'name: Ann\ntags: ["a"]', ["a"], false],
    ["a constant of a program", "PHASES = { new: 0, full: 15 }", { new: 0, full: 15 }, false],
    ["a sound value before a damaged one with the same keys", `f({"a": [1]})\n%{"a" => 'x'}`, { a: "x" }, false],
    ["the blanks of a tokenizer", '{\n▁▁"a": [\n▁▁▁▁{"b": 1}\n▁▁]\n}', { a: [{ b: 1 }] }],
    ["a line end behind a formula", '{"a": "x \\\\bar{w}=(\\\\q)\\nA. \\cdot"}', { a: "x \\bar{w}=(\\q)\nA. \\cdot" }],
    ["a bracket among letters in doubled quotes", '[""e.g. and},true,""]', ["e.g. and},true,"], false],
    ["a quotation of members in a string of Python", `['x, "k": 1', 2]`, ['x, "k": 1', 2]],
    ["a point behind a number", '{"a": 1.5.}', { a: 1.5 }, false],
    ["three quotes at the start of a string", '{"a": """"b c", "d": 1}', { a: '"""b c', d: 1 }, false],
    [
      "more backslashes than the names before them were long",
      `array(1) {\n  ["p"]=>\n  string(40) "${"\\".repeat(24)}"\n}`,
      { p: "\\".repeat(24) },
    ],
    [
      "backslashes that PHP prints",
      `Array\n(\n    [p] => ${"\\a".repeat(9)}\n    [q] => 1\n)\n`,
      { p: "\\a".repeat(9), q: 1 },
    ],
    ["a structure of Elixir", '[debug] %Shop.Order{id: 8, lines: [%{sku: "Q"}]}', { id: 8, lines: [{ sku: "Q" }] }],
    ["what psql prints", ' jsonb_pretty\n------\n {      +\n   "a": 1,+\n   "b": 2 +\n }\n(1 row)', { a: 1, b: 2 }],
    ["a string on two lines of a box", '│ {      │\n│ "a": "x  │\n│ y"     │\n│ }      │', { a: "x\ny" }],
    ["a value in a box of signs", '+------+\n| {    |\n| "a":1 |\n| }    |\n+------+', { a: 1 }],
    [
      "names and values on lines",
      'tags = {\n  team = "a"\n  cost = 4410\n  live = false\n}',
      { team: "a", cost: 4410, live: false },
      false,
    ],
    ["a table of Lua", 'return {\n  a = "x",\n  ["b c"] = 1,\n  d = true,\n}', { a: "x", "b c": 1, d: true }],
    [
      "an object behind the lines of an error",
      "Error: x\n    at f (a.js:3:11) {\n  code: 'E', n: 422\n}",
      { code: "E", n: 422 },
    ],
    ["template tokens behind quoted keys", '{"a": <|"|>x<|"|>, "b": [<|"|>y<|"|>]}', { a: "x", b: ["y"] }],
    ["line ends that are written out before a value", String.raw`{"a": "x",\n "b": \n"y"}`, { a: "x", b: "y" }],
    ["what shall not be sent", '{"a": 1}\n\nDo **not** send this:\n\n{"a": 2}', { a: 1 }],
    ["a mark before a call", '/**/ typeof f === "function" && f({"a": 1});', { a: 1 }],
    [
      "what is used in the place of what was wrong",
      'use this one, the port was wrong:\n\n{"a": 1}\n\nOn Tue, Ann wrote:\n> {"a": 2}',
      { a: 1 },
    ],
    [
      "numbers of Mongo's shell",
      "{ a: Long('17'), b: NumberDecimal(\"1.5\"), c: Decimal('2.5') }",
      { a: 17, b: 1.5, c: "2.5" },
    ],
    ["arrows behind a colon", "Found: {de => 'Zug', fr => 'train'}", { de: "Zug", fr: "train" }],
    [
      "lists in the code of C#",
      'x = new { A = 1, B = new[] { "x", "y" }, C = new int[] { 2 } };',
      { A: 1, B: ["x", "y"], C: [2] },
    ],
    ["points for commas", '{"a": 3.\n "b": true.\n "c": null.\n "d": false}', { a: 3, b: true, c: null, d: false }],
    ["a text of Python on lines", "{'a': '''\n  one\n  '''}", { a: "\n  one\n  " }, false],
    [
      "a list of lists without its brackets",
      "[1, 2], [3, 4]",
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["template tokens around code", '{code:<|"|>if a < b: pass<|"|>}', { code: "if a < b: pass" }],
    ["a list that ends with a word of notices", '["north", [closed]]', ["north", ["closed"]]],
    ["line ends that are written out before a number", String.raw`{"a": \n 1, "b": 2}`, { a: 1, b: 2 }],
    ["a table below a mark of a log", '[LOG]\nresult = {id = 17, name = "a"}', { id: 17, name: "a" }, false],
    ["members in a fence beside an object", '{"a":1}\n```json\n"b": 2\n```', { a: 1 }],
    ["primes for quotes", "Answer: {′a′: 12, ′b′: [3]}", { a: 12, b: [3] }],
    ["literals of minified programs", "window.x = {a: {b: 2}, c: !0, d: !1};", { a: { b: 2 }, c: true, d: false }],
    ["a pattern with a caret", 'The regex [^"]* matches all.\n\n{"a": "x^2"}', { a: "x^2" }],
    [
      "line ends that are written out behind values, too",
      String.raw`{"a": \n[1, 2\n],\n "b": \n{"c": true\n}, "d": 5\n}`,
      { a: [1, 2], b: { c: true }, d: 5 },
    ],
    ["template tokens in strings", '{"a": "x", "b": "<|"|>c<|"|>"}', { a: "x", b: '<|"|>c<|"|>' }],
    [
      "code in a string behind a list that code makes",
      `{"a": array([1]), "b": "he said "f().tolist()" now"}`,
      { a: [1], b: 'he said "f().tolist()" now' },
    ],
    [
      "members in fences before an object",
      'x\n```json\n"a": 8,\n```\nwith\n```json\n"a": 9,\n```\nResult:\n```json\n{"b":"x","a":9}\n```',
      { b: "x", a: 9 },
    ],
    ["a list behind one field in brackets", 'Data a[1], items[{"b": 1}]', [{ b: 1 }]],
    ["a list behind a list and a word", 'Data: [1, 2], items[{"b": 1, "c": 2}]', [{ b: 1, c: 2 }]],
    ["three quotes of Python", '{"a":\n    """\n    x\n    """\n}', { a: "\n    x\n    " }],
    ["a thought between a key and its value", '{"a": <think>"b" or {c}?</think> 1, "b": 2}', { a: 1, b: 2 }, false],
    ["a thought between members", '{"a": 1, <thinking>Now b.</thinking> "b": 2}', { a: 1, b: 2 }, false],
    [
      "the marks of thoughts for values",
      "{open: <think>, close: </think>}",
      { open: "<think>", close: "</think>" },
      false,
    ],
    ["a fence around the value of a key", '{"a": ```json\n{"b": 1}\n```, "c": 2}', { a: { b: 1 }, c: 2 }, false],
    [
      "a list in quotes of its own",
      '{"a": "[{"b": 1, "c": "x", "d": "y"}]"}',
      { a: '[{"b": 1, "c": "x", "d": "y"}]' },
      false,
    ],
    ["a number with a leading zero", '{"a": 07, "b": 1}', { a: "07", b: 1 }, false],
    ["a form of dots", '1. Format: {"a":"…","b":"…"}\n2. Keep it short', { a: "…", b: "…" }, false],
    ["a text in round brackets", '{"a": ("x"), "b": ("y", 1)}', { a: "x", b: ["y", 1] }, false],
    ["words in brackets before an encoded value", '[a, b]\nb\'{"a": 1, "t": "x\\\\ny"}\'', { a: 1, t: "x\ny" }],
  ])("%s", (_, text, value, sure = true) => {
    expect(read(text)).toEqual({ value, sure });
  });

  test.each([
    [
      "arrays in the code of PHP",
      'array("a" => 1, "b" => array(), 3 => array("x", "y"))',
      { a: 1, b: [], 3: ["x", "y"] },
    ],
    [
      "objects of classes of Python, Kotlin and Java in others",
      "{'a': [User(name='Ann', tags=['x'], of=Of(n=1))], 'b': [User(name=Ann, n=3), User{n=4, p=x}]}",
      {
        a: [{ name: "Ann", tags: ["x"], of: { n: 1 } }],
        b: [
          { name: "Ann", n: 3 },
          { n: 4, p: "x" },
        ],
      },
    ],
    ["apostrophes of PHP with backslashes", "array (\n  'p' => 'C:\\dir',\n)", { p: "C:\\dir" }],
    ["keys of PHP that no list has", "array (\n  0 => 'a',\n  2 => 'b',\n)", ["a", "2 => 'b'"]],
    ["a member far behind a brace too many", `{{"a":1}${" ".repeat(210)}"b": 2}`, { a: 1 }],
    [
      "an option that is not recommended",
      'Option A: {"a": 2}\nOption B: {"a": 1}\nI cannot recommend option A.',
      { a: 1 },
    ],
    ["an option that is never used", 'Option A: {"a": 2}\nOption B: {"a": 1}\nUse option A never.', { a: 1 }],
    [
      "code in a string behind a line that ends in a bracket",
      '{"code": "f(\n  x,\n  set([1])\n)"}',
      { code: "f(\n  x,\n  set([1])\n)" },
    ],
    ["lists behind their lengths", "{ a: (2) [ 1, 2 ], b: (1) [ 'x' ], c: 3 }", { a: [1, 2], b: ["x"], c: 3 }],
    [
      "words with a comma before in",
      "{title: Gifts for Mom, Dad in 2024, price: 3}",
      { title: "Gifts for Mom, Dad in 2024", price: 3 },
    ],
    ["a line that breaks off behind a backslash", '{"id":7,"msg":"hello \\\n', { id: 7, msg: "hello " }],
    [
      "a list that may lack its first bracket",
      '{"e": [[1, 2], [3]], [4, 5]], "f": 6}',
      { e: [[1, 2], [3], [4, 5]], f: 6 },
    ],
    ["a text that R prints", String.raw`[1] "{\"a\":0.5,\"n\":1}"`, { a: 0.5, n: 1 }],
    ["an interval in an object", '{"range": [0, ∞]}', { range: [0, "∞"] }],
    ["a source among other fields in brackets", 'took[5.1s], types[], source[{"a":[1]}], id[]', { a: [1] }],
    ["lines that are broken in a key", '{"a":1,"bou\nnced":77,"c":"x y\nz"}', { a: 1, bounced: 77, c: "x yz" }],
    [
      "a free line beside one that is broken in a key",
      '{"a":1,"bou\nnced":77,"c":"x\n\ny"}',
      { a: 1, bounced: 77, c: "x\n\ny" },
    ],
    ["words behind the fence of a string without its end", '```json\n{"a": "x\n```\nTell me to go on.', { a: "x" }],
    ["a fence in a string without its end", '```json\n{"a": "x\n```\ny\n```\nz', { a: "x\n```\ny\n```\nz" }],
    ["two records behind keys", 'v-7\t{"a": 1}\nv-9\t{"a": 2}\n2 messages', [{ a: 1 }, { a: 2 }]],
    ["examples that were asked for", 'I used {"a": 0} as seed.\n<sample>{"a": 1}</sample>', { a: 1 }],
    ["an empty object behind the answer", '{"a": 1}\n\n{}', { a: 1 }],
    ["elements with numbers", '<d1>\n{"a":1}\n</d1>\n<d2>\n{"a":2}\n</d2>', [{ a: 1 }, { a: 2 }]],
    ["the rest of a record before others", 'foo", "b": 1},\n{"a": "x"},\n{"a": "z"}]', [{ a: "x" }, { a: "z" }]],
    ["eight digits of a rare letter behind a word", String.raw`{'a': 'x\U00010400'}`, { a: "x\u{10400}" }],
    ["a notice in a pair of stars", '[\n  {"a": 1},\n\n*(limit reached, cut off here)*', [{ a: 1 }]],
    ["a fraction whose digits do not end", `{"a": 1, "b": 25.${"0".repeat(300)}`, { a: 1, b: 25 }],
    ["elements of other names", '<a>{"a": 1}</a>\n<b>{"a": 2}</b>', { a: 2 }],
    ["elements of one name", '<i>{"a": 1}</i>\n<i>{"a": 2}</i>', [{ a: 1 }, { a: 2 }]],
    [
      "examples before the answer",
      'Input: "x"\nOutput: {"a": 1}\n\nInput: "y"\nOutput: {"a": 2}\n\nInput: "z"\nOutput: {"a": 3}',
      { a: 3 },
    ],
    ["lists of a console with their lengths", "{ a: (2) [ 1, 2 ], b: (3) […] }", { a: [1, 2], b: [] }],
    ["a line of a user that nobody answers", '{"a":1}\nUser: bob\nModel: X200\nNew: {"a":2}', { a: 2 }],
    ["a talk that an AI began", 'AI: {"a":1}\n\nUser: make a 2\n\nAI: {"a":2}', { a: 2 }],
    ["blanks as HTML writes them before the first key", '{\n&nbsp;&nbsp;"a": 1\n}', { a: 1 }],
    ["a break of HTML and a blank behind the brace", "{<br/>\n  &quot;a&quot;: 1<br/>\n}", { a: 1 }],
    ["an option that is not", 'I cannot recommend option A:\n{"a": 2}\nOption B:\n{"a": 1}', { a: 1 }],
  ])("%s, which are not sure", (_, text, value) => {
    expect(read(text)).toEqual({ value, sure: false });
  });

  test("pieces of a string of C are joined", () => {
    const text = String.raw`char *s =
    "{\"a\": 1,"
    " \"b\": \"it's\"}";`;
    expect(read(text)?.value).toEqual({ a: 1, b: "it's" });
  });

  test("members on lines behind strings in single quotes", () => {
    const text = "@{\n  Name = 'x-y'\n  Ports = @(1, 2)\n  Tags = @{ site = \"L\"; floor = 3 }\n}";
    expect(read(text)?.value).toEqual({ Name: "x-y", Ports: [1, 2], Tags: { site: "L", floor: 3 } });
  });

  test("lines behind words that are no members are none", () => {
    expect(read('Cast:\n"Ann": 5 lines,\n"Bob": 3 lines,\n"Eve": none.')).toBe(undefined);
    expect(read('Set this:\n"a": 1')).toBe(undefined);
    expect(read('The play:\n"Romeo": "But soft",\n"Juliet": "O Romeo",\nwere said.')).toBe(undefined);
  });

  test("the same value twice may be as deep as any", () => {
    const deep = `${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}`;
    const { ok } = extractJson(`A:\n\n${deep}\n\nB:\n\n${deep}`, { maxDepth: 50_000 });
    expect(ok).toBe(true);
  });

  test("a block in a block of Terraform is code", () => {
    expect(read('resource "a" "b" {\n  x = "y"\n  tags = {\n    t = "p"\n    e = "q"\n  }\n}')).toBe(undefined);
    expect(read('local x = {\n  t = "p"\n  e = "q"\n}')?.value).toEqual({ t: "p", e: "q" });
  });

  test("objects of classes in calls are code", () => {
    expect(read('model = Sequential([Dense(units=64, act="relu"), Dense(units=10)])')).toBe(undefined);
    expect(read("Point(x=1, y=2)")).toBe(undefined);
    expect(read("else { y := x }")).toBe(undefined);
    expect(read("type A = { a?: string, b: number }")).toBe(undefined);
    expect(read("&redis.Options{Addr:addr, DB:n}")).toBe(undefined);
    expect(read("return new Map([[key, value]])")).toBe(undefined);
    expect(read('a[href]::after { content: " ("; }')).toBe(undefined);
  });

  test("bytes of Python in double quotes", () => {
    expect(read(String.raw`b"{'a': 'caf\xc3\xa9'}"`)?.value).toEqual({ a: "café" });
  });

  test("a comma that was put in, or a sign before sound JSON, makes no code of a value", () => {
    expect(read('Result:\n{"a": [12 345 6], "b": 2}\n\nLog:\n{"c": 1}')?.value).toEqual({ a: [12, 345, 6], b: 2 });
    expect(read('@{"a": 1, "b": 2}\n\n{"c": 1}')?.value).toEqual({ a: 1, b: 2 });
  });

  test.each([
    'Of #{name => "Ann", age => 30} the answer is {"id": 7}',
    '{"id": 7}\n@{Name=print01; Retries=3}',
    '{ x = 5; y = 6; }\nprints\n{"id": 7}',
  ])("code gives way to a value beside it: %s", (text) => {
    expect(read(text)).toEqual({ value: { id: 7 }, sure: true });
  });

  test.each([
    ["a power", '{"a": 10²}', { a: "10²" }],
    ["an operator", '{"a": 2**8, "b": 1}', { a: "2**8", b: 1 }],
    ["an object on the next line in one that lacks its end", '{"a": 1, "b": 2\n{"c": 3}', { a: 1, b: 2, c: 3 }],
    ["tags as values", '{"t": [<b>, <i>], "u": <br>}', { t: ["<b>", "<i>"], u: "<br>" }],
    ["words in brackets beside a value", "[a, b]\n[1, 2]", [1, 2]],
    [
      "an object that starts anew on the next line",
      '{"t": "So\n{"t": "Solar\n{"t": "Solar park", "n": 1}',
      { t: "Solar park", n: 1 },
    ],
    ["one that starts anew within a string", '{"a": "0x{"a": "0x1", "b": 2}', { a: "0x1", b: 2 }],
    ["one that starts anew twice", '{"a": "0x{"a": "0x1", "b{"a": "0x1", "b": 2}', { a: "0x1", b: 2 }],
    [
      "one that starts anew, with others like it inside",
      '{"a": "r{"a": "root", "b": [{"a": "x"}, {"a": "y"}]}',
      { a: "root", b: [{ a: "x" }, { a: "y" }] },
    ],
    ["one that starts anew behind the mark of a record", '{"a": "0x\x1e{"a": "1", "b": 2}', { a: "1", b: 2 }],
    ["one that starts anew behind a key", '{"a": 1, "b"{"a": 1, "b": "one"}', { a: 1, b: "one" }],
    ["one of the same key that is a member", '{"a": 1, "b": {"a": 1, "c": "one"}', { a: 1, b: { a: 1, c: "one" } }],
    ["one that starts anew behind a point", '{"a": 1, "b": 2.\n{"a": 1, "b": 2.5}', { a: 1, b: 2.5 }],
    ["one that starts anew behind a colon", '{"a": 1, "b":\n{"a": 1, "b": 2.5}', { a: 1, b: 2.5 }],
    [
      "settings with semicolons",
      '{\n  port = 80;\n  log = { on = true; path = "/var/x"; };\n}',
      { port: 80, log: { on: true, path: "/var/x" } },
    ],
    ["what PowerShell prints", "The job: @{Name=print01; Retries=3}", { Name: "print01", Retries: 3 }],
    ["structures of Rust", "[Item { id: 1, sub: Sub { a: 2 } }]", [{ id: 1, sub: { a: 2 } }]],
    [
      "a map of Groovy",
      "Settings: [job: 'nightly', retries: 2, agents: ['a']]",
      { job: "nightly", retries: 2, agents: ["a"] },
    ],
    ["what stands in that", "@{a=1; b=@{c=2}; d=@(1, 2)}", { a: 1, b: { c: 2 }, d: [1, 2] }],
    [
      "a dictionary that a system of Apple prints",
      'app[81] info: {\n    n = 3;\n    "to-go" = yes;\n    tags =     (\n        red,\n        "light blue"\n    );\n}',
      { n: 3, "to-go": "yes", tags: ["red", "light blue"] },
    ],
    [
      "objects on lines of their own that lack their ends",
      '[\n  {"a": 1, "b": [2]\n  {"a": 2, "b": []\n  {"a": 3, "b": []}\n]',
      [
        { a: 1, b: [2] },
        { a: 2, b: [] },
        { a: 3, b: [] },
      ],
    ],
    [
      "what Go prints",
      "map[id:7 name:Ann tags:[a b] in:map[x:1.5]]",
      { id: 7, name: "Ann", tags: ["a", "b"], in: { x: 1.5 } },
    ],
    ["lines that are broken in a number, too", '{"n": 90\n01, "t\nwo": "a\nb"}', { n: 9001, two: "ab" }],
  ])("%s, which is not sure", (_, text, value) => {
    expect(read(text)).toEqual({ value, sure: false });
  });

  test.each([
    ...['[{{ post.date | date: "%Y" }}]', `if [ "\${#arr[@]}" -eq 0 ]; then exit 1; fi`],
    '[package]\nname = "x"\n\n[dependencies]\nserde = { version = "1", optional = true }\n',
    ...["def f(x):\n    out = []\n    out.append(x)", "t = {s: h(f) for s, f in zip(A, B)}"],
    ...["It grows on the interval [0, n], but not on [n, m].", "The flags [a, b, 2] are set."],
    ...['puts "#{name => 1}"', 'Select @{n="Size"; e={$_.Length}}'],
    ...['items.map( { item => "done" } )', "case A: { x = 5; y = 7; }", "The format is [%{level}]."],
    ...['[[ $f == *.ts ]] || echo "$f"', '[[ $? -eq 0 ]] && echo "ok"', "[Note: 3 items, see below]"],
    ...["function f() {\n  a = 1\n  b = 2\n}", "while (ready) {\n  a = 1\n  b = c\n}"],
    ...["if (ready) {\n  x = 1;\n  y = z;\n}", "items.map(x => {\n  a = 1;\n  b = 2;\n});"],
    ...["{ x = 1; return y; }", "do_it()\n{ x = 1; y = 2; }", ".a { b = 1; c = 2 }"],
    ...['let name = match c {\n  red => "x",\n  blue => "y",\n};', "val f = { x => x + 1 }"],
    ...['x match { 1 => "a" }', 'onClick={e=>"x"}', "Press [<br>Esc]", "[Smith, 2020]\nargues so."],
    ...[
      "@media (max-width: 40em) {\n  .card > h2 { font-size: 1rem }\n}",
      "if [[ -e out.txt ]]; then\n  exit 0\nfi",
      "At {{ point.name }} [{{ point.code }}].",
    ],
  ])("no value: %s", (text) => {
    expect(read(text)).toBeUndefined();
  });

  test("the symbols of Ruby in a list", () => {
    expect(read('{:id=>1, :tags=>["a", :b], :meta=>{:retry=>false}}')?.value).toEqual({
      id: 1,
      tags: ["a", "b"],
      meta: { retry: false },
    });
  });

  test("the lists of PHP that have keys", () => {
    const text = "['m' => ['s' => ['a' => 1], 'log' => ['c' => null],\n],\n]";
    expect(read(text)?.value).toEqual({ m: { s: { a: 1 }, log: { c: null } } });
  });

  test("rows of different keys with a comma behind each", () => {
    expect(read('{"a": 1},\n{"a": 2, "b": 3},\n')?.value).toEqual([{ a: 1 }, { a: 2, b: 3 }]);
  });

  test.each([["```python\nTrue\n```", z.boolean(), true]])(
    "a word that is all of a fence: %s",
    (text, schema, value) => {
      expect(read(text, schema)).toEqual({ value, sure: true });
    },
  );

  test.each([
    ["```bash\n42\n```", z.number()],
    ["true\n```", z.boolean()],
    ["True", z.string()],
  ])("no answer: %s", (text, schema) => {
    expect(read(text, schema)).toBeUndefined();
  });

  test("an object that lacks its end does not go on behind a rule", () => {
    const A = z.looseObject({ a: z.number() });
    expect(read('{"a": 1, "b": [2]\n\n---\n{"c": 3}', A)).toEqual({ value: { a: 1, b: [2] }, sure: false });
  });

  test("“not” speaks against what it denies alone", () => {
    const A = z.object({ a: z.number() });
    expect(read('{"a": 1}\nBelieve it or not:\n{"a": 2}', A)).toEqual({ value: { a: 2 }, sure: false });
    expect(read('Is {"a": 1} right? If not, {"a": 2}.', A)).toEqual({ value: { a: 2 }, sure: false });
  });
});

test("where so much is damaged that the rest is not read, the last value is not complete", () => {
  const all = extractAll("{a:1,}\n".repeat(60_000));
  expect(all.length).toBeGreaterThan(10_000);
  expect(all.filter(({ complete }) => !complete)).toEqual(all.slice(-1));
});

test("the one field that holds another value is looked into, whatever its name", () => {
  const Order = z.object({ order: z.number() });
  const text = JSON.stringify({ Records: [{ EventSource: "bus", Sns: { Subject: "new", Message: '{"order": 7}' } }] });
  expect(extractJson(text, { schema: Order })).toMatchObject({ value: { order: 7 }, repairs: [{ sure: false }] });
});

test("words in a list with texts are a list where one is asked for", () => {
  const result = extractJson('[apple, pear, "a quince"]', { schema: z.array(z.string()) });
  expect(result).toMatchObject({ ok: true, value: ["apple", "pear", "a quince"] });
});

test.each([
  ["a list behind a thought in brackets", "[THINK][1, 2] or so[/THINK][1, 1, 2]", [1, 1, 2]],
  ["what stands behind After:", 'Before:\n{"a": 1, "b": 22}\nAfter:\n{"a": 1, "c": 2}', { a: 1, c: 2 }],
])("%s is taken surely", (_, text, value) => {
  expect(extractJson(text)).toMatchObject({ ok: true, value, repairs: [] });
});

describe("what looks like a print of Go, a set or a list of words is none", () => {
  test.each([
    ...["Use map[key:value] to index.", "x = map[i:j]", 'return api.User{Name: "Ann", Age: 30}'],
    ...['String[] s = {"a", "b", "c"};', 'import { "a", "b", "c" } from x', '[Note, see "foo"]\nSome text'],
    ...["Order(id=7, state=OPEN)", "The result is `[1, b, c]`.", "[{1, 2}, {3, 4}]"],
  ])("%s", (text) => {
    expect(extractJson(text).ok).toBe(false);
  });

  test("beside JSON", () => {
    expect(extractJson('Request: map[id:1 name:abcdefgh]\nResult: {"ok":true}')).toMatchObject({ value: { ok: true } });
    expect(extractJson("Config(path=x)\nOrderedDict([('a', 1)])")).toMatchObject({ value: { a: 1 } });
  });

  test.each(["{Name:Ann Tags:[New York]}", "{Title:Re Subject:Hello}"])("and %s is not sure", (text) => {
    const result = extractJson(text);
    expect(result.ok && result.repairs).toContainEqual({ kind: "encoding", at: 0, line: 1, sure: false });
  });

  test("and one word without quotes among others with them is a part of a list", () => {
    expect(extractJson("The tags are ['red', blue, 'green'] for you.")).toMatchObject({
      value: ["red", "blue", "green"],
    });
    expect(extractJson("The scores are [90, 85, absent] for Ann.")).toMatchObject({ value: [90, 85, "absent"] });
  });
});

test("a class of Python that is all of a text is a value where a schema asks for one", () => {
  const schema = z.object({ id: z.number(), item: z.string() });
  const result = extractJson("Order(id=7, item='lamp')", { schema });
  expect(result).toMatchObject({
    value: { id: 7, item: "lamp" },
    repairs: [{ kind: "encoding", sure: false }, {}, {}, {}, {}, {}],
  });
  expect(extractJson("Order(id=7, item='lamp').save", { schema }).ok).toBe(false);
});

test("what was stored is found behind the keys of its frame", () => {
  const schema = z.strictObject({ id: z.number(), title: z.string() });
  const text = JSON.stringify({ hits: { total: 1, hits: [{ _id: "17", _source: { id: 17, title: "Walls" } }] } });
  expect(extractJson(text, { schema })).toMatchObject({ value: { id: 17, title: "Walls" } });
});

test.each([
  ["72 signs", `{"id": 61, "text": "${"a line of words ".repeat(9)}", "n": 1234}`, 72],
  ["41 signs", `{"id": 61, "ok": true, "text": "${"certificate ".repeat(7)}", "n": 1234}`, 41],
])("lines that a terminal broke at %s are put together", (_, json, width) => {
  const text = json.replace(new RegExp(`.{${width}}`, "g"), "$&\n");
  expect(extractJson(text)).toMatchObject({
    ok: true,
    value: JSON.parse(json),
    repairs: [{ kind: "encoding", sure: false }],
  });
});

test("a text that Python broke behind a blank is one", () => {
  const text = "{'notes': ['Keep off the '\n           'knuckle.',\n           'No landing.']}";
  expect(extractJson(text)).toMatchObject({ value: { notes: ["Keep off the knuckle.", "No landing."] } });
});
