import { describe, expect, test } from "vitest";
import { z } from "zod";
import { extractJson } from "../src/index.js";

const Person = z.object({ name: z.string(), age: z.number() });
const ann = { name: "Ann", age: 30 };
const eve = { name: "Eve", age: 60 };
/** It was meant, and does not fit. */
const misfit = { name: "Ann", age: "unknown" };
const wrappers = ["data", "result", "response", "content"];

const isSure = (outer: unknown, schema: z.ZodType = Person) => {
  const result = extractJson<unknown>(typeof outer === "string" ? outer : JSON.stringify(outer), { schema });
  return result.ok && result.complete && result.repairs.every(({ sure }) => sure);
};
const lines = (all: unknown[]) => all.map((one) => JSON.stringify(one)).join("\n");
const halves = (text: string) => [text.slice(0, 9), text.slice(9)];

describe("an answer taken out of something is not sure, or refused", () => {
  test.each([
    ["renamed", Person.transform(({ name, age }) => ({ label: name, years: age }))],
    ["a list", Person.transform(({ name, age }) => [name, age])],
    ["a text", Person.transform(({ name }) => name)],
    ["nothing", Person.transform(() => null)],
  ])("beside a key that it has in the text, whatever the schema makes of it: %s", (_, schema) => {
    for (const key of wrappers) {
      expect(isSure({ ...misfit, [key]: eve }, schema), key).toBe(false);
      expect(isSure({ ...misfit, [key]: JSON.stringify(eve) }, schema), key).toBe(false);
    }
  });

  const keys = ["patient", "person", "metadata", "usage", "request", "draft", "previous", "input", "result", "details"];
  test.each(keys)("beside what looks like it, or fits as well, under %s", (key) => {
    for (const other of [misfit, [misfit], { deep: { er: misfit } }, JSON.stringify(misfit), ann, JSON.stringify(ann)])
      for (const outer of [
        { [key]: other, data: eve },
        { data: eve, [key]: other },
        { [key]: other, content: JSON.stringify(eve) },
      ])
        expect(isSure(outer), JSON.stringify(outer)).toBe(false);
  });

  test.each<[string, (list: unknown[]) => unknown]>([
    ["in a list", (list) => list],
    ["in results", (results) => ({ results })],
    ["in a text", (list) => ({ content: JSON.stringify(list) })],
    ["on lines", lines],
    ["in the lines of a text", (list) => ({ content: lines(list) })],
  ])("behind or before what looks like it, fails or speaks, a level further out: %s", (_, around) => {
    for (const other of [misfit, [misfit], { error: "x" }, { role: "assistant", content: JSON.stringify(misfit) }])
      for (const list of [
        [other, { data: eve }],
        [{ data: eve }, other],
      ])
        expect(isSure(around(list)), JSON.stringify(list)).toBe(false);
    expect(isSure(around([{ data: eve }, { note: "withdrawn" }]))).toBe(false);
  });

  test("in a text with another one, or with what looks like it", () => {
    for (const other of [ann, misfit])
      for (const text of [`${JSON.stringify(other)} or ${JSON.stringify(eve)}`, JSON.stringify([other, { data: eve }])])
        expect(isSure({ content: text }), text).toBe(false);
  });

  const Numbers = z.array(z.number());
  test.each([
    [
      "rows",
      {
        rows: [
          [1, 2],
          [3, null],
          [5, "n/a"],
        ],
      },
      Numbers,
    ],
    [
      "rows, the last of which fits",
      {
        rows: [
          [3, null],
          [1, 2],
        ],
      },
      Numbers,
    ],
    ["groups", { groups: [[ann], [{ name: "B", age: "?" }]] }, z.array(Person)],
    ["lists under one key of several objects", { results: [{ ids: [1, 2] }, { ids: ["x"] }] }, Numbers],
    ["lists under several keys", { data: { x: [1, 2], y: [3, "a"] } }, Numbers],
    ["a list of labels", { tags: ["a"], data: ["b"] }, z.array(z.string())],
    ["the rows that were refused", { data: [ann], meta: { refused: [misfit] } }, z.array(Person)],
    ["an unknown record before it", { results: [{ b: "n/a" }, { data: { a: 1 } }] }, z.record(z.string(), z.number())],
    ["another of a union", { data: ann, meta: { note: "no" } }, z.union([Person, z.object({ note: z.string() })])],
  ])("beside %s", (_, outer, schema) => {
    expect(isSure(outer, schema)).toBe(false);
  });

  test.each(["role", "from", "sender", "author", "speaker", "type"])("in a message of the person (%s)", (key) => {
    for (const who of ["user", "human", "system", "tool", "developer", "customer"])
      for (const said of ["content", "value", "text"]) {
        const message = { [key]: who, [said]: JSON.stringify(ann) };
        expect(isSure(message), JSON.stringify(message)).toBe(false);
        expect(isSure({ conversations: [message, { [key]: "assistant", [said]: "I cannot do that." }] })).toBe(false);
      }
    expect(isSure({ message: { author: { role: "user" }, content: { parts: [JSON.stringify(ann)] } } })).toBe(false);
    const withdrawn = { [key]: "assistant", content: "I was wrong." };
    expect(isSure([{ [key]: "assistant", content: JSON.stringify(ann) }, withdrawn])).toBe(false);
  });

  test.each([
    ...[{ success: 0 }, { success: "no" }, { ok: "nope" }, { found: 0 }, { done: false }, { valid: false }],
    ...[
      { error_msg: "denied" },
      { err: "denied" },
      { errno: 2 },
      { fault: "x" },
      { "error-code": 7 },
      { stderr: "no" },
    ],
    ...[{ http_status: 500 }, { statusCode: 302 }, { code: -1 }, { code: "500" }, { status: false }, { status: "KO" }],
    ...[
      { error: { message: "denied" } },
      { warnings: [{ id: 1 }] },
      { exit_code: 1 },
      { returnCode: 2 },
      { rc: 1 },
      { status: { code: 500 } },
      { meta: { error: "denied" } },
    ],
    ...[{ message: "Request denied" }, { refusal: "no" }, { confidence: 0.1 }, { mock: true }, { dry_run: true }],
    ...[{ finish_reason: "length" }, { stop_reason: "refusal" }, { type: "error" }, { kind: "example" }],
    ...[{ note: "made up" }, { state: "draft" }, { label: "wrong" }, { corrected: JSON.stringify(eve) }],
    ...[{ metadata: { warning: "No match. Returning sample data." } }, { metadata: { is_mock: true } }],
    ...[{ meta: { confidence: 0.01 } }, { usage: { quota_exceeded: true } }, { headers: { "x-fault": "Unhandled" } }],
    ...[{ status: { phase: "Failed" } }, { status: ["failed"] }, { success: { value: false } }, { mock: "true" }],
    ...[{ status: "COMPLETED_WITH_ERRORS" }, { status: "success_false" }, { finish_reason: "tool_error" }],
    ...[{ reason: "Completed with errors" }, { valid: "0" }, { draft: true }, { draft: "yes" }, { has_more: true }],
    ...[{ updated: "see below" }, { sender_name: "Bob" }, { answer: null }],
  ])("beside what does not say that it went well: %j", (told) => {
    for (const outer of [
      { ...told, data: ann },
      { body: JSON.stringify(ann), ...told },
      { response: { ...told, data: ann } },
      [{ ...told, result: ann }],
    ])
      expect(isSure(outer), JSON.stringify(outer)).toBe(false);
  });

  test.each(["user.message", "user_message", "user_input", "reasoning"])("in a message of the type %s", (type) => {
    const content = JSON.stringify(ann);
    expect(isSure({ type, data: { content } })).toBe(false);
    expect(isSure(lines([{ type: "thread.started" }, { type: "item.completed", item: { type, text: content } }]))).toBe(
      false,
    );
  });

  test.each(["failed", "rejected", "not_found", "wrong", "denied"])("under a key that says so: %s", (key) => {
    expect(isSure({ [key]: ann })).toBe(false);
  });

  const pieces = halves(JSON.stringify(ann)).map((content) => ({ type: "message", role: "assistant", content }));
  test.each([
    ["an event that failed", lines([...pieces, { type: "result", status: "error" }])],
    ["a list with an event that failed", JSON.stringify([...pieces, { error: { message: "overloaded" } }])],
    ["what looks like it", JSON.stringify([misfit, ...pieces])],
    [
      "a part that tells of an error",
      `${halves('{"name":"Ann","age":30}')
        .map((text) => `0:${JSON.stringify(text)}`)
        .join("\n")}\n3:"no"\n`,
    ],
    [
      "another one that is put together",
      lines([{ x: { a: '{"name":"Ann",', b: '{"name":"Eve",' } }, { x: { a: '"age":30}', b: '"age":60}' } }]),
    ],
  ])("put together from pieces beside %s", (_, text) => {
    expect(isSure(text)).toBe(false);
  });
});

describe("an answer taken out of something is sure beside what is known to be about it", () => {
  const text = JSON.stringify(ann);
  const counts = { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 0 } };
  const message = { role: "assistant", content: text, refusal: null, annotations: [] };
  test.each<[string, unknown]>([
    [
      "OpenAI",
      {
        ...{ id: "x", object: "chat.completion", created: 1, model: "m", service_tier: "default", usage: counts },
        choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
      },
    ],
    [
      "the Responses API",
      {
        ...{
          id: "r",
          object: "response",
          created_at: 1,
          status: "completed",
          error: null,
          temperature: 1,
          store: true,
        },
        ...{
          text: { format: { type: "text" } },
          tool_choice: "auto",
          tools: [],
          parallel_tool_calls: true,
          usage: counts,
        },
        output: [
          { type: "reasoning", id: "1", summary: [] },
          { ...message, type: "message", content: [{ type: "output_text", text }] },
        ],
      },
    ],
    [
      "Gemini",
      {
        candidates: [
          { content: { parts: [{ text }], role: "model" }, finishReason: "STOP", safetyRatings: [{ category: "H" }] },
        ],
        ...{ usageMetadata: { totalTokenCount: 2 }, modelVersion: "gemini-2.5", responseId: "x" },
      },
    ],
    [
      "Anthropic",
      {
        ...{ id: "m", type: "message", role: "assistant", model: "c", stop_reason: "end_turn", stop_sequence: null },
        content: [
          { type: "thinking", thinking: "{", signature: "x" },
          { type: "text", text },
        ],
      },
    ],
    [
      "Ollama",
      { model: "l", created_at: "t", response: text, done: true, done_reason: "stop", context: [1], eval_count: 1 },
    ],
    ["a result of MCP", { content: [{ type: "text", text }], structuredContent: ann, isError: false }],
    ["HTTP", { status: 200, statusText: "OK", headers: { "content-type": "application/json" }, body: text }],
    ["an API", { code: 0, msg: "ok", data: ann, timestamp: 1, request_id: "x" }],
    ["a program", { stdout: text, stderr: "", exit_code: 0 }],
    [
      "a conversation",
      {
        conversations: [
          { from: "human", value: "Who?" },
          { from: "gpt", value: text },
        ],
      },
    ],
    [
      "a call with words",
      {
        role: "assistant",
        content: "Here",
        tool_calls: [{ type: "function", function: { name: "p", arguments: text } }],
      },
    ],
    ["thoughts with a draft", { response: `<think>${JSON.stringify(misfit)}</think>${text}`, stats: {} }],
    [
      "the lines of a run",
      lines([
        { type: "init", session_id: "x", cwd: "/x" },
        { type: "message", role: "user", content: 'Like {"name": "x", "age": 1}' },
        { type: "message", role: "assistant", content: text },
        { type: "result", status: "success", stats: { total_tokens: 1 } },
      ]),
    ],
  ])("%s", (_, outer) => {
    const result = extractJson(typeof outer === "string" ? outer : JSON.stringify(outer), { schema: Person });
    expect(result).toMatchObject({ value: ann });
    expect(isSure(outer), JSON.stringify(result)).toBe(true);
  });
});

describe("an object that does not fit and has the keys of the answer makes it unsure", () => {
  const [one, other] = [JSON.stringify(ann), JSON.stringify(misfit)];
  test.each([
    ["it corrects the answer", `${one}\nCorrection: the age is not known:\n${other}`, Person],
    ["it was meant", `${other}\nHis mother: ${JSON.stringify(eve)}`, Person],
    ["it is another row", `- ${one}\n- ${other}`, z.array(Person)],
    ["it is another row with a label", `First person: ${one}\nSecond person: ${other}`, z.array(Person)],
  ])("%s", (_, text, schema) => {
    expect(isSure(text, schema)).toBe(false);
  });
});

test.each(["<think\n>$</think\n>", "<thinking\n>$</thinking\r\n>"])(
  "a tag that ends on its next line is no quotation: %j",
  (tags) => {
    const thought = tags.replace("$", JSON.stringify(eve));
    for (const options of [{}, { schema: Person }])
      expect(extractJson<unknown>(`${JSON.stringify(ann)}\n${thought}`, options)).toMatchObject({
        value: ann,
        repairs: [],
      });
  },
);
