import { describe, expect, test } from "vitest";
import { z } from "zod";
import { extractJson, parseJson } from "../src/index.js";

const Person = z.object({ name: z.string(), age: z.number() });
const ann = { name: "Ann", age: 30 };
const eve = { name: "Eve", age: 60 };
const text = JSON.stringify(ann);
const Texts = z.array(z.string());

const isSure = (outer: unknown, schema: z.ZodType = Person) => {
  const result = extractJson<unknown>(JSON.stringify(outer), { schema });
  return result.ok && result.complete && result.repairs.every(({ sure }) => sure);
};

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const message = { role: "assistant", content: text, refusal: null };

test.each<[string, unknown]>([
  [
    "Gemini CLI",
    {
      response: text,
      stats: {
        models: {
          "gemini-2.5-pro": {
            api: { totalRequests: 2, totalErrors: 1, totalLatencyMs: 900 },
            tokens: { prompt: 1, candidates: 2, total: 3, cached: 0, thoughts: 4, tool: 0 },
            roles: { main: { totalRequests: 2, totalErrors: 1 } },
          },
        },
        tools: {
          ...{ totalCalls: 1, totalSuccess: 1, totalFail: 0, totalDurationMs: 3 },
          totalDecisions: { accept: 0, reject: 0, modify: 0, auto_accept: 1 },
          byName: { google_web_search: { count: 1, success: 1, fail: 0, durationMs: 3, decisions: { reject: 0 } } },
        },
        files: { totalLinesAdded: 0, totalLinesRemoved: 0 },
      },
    },
  ],
  [
    "the Gemini API",
    {
      candidates: [
        {
          content: { parts: [{ text }], role: "model" },
          ...{ finishReason: "STOP", index: 0, avgLogprobs: -0.1 },
          safetyRatings: [{ category: "HARM_CATEGORY_HATE_SPEECH", probability: "NEGLIGIBLE" }],
        },
      ],
      usageMetadata: {
        ...{ promptTokenCount: 4, candidatesTokenCount: 8, totalTokenCount: 12 },
        promptTokensDetails: [{ modality: "TEXT", tokenCount: 4 }],
      },
      ...{ modelVersion: "gemini-2.5-pro", responseId: "x" },
    },
  ],
  [
    "OpenAI",
    {
      ...{ id: "chatcmpl-1", object: "chat.completion", created: 1, model: "gpt-4o", system_fingerprint: "fp_1" },
      choices: [{ index: 0, message: { ...message, annotations: [] }, logprobs: null, finish_reason: "stop" }],
      usage: {
        ...usage,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { rejected_prediction_tokens: 0 },
      },
    },
  ],
  [
    "OpenAI, with the weight of each word",
    {
      ...{ id: "chatcmpl-1", object: "chat.completion", created: 1, model: "gpt-4o" },
      choices: [
        {
          ...{ index: 0, message, finish_reason: "stop" },
          logprobs: { content: [{ token: '{"name', logprob: -0.1, bytes: [123], top_logprobs: [] }], refusal: null },
        },
      ],
    },
  ],
  [
    "OpenRouter",
    {
      ...{ id: "gen-1", provider: "X", model: "a/b", object: "chat.completion", created: 1 },
      choices: [
        {
          logprobs: null,
          finish_reason: "stop",
          native_finish_reason: "STOP",
          index: 0,
          message: { ...message, reasoning: null },
        },
      ],
      usage: { ...usage, cost: 0.1, is_byok: false, cost_details: { upstream_inference_cost: null } },
    },
  ],
  [
    "the Responses API",
    {
      ...{ id: "resp_1", object: "response", created_at: 1, status: "completed", background: false, error: null },
      ...{ instructions: null, model: "gpt-5", parallel_tool_calls: true, store: true, temperature: 1, top_p: 1 },
      output: [
        { id: "rs", type: "reasoning", summary: [] },
        {
          ...{ id: "m", type: "message", status: "completed", role: "assistant" },
          content: [{ type: "output_text", annotations: [], logprobs: [], text }],
        },
      ],
      ...{ reasoning: { effort: "medium", summary: null }, tool_choice: "auto", tools: [], truncation: "disabled" },
      ...{ text: { format: { type: "text" }, verbosity: "medium" }, usage, user: null, metadata: {} },
    },
  ],
  [
    "Anthropic",
    {
      ...{ id: "msg_1", type: "message", role: "assistant", model: "claude", content: [{ type: "text", text }] },
      ...{ stop_reason: "end_turn", stop_sequence: null },
      usage: { input_tokens: 1, cache_creation: { ephemeral_5m_input_tokens: 0 }, service_tier: "standard" },
    },
  ],
  [
    "Claude Code",
    {
      ...{ type: "result", subtype: "success", is_error: false, duration_ms: 1, num_turns: 1, result: text },
      ...{
        session_id: "x",
        total_cost_usd: 0.1,
        usage: { input_tokens: 1, server_tool_use: { web_search_requests: 0 } },
      },
      ...{ modelUsage: { "claude-opus": { inputTokens: 1, costUSD: 0.1 } }, permission_denials: [], uuid: "y" },
    },
  ],
  [
    "Ollama",
    {
      ...{ model: "llama3", created_at: "2026-01-01T00:00:00Z", message: { role: "assistant", content: text } },
      ...{ done: true, done_reason: "stop", total_duration: 1, prompt_eval_count: 3, eval_count: 4 },
    },
  ],
  [
    "Bedrock",
    {
      output: { message: { role: "assistant", content: [{ text }] } },
      ...{ stopReason: "end_turn", usage: { inputTokens: 1, outputTokens: 2 }, metrics: { latencyMs: 1 } },
    },
  ],
  [
    "Lambda and HTTP",
    {
      statusCode: 200,
      headers: {
        ...{ "content-type": "application/json; charset=utf-8", "cache-control": "no-cache, no-store", expires: "0" },
        ...{ date: "Sun, 22 Nov 2026 10:00:00 GMT", server: "nginx", "x-request-id": "7", "x-frame-options": "DENY" },
      },
      ...{ body: text, isBase64Encoded: false },
    },
  ],
  ["MCP", { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text }], isError: false } }],
  [
    "Cohere",
    {
      ...{ id: "c", finish_reason: "COMPLETE", message: { role: "assistant", content: [{ type: "text", text }] } },
      usage: { billed_units: { input_tokens: 1 }, tokens: { input_tokens: 1 } },
    },
  ],
])("what a service gives is opened surely: %s", (_, outer) => {
  expect(extractJson(JSON.stringify(outer), { schema: Person })).toMatchObject({ value: ann });
  expect(isSure(outer)).toBe(true);
});

describe("an answer is not sure", () => {
  test.each<Record<string, unknown>>([
    ...[{ type: "placeholder" }, { type: "mock" }, { kind: "hypothetical" }, { event: "person.deleted" }],
    ...[{ action: "discard" }, { version: "superseded" }, { context: "fiction" }, { name: "User" }],
    ...[
      { total: 0 },
      { count: 0 },
      { retracted_at: "2026-11-01" },
      { next_cursor: "abc" },
      { metadata: ["fabricated"] },
    ],
    ...[{ headers: { "x-amz-function-error": "Unhandled" } }, { usage: { quota_exceeded: true } }],
  ])("beside a name or a number that says so: %j", (told) => {
    expect(isSure({ ...told, data: ann })).toBe(false);
  });

  test.each(["example_response", "expected_format", "previous_answer", "user_message", "inputs", "noMatch", "before"])(
    "as the only member, under a key that does not say that it is one: %s",
    (key) => {
      expect(isSure({ [key]: ann })).toBe(false);
    },
  );

  test.each(["response", "final_answer", "searchResults"])("but it is under one that does: %s", (key) => {
    expect(isSure({ [key]: ann })).toBe(true);
  });

  test.each([
    ["a part of a message", { candidates: [{ content: { parts: ["I cannot"] } }] }],
    ["pieces of one text", { output: ["I", " cannot", " say"] }],
    ["messages", { messages: ["Error: no access"] }],
    ["warnings", { warnings: ["x"] }],
  ])("if it is a list of texts that were said: %s", (_, outer) => {
    expect(isSure(outer, Texts)).toBe(false);
  });
});

test("objects that no text can be made of stand where words are looked for", () => {
  const odd = { toString: 1, valueOf: 1 };
  const outer = { type: odd, role: { role: odd }, status: odd, tool: odd, arguments: ann };
  expect(extractJson(JSON.stringify(outer), { schema: Person })).toMatchObject({ value: ann });
  const events = [
    { type: odd, text: text.slice(0, 9) },
    { type: odd, text: text.slice(9) },
  ];
  expect(extractJson(JSON.stringify(events), { schema: Person })).toMatchObject({ value: ann });
});

describe("where a schema asks for little", () => {
  const Loose = z.object({ name: z.string(), age: z.number().optional() });
  const Titled = z.object({ title: z.string().optional(), summary: z.string().optional() });
  const found = (outer: unknown, schema: z.ZodType) => {
    const result = extractJson<unknown>(JSON.stringify(outer), { schema });
    return { value: result.ok ? result.value : undefined, sure: isSure(outer, schema) };
  };
  const titled = { response: '{"title": "X"}', stats: {} };

  test.each<[string, unknown, z.ZodType, unknown]>([
    ["what a call is given", { name: "create_person", arguments: ann }, Loose, ann],
    [
      "what a call is given, deeper",
      { type: "function", function: { name: "create_person", arguments: JSON.stringify(ann) } },
      Loose,
      ann,
    ],
    [
      "what has a key of what is around it, and more",
      { status: "ok", data: { status: "shipped", eta: "2026-11-23" } },
      z.object({ status: z.string(), eta: z.string().optional() }),
      { status: "shipped", eta: "2026-11-23" },
    ],
    ["the text in an envelope", titled, Titled, { title: "X" }],
    ["in place of defaults", titled, z.object({ title: z.string().default("?") }), { title: "X" }],
    ["in place of what is caught", titled, z.object({ title: z.string().catch("?") }), { title: "X" }],
    [
      "by a JSON Schema",
      titled,
      z.fromJSONSchema({ type: "object", properties: { title: { type: "string" } } }),
      { title: "X" },
    ],
    [
      "the rows, not a list of what is around them",
      { columns: ["a"], rows: [{ a: 1 }, { a: 2 }] },
      z.array(z.record(z.string(), z.unknown())),
      [{ a: 1 }, { a: 2 }],
    ],
    [
      "the rows of which all keys may be missing",
      { items: [ann, ann], total: 2 },
      z.array(Person.partial()),
      [ann, ann],
    ],
  ])("what is wrapped is taken if it has more of what is asked for, and is not sure: %s", (_, outer, schema, value) => {
    expect(found(outer, schema)).toEqual({ value, sure: false });
  });

  test("what is around it is taken otherwise, and is not sure", () => {
    const shipped = { status: "ok", data: { status: "shipped" } };
    const Status = z.object({ status: z.string(), eta: z.string().optional() });
    expect(found(shipped, Status)).toEqual({ value: { status: "ok" }, sure: false });
    expect(found({ response: "I cannot", stats: {} }, Titled)).toEqual({ value: {}, sure: false });
  });

  test("what uses its keys, or wraps nothing that fits, is sure", () => {
    const Tree = z.object({ text: z.string(), items: z.array(z.unknown()).optional() });
    expect(isSure({ text: "a", items: [{ text: "b" }] }, Tree)).toBe(true);
    expect(isSure({ ...ann, data: { a: 1 } })).toBe(true);
    expect(isSure({ a: 1, data: { b: 2 } }, z.record(z.string(), z.unknown()))).toBe(true);
  });
});

test.each([
  ["members of a list", [ann, eve]],
  ["their fields", [{ data: ann }, { data: eve }]],
  ["their inner lists", [[ann], [eve]]],
  ["the texts of their inner lists", [[text], [JSON.stringify(eve)]]],
  ["lists of their fields", [{ data: { rows: [ann] } }, { data: { rows: [eve] } }]],
])("of several answers in a list the last one counts, and it is not sure: %s", (_, outer) => {
  const result = extractJson(JSON.stringify(outer), { schema: Person });
  expect(result).toMatchObject({ ok: true, value: eve });
  expect(isSure(outer)).toBe(false);
});

test("what Elasticsearch has stored", () => {
  const hit = { _index: "people", _id: "x1", _score: 1.3, _source: ann };
  const text = JSON.stringify({ took: 4, timed_out: false, hits: { total: { value: 1 }, hits: [hit] } });
  expect(parseJson(text, { schema: Person })).toEqual(ann);
});

describe("rows under a key that nobody knows", () => {
  const People = z.array(Person);
  const read = (outer: unknown) => {
    const result = extractJson(JSON.stringify(outer), { schema: People });
    return { value: result.ok ? result.value : undefined, sure: isSure(outer, People) };
  };

  test("are the answer if nothing else there holds values, and are not sure", () => {
    expect(read({ persons: [ann, eve], count: 2 })).toEqual({ value: [ann, eve], sure: false });
  });

  test("are not if there are others", () => {
    expect(read({ friends: [ann, eve], foes: [eve, ann] }).value).toBeUndefined();
  });
});

test("the only field of another is looked into, also behind the data of GraphQL", () => {
  const outer = { data: { repository: { pullRequest: ann } }, extensions: { cost: { actual: 3 } } };
  expect(parseJson(JSON.stringify(outer), { schema: Person })).toEqual(ann);
  expect(isSure({ data: ann, extensions: { cost: 3 } })).toBe(true);
});

test.each<[string, unknown]>([
  ["a field of the same name twice", { output: { output: { name: "Ann", age: 30 } } }],
  ["what a call is given, piece by piece", { type: "toolCall", id: "c1", arguments: {}, partialJson: text }],
  [
    "what a model thinks, if it says nothing else",
    { choices: [{ message: { content: "", reasoning_content: text, tool_calls: [] } }] },
  ],
])("%s", (_, outer) => {
  const schema: z.ZodType = "output" in Object(outer) ? z.object({ output: Person }) : Person;
  const value = "output" in Object(outer) ? { output: ann } : ann;
  expect(extractJson<unknown>(JSON.stringify(outer), { schema })).toMatchObject({
    ...{ ok: true, value, source: "envelope" },
  });
});

test("JSON in a string that is written twice", () => {
  const schema = z.object({ arguments: Person });
  const given = (args: string) => extractJson(JSON.stringify({ arguments: args }), { schema });
  expect(given(JSON.stringify(text))).toMatchObject({ ok: true, value: { arguments: ann } });
});

test("a call that is shown as an example, or stands in one of a program, is not sure", () => {
  expect(extractJson(`This is how it would look:\n${text}`, { schema: Person })).toMatchObject({
    repairs: [{ sure: false }],
  });
  expect(extractJson(`\`\`\`python\npost("x", json=${text})\n\`\`\``, { schema: Person })).toMatchObject({
    repairs: [{ sure: false }],
  });
});

test("a number that was written with a comma is not surely the text that is asked for", () => {
  const schema = z.object({ a: z.string() });
  expect(extractJson("{a: 1,617.98}", { schema })).toMatchObject({
    value: { a: "1617.98" },
    repairs: [{ kind: "coercion", sure: false }, { kind: "unquoted" }, { kind: "number" }],
  });
});

test("what a call was given so far is not sure", () => {
  expect(isSure({ id: "c1", arguments: {}, partialJson: text })).toBe(false);
});

test("what says that it is a part is not sure", () => {
  expect(isSure({ data: ann, partial: true })).toBe(false);
  expect(isSure({ partial_result: ann })).toBe(false);
});

test("what a container logs may have the keys of its frame", () => {
  const schema = z.object({ time: z.string(), name: z.string() });
  const log = JSON.stringify({ time: "09:00", name: "Ann" });
  expect(extractJson(JSON.stringify({ log, stream: "stdout", time: "2031-06-05" }), { schema })).toMatchObject({
    value: { time: "09:00", name: "Ann" },
  });
});

describe("arguments that a model calls a tool with in tags", () => {
  const Edit = z.object({ path: z.string(), text: z.string() });
  const edit = (text: string) =>
    `<function=edit><parameter=path>a.ts</parameter><parameter=text>${text}</parameter></function>`;
  const read = (answer: string, schema: z.ZodType = Edit) => {
    const result = extractJson<unknown>(answer, { schema });
    return result.ok && { value: result.value, sure: result.complete && result.repairs.every(({ sure }) => sure) };
  };

  test.each([
    ["quotes and backslashes", 'say "\\d" {now', 'say "\\d" {now'],
    ["lines", "\none\n\ttwo\n", "one\n\ttwo"],
    ["elements of XML", '<test><parameter name="x" value="y"/></test>', '<test><parameter name="x" value="y"/></test>'],
    ["a patch", "\n+ {\n+  a\n+ }\n", "+ {\n+  a\n+ }"],
    ["a last line end, where the first one is missing", "a\n", "a\n"],
    ["one line, indented as its tag is", "\n    a\n  ", "a"],
    ["a parameter in words", "so <parameter=x>5</parameter> it is", "so <parameter=x>5</parameter> it is"],
    ["an indented line", "\n    a\n", "    a"],
    ["line ends of Windows", "\r\na\r\nb\r\n", "a\r\nb"],
    ["nothing", "", ""],
  ])("are texts: %s", (_, written, text) => {
    expect(read(edit(written))).toEqual({ value: { path: "a.ts", text }, sure: true });
  });

  test("have the types that are asked for", () => {
    const schema = z.object({ n: z.number(), all: z.boolean(), of: z.array(z.string()) });
    const call = '<｜DSML｜invoke name="f">⏎<｜DSML｜parameter name="n" string="false">3</｜DSML｜parameter>⏎'.concat(
      '<｜DSML｜parameter name="all" string="false">True</｜DSML｜parameter>⏎',
      '<｜DSML｜parameter name="of" string="false">["a"]</｜DSML｜parameter>⏎</｜DSML｜invoke>',
    );
    expect(read(call.replaceAll("⏎", "\n"), schema)).toEqual({ value: { n: 3, all: true, of: ["a"] }, sure: true });
  });

  test.each([
    ["entities, which may be content", edit("a &amp;&amp; b"), { path: "a.ts", text: "a &amp;&amp; b" }],
    ["what has lost its head", edit("x").replace("<function=edit>", '="edit">').replace("</function>", ""), undefined],
    ["a thought that has not ended", `<think>I edit it.\n${edit("x")}`, undefined],
    ["an end of a call in one", edit("ends with </function>"), { path: "a.ts", text: "ends with </function>" }],
    ["a parameter in one", edit("<parameter=x>5</parameter>"), { path: "a.ts", text: "<parameter=x>5</parameter>" }],
    [
      "a parameter on a line of one",
      edit("\nuse\n<parameter=x>5</parameter>\n"),
      { path: "a.ts", text: "use\n<parameter=x>5</parameter>" },
    ],
    ["a call in one", edit(edit("y")), { path: "a.ts", text: edit("y") }],
    ["the definition of a tool", edit("x").replace("=text", ' name="text" type="string"'), undefined],
    ["an example", `For example:\n${edit("x")}`, undefined],
    ["the last of several calls", `${edit("y")}\n${edit("x")}`, undefined],
    ["a last end that is missing", edit("x").replace("</parameter></function>", "</function>"), undefined],
    [
      "a call of LFM before words",
      '<|tool_call_start|>[edit(path="a.ts", text="x")]<|tool_call_end|>I edit it.',
      undefined,
    ],
    ["an argument whose end is missing", edit("x").replace("</parameter>", "\n"), undefined],
    ["ends that are all missing", edit("x").replaceAll("</parameter>", "⏎").replaceAll("⏎", "\n"), undefined],
    ["elements of their names", "<edit>⏎<path>a.ts</path>⏎<text>x</text>⏎</edit>".replaceAll("⏎", "\n"), undefined],
    ["elements in others", "<edit><args><path>a.ts</path><text>x</text></args></edit>", undefined],
    ["an element that breaks off", "<edit><path>a.ts</path><text>x", undefined],
    [
      "other elements, quotes and backslashes in one",
      '<edit><path>a.ts</path><text>say <b>"x"</b> \\d</text></edit>',
      { path: "a.ts", text: 'say <b>"x"</b> \\d' },
    ],
    ["a call of Python", "edit(path=\"a.ts\", text='x')", undefined],
    ["what breaks off", edit("x").replace("</parameter></function>", ""), undefined],
  ])("are not sure: %s", (_, answer, value = { path: "a.ts", text: "x" }) => {
    expect(read(answer)).toEqual({ value, sure: false });
  });

  test("go on to the end where the text of one has a tag without its end", () => {
    expect(read(edit("use <parameter=x>"))).toEqual({
      value: { path: "a.ts", text: "use <parameter=x></parameter></function>" },
      sure: false,
    });
  });

  test.each([
    ["in backticks", (call: string) => `Write \`${call}\`.`],
    ["on a line", (call: string) => `You wrote:\n> ${call}`],
    ["twice, the argument", (call: string) => call.replace("</function>", "<parameter=text>z</parameter></function>")],
  ])("are not sure if they are quoted, or given %s", (_, around) => {
    expect(read(around(edit("x")))).toMatchObject({ sure: false });
  });

  test("may hold the list that is asked for, but not for sure an object", () => {
    const call = (json: string) => `<function=f><parameter=p>x</parameter><parameter=q>${json}</parameter></function>`;
    expect(read(call('["a", "b"]'), z.array(z.string()))).toEqual({ value: ["a", "b"], sure: true });
    expect(read(call('{"a": 1}'), z.object({ a: z.number() }))).toEqual({ value: { a: 1 }, sure: false });
  });

  test("are no elements of a page", () => {
    expect(read("<html><body><path>a.ts</path><text>x</text></body></html>")).toBe(false);
  });

  test("are no types of a program", () => {
    expect(read("Vec<Foo><Bar>x", z.record(z.string(), z.string()))).toBe(false);
  });

  test("are none where nothing is asked for", () => {
    expect(extractJson("<edit><path>a.ts</path></edit>").ok).toBe(false);
  });

  test.each([
    ["call:", '<start_function_call>call:edit{path:<escape>a.ts<escape>,text:<escape>a, {b} "c"⏎<escape>}'],
    ["call", '<start_function_call>call edit{path:<escape>a.ts<escape>,text:<escape>a, {b} "c"⏎<escape>}'],
  ])("of Gemma have its own quotes, behind %s", (_, answer) => {
    expect(read(answer.replaceAll("⏎", "\n"))).toEqual({ value: { path: "a.ts", text: 'a, {b} "c"\n' }, sure: true });
  });

  test("of Gemma are not sure with a mark too many, or a backslash", () => {
    expect(read("call:edit{path:<escape>a<escape>,text:<escape>b}")).toMatchObject({ sure: false });
    expect(read("call:edit{path:<escape>a<escape>,text:<escape>b\\\\n<escape>}")).toMatchObject({ sure: false });
  });

  test("of Gemma stand behind a mark", () => {
    const value = { path: "a.ts", text: "x" };
    expect(read('<|tool_call>edit{path:<|"|>a.ts<|"|>,text:<|"|>x<|"|>}<tool_call|>')).toMatchObject({ value });
    expect(extractJson("Please\ncall setup{timeout: 3} before").ok).toBe(false);
  });

  test("give way to a key of the name of Gemma's mark", () => {
    expect(extractJson(`{'keys': 'Press: <escape> to quit', 'n': 1}`)).toMatchObject({
      value: { keys: "Press: <escape> to quit", n: 1 },
    });
  });

  test.each([
    [
      "behind an end in words",
      "Close it with </parameter>.⏎<function=edit><parameter=path>a.ts</parameter><parameter=text>use <parameter=q></parameter></function>",
    ],
  ])("are not sure where the text of one has a tag without its end, %s", (_, answer) => {
    expect(read(answer.replaceAll("⏎", "\n"))).toMatchObject({ sure: false });
  });

  test.each([
    ["JSON behind them", '<r><path>a</path><text>x</text></r>⏎{"path": "b.ts", "text": "y"'],
    ["tags of a page", '<b><i>Note</i></b>: {"path": "b.ts", "text": "y"'],
  ])("in elements give way to %s", (_, answer) => {
    expect(read(answer.replaceAll("⏎", "\n"))).toMatchObject({ value: { path: "b.ts", text: "y" } });
  });

  test("in elements hold the text of a page", () => {
    expect(read("<edit><path>a.html</path><text><p>Hi</p></text></edit>")).toEqual({
      value: { path: "a.html", text: "<p>Hi</p>" },
      sure: false,
    });
  });

  test.each([
    [
      "a tag without its end before it",
      (json: string) => `The tag <parameter name="path"> is not closed.\n${json}`,
      true,
    ],
    [
      "also if it is damaged",
      (json: string) => `The tag <parameter name="path"> is not closed.\n${json.slice(0, -1)},}`,
      true,
    ],
    [
      "a call of another tool, and it is damaged",
      (json: string) => `${edit("x").replace("=path", "=q")}\n${json.slice(0, -1)},}`,
      false,
    ],
    ["a call that fits behind it", (json: string) => `${json}\n${edit("x")}`, false],
    ["a call that fits before it", (json: string) => `${edit("x")}\n${json}`, false],
  ])("give way to JSON beside them: %s", (_, around, sure) => {
    const json = JSON.stringify({ path: "b.ts", text: "y" });
    expect(read(around(json))).toEqual({ value: JSON.parse(json), sure });
  });

  test("are taken before JSON in a thought", () => {
    expect(read(`<think>{"path":"b.ts","text":"y"}</think>${edit("x")}`)).toMatchObject({ value: { text: "x" } });
  });

  test("of Python are none if words go on behind them", () => {
    expect(read('edit(path="a.ts", text="x") is the call')).toBe(false);
  });

  test("hold what is of their own kind", () => {
    const json = '{"path":"b.ts","text":"y"}';
    expect(read(edit(json))).toEqual({ value: { path: "a.ts", text: json }, sure: true });
  });

  test("give way to JSON in one of them that fits", () => {
    const json = '<invoke name="save"><parameter name="what">{"path":"b.ts","text":"y"}</parameter></invoke>';
    expect(read(json)).toEqual({ value: { path: "b.ts", text: "y" }, sure: true });
  });

  test("are no value where nothing asks for them, nor in a string of JSON", () => {
    expect(extractJson(edit("x")).ok).toBe(false);
    expect(read(JSON.stringify({ path: edit("x"), text: "y" }))).toEqual({
      value: { path: edit("x"), text: "y" },
      sure: true,
    });
  });

  test("of several calls are one list if it is asked for", () => {
    expect(read(`${edit("x")}\n${edit("y")}`, z.array(Edit))).toMatchObject({
      value: [
        { path: "a.ts", text: "x" },
        { path: "a.ts", text: "y" },
      ],
    });
  });
});
