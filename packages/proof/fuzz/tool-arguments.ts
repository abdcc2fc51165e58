import * as fc from "fast-check";
import { saysTheSame } from "../rig/answer-text.js";
import { mutated, value, words } from "./hostile.js";
import { openLiveServer } from "./live-server.js";
import { TOOL_NAMES } from "./messages.js";
import { must, mustBeUnpolluted, type Target, UNCHECKED } from "./target.js";

const EXAMPLES = {
  search: {
    query: "tides",
    allowed_domains: ["example.org"],
    blocked_domains: [],
    recency: "week",
    language: "en",
    model: "gemini-2.5-flash",
    wait_seconds: 1,
  },
  deep_search: { query: "tides", max_iterations: 2 },
  deep_research: { topic: "tides", depth: "concise" },
  research_result: { job_id: "search-0000000000", wait_seconds: 0, page: 1 },
  research_cancel: { job_id: "search-0000000000" },
} as const;

const call = fc.constantFrom(...TOOL_NAMES).chain((name) =>
  fc.record({
    name: fc.constant<string>(name),
    arguments: fc.oneof(
      { weight: 4, arbitrary: mutated(EXAMPLES[name]) },
      { weight: 1, arbitrary: value },
      { weight: 1, arbitrary: words.map((query) => ({ query, topic: query, job_id: query })) },
    ),
  }),
);

const CODES = [
  "CLI_NOT_FOUND",
  "EXECUTION_ERROR",
  "AUTH_REQUIRED",
  "QUOTA_EXCEEDED",
  "MODEL_NOT_FOUND",
  "CANCELLED",
  "INVALID_INPUT",
  "RESEARCH_FAILED",
  "UNEXPECTED_ERROR",
];

export const toolArguments: Target = {
  name: "tool arguments",
  about:
    "Arguments of every type and size for every tool: an answer of the contract's shape, or an error that names what was expected.",
  async open() {
    const live = await openLiveServer();
    return {
      property: fc.asyncProperty(call, async (params) => {
        await live.current();
        const message = (await live.request("tools/call", params)) as {
          result?: unknown;
          error?: { code: number; message: string };
        };
        live.mustStand();
        if (message.error !== undefined) {
          // Only what is no call of a tool at all.
          must(
            message.error.code === -32_602 || message.error.code === -32_600,
            () => `answered with ${JSON.stringify(message.error)}`,
          );
          must(
            typeof params.arguments !== "object" || params.arguments === null || Array.isArray(params.arguments),
            () => `a call was refused: ${message.error?.message}`,
          );
          return;
        }
        mustBeAnswer(message.result as Record<string, unknown>, params.name);
        mustBeUnpolluted();
      }),
      close: () => live.close(),
    };
  },
};

/** What every result of a tool is. */
export function mustBeAnswer(result: Record<string, unknown>, tool: string): void {
  const [content, ...more] = result["content"] as { type: string; text: string }[];
  must(content?.type === "text" && more.length === 0, () => "the content is not one text");
  const answer = (result["structuredContent"] ?? JSON.parse(content?.text ?? "")) as {
    success: boolean;
    error?: Record<string, unknown>;
  };
  must(typeof answer.success === "boolean", () => `no success in ${content?.text}`);
  must(
    (result["isError"] === true) === !answer.success,
    () => `isError is ${result["isError"]}, success ${answer.success}`,
  );
  if (tool === "deep_research") must(!("structuredContent" in result), () => "the older tool has a structured answer");
  else must(saysTheSame(content?.text ?? "", answer), () => "the text and the structured answer differ");
  if (answer.success) return;
  const { code, message, details = "" } = answer.error ?? {};
  must(CODES.includes(String(code)), () => `the code is ${String(code)}`);
  must(typeof message === "string" && message !== "", () => "there is no message");
  must(!UNCHECKED.test(`${String(message)} ${String(details)}`), () => `nobody checked: ${content?.text}`);
}
