import { describe, expect, test } from "vitest";
import { parseUpdate } from "../src/cli/acp.js";
import { variablesIn } from "../src/cli/environment.js";
import { stripComments } from "../src/cli/json-comments.js";
import { plainRefusal } from "../src/cli/refusals.js";
import { parseRecord } from "../src/cli/session-file.js";
import { parseLine } from "../src/cli/stream-json.js";
import { pageKey, urlsIn } from "../src/cli/urls.js";
import { unwrapApiError } from "../src/errors/api-error-message.js";
import { toError } from "../src/errors/classify.js";
import { Inbox } from "../src/process/inbox.js";
import { PooledCalls } from "../src/process/pooled-calls.js";

/** So much that what takes the square of its length comes to no end, and what calls itself for each sign to one too soon. */
const LENGTH = 250_000;

/** Hundreds of times what each takes, and a fraction of what the square of that length does. */
const TIMEOUT_MS = 7_500;

const filled = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length));

/** What the readers of text look for, each of which a model, a page or a CLI may repeat without end. */
const PIECES = [
  ...[")", "(", "https://x.y/", "https://x.y/)", "http://", "_", "*", "'", '"', '\\"', '"\\', "\\", "`"],
  ...["{", '{ "error" ', '{"error":', "}", "]", "[", "[1] ", "[1] a (http://", " (http", "(https://a)"],
  ...["\n", "\r", "\r\n", "\n\n", " ", "\t", "\u2028", "/*", "//", "/**/", "${a:-", "$a", "${", "%dp0%/"],
  ...["\u001b", "\u001b[", "\u001b]", "\u001b[1;", ";", "1", "1;", "\u009b", 'Tool "', '" not found'],
  ...[
    "models/a",
    "models/",
    "input token count ",
    "status ",
    '"code": ',
    "retry in 1.",
    "Attempt 1 failed",
    "[API Error: ",
  ],
  ...[
    "[STARTUP]",
    "Full report available at: ",
    "gemini-run-",
    "/gemini-run-/",
    "\nSources:\n",
    "[Warning] The following",
  ],
];

const error = (stderr: string, message: string) =>
  toError({
    exitCode: 1,
    messages: [message],
    stderr,
    apiFailures: [],
    ownFolder: "gemini-run-",
    repeated: false,
    unbegun: false,
  });

const record = (output: string) =>
  JSON.stringify({
    id: "1",
    type: "gemini",
    toolCalls: [
      {
        name: "google_web_search",
        args: { query: output },
        status: "success",
        result: [{ functionResponse: { response: { output: `x\n\nSources:\n${output}` } } }],
      },
    ],
  });

const words = (text: string) => ({
  sessionId: "1",
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
});

/** Readers of such text, by what they read. */
const READERS: Record<string, (text: string) => unknown> = {
  "addresses in a prompt": (text) => urlsIn(`https://x.y/${text}`),
  "one address": (text) => pageKey(`https://x.y/${text}`),
  "a line of output": (text) => parseLine(`{"type":"tool_use","parameters":{"prompt":${JSON.stringify(text)}}}`),
  "a line that is no event": (text) => parseLine(`{${text}`),
  "what the API said": (text) => unwrapApiError(text),
  "what stderr said": (text) => error(text, ""),
  "what the CLI said at its end": (text) => error("", text),
  "what a shared process says": (text) => parseUpdate(words(text)),
  "what it says, after the beginning of a command for a terminal": (text) => parseUpdate(words(`\u001b[${text}`)),
  "why a call was refused": (text) => plainRefusal(`Tool "${text}`),
  "a record": (text) => parseRecord(record(text), undefined),
  "a record that is none": (text) => parseRecord(text, undefined),
  "settings with comments": (text) => stripComments(text),
  "settings of an MCP server": (text) => variablesIn(text),
};

describe.each(Object.entries(READERS))("%s: the time grows with the length alone", (_, read) => {
  test.each(PIECES)("of %j", { timeout: TIMEOUT_MS }, (piece) => {
    expect(() => read(filled(piece))).not.toThrow();
  });
});

test("what a loud process says is read in the order it came, in time that grows with its number alone", async () => {
  const inbox = new Inbox<number>();
  const many = 1_000_000;
  for (let i = 0; i < many; i++) inbox.push(i);
  let inOrder = 0;
  for (let i = 0; i < many; i++) inOrder += (await inbox.next()) === i ? 1 : 0;
  expect(inOrder).toBe(many);
});

test("the calls of a model that makes many in a turn are told in time that grows with their number alone", () => {
  const calls = new PooledCalls();
  const many = 200_000;
  for (let i = 0; i < many; i++) calls.want({ tool: i % 2 === 0 ? "a" : "b", parameters: {} });
  const lines = Array.from({ length: many / 2 }, (_, i) => calls.begin(`b-${i}`).length);
  expect(new Set(lines)).toEqual(new Set([3]));
  expect(calls.unrecorded).toHaveLength(many / 2);
});
