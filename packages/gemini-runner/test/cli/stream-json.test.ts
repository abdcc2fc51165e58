import { describe, expect, test } from "vitest";
import { parseLine } from "../../src/cli/stream-json.js";

describe("one line of the CLI's output", () => {
  test.each([
    ["", undefined],
    ["words", undefined],
    ['{"type":"unheard-of"}', undefined],
    ['{"type":"result"', undefined],
    ['{"type":"__proto__"}', undefined],
    ['{"type":"message","role":"user","content":"x"}', { type: "user" }],
    ['{"type":"message","role":"assistant","content":"é"}', { type: "text", text: "é" }],
    ['{"type":"message","text":"an answer"}', undefined],
    ['{"type":"result","value":1}', undefined],
    [' { "role": "assistant", "content": "x", "type": "message" }', { type: "text", text: "x" }],
    ['{"type":"message","role":"assistant","content":7}', { type: "text", text: "" }],
    ['{"type":"error","message":"m"}', { type: "error", severity: "error", message: "m" }],
    ['{"type":"result","status":"success"}', { type: "result", ok: true, models: [] }],
    [
      '{"type":"tool_use","tool_name":"web_fetch","tool_id":"1","parameters":{"prompt":"no address"}}',
      { type: "tool-call", event: { type: "tool-call", id: "1", tool: "web_fetch", urls: [] } },
    ],
    [
      '{"type":"tool_result","tool_id":"1","status":"error","output":"o","error":{"message":"m"}}',
      { type: "tool-result", id: "1", ok: false, message: "m" },
    ],
  ])("%s", (line, expected) => {
    expect(parseLine(line)).toEqual(expected);
  });
});
