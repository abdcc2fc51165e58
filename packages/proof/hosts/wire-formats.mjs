/**
 * The four ways in which the hosts talk to a model: what a request offers and tells, and how an answer is written. Each
 * answer is one step, whole: the call of a tool, or words that end the turn.
 *
 * @typedef {{ name: string, own: string, group?: string }} Offered A tool by its name on the wire, and by the server's own.
 * @typedef {{ id: string, text: string }} Result What a host gives its model for a call.
 * @typedef {{ tools: Offered[], results: Result[] }} Read
 * @typedef {{ tool: Offered, args: object } | { say: string }} Step
 * @typedef {{ read(body: any): Read, write(step: Step, body: any): { type: string, text: string } }} Format
 */
import { randomUUID } from "node:crypto";

const id = () => randomUUID().slice(0, 8);
/** Hosts put the server's name before the name of a tool, each in its own way. */
const ownName = (name) => String(name).replace(/^(?:mcp_+)?(?:plugin_x-research_)?research[-_]+(?=\w)/, "");
const stream = (...events) => ({ type: "text/event-stream", text: events.join("") });
const event = (value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
const data = (value) => `data: ${JSON.stringify(value)}\n\n`;
const json = (value) => ({ type: "application/json", text: JSON.stringify(value) });

/** The words in whatever nested form a host sends them. */
function wordsIn(value) {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(wordsIn).join("\n");
  if (typeof value !== "object" || value === null) return String(value ?? "");
  const inner = value.text ?? value.content ?? value.output ?? value.error;
  return inner === undefined ? JSON.stringify(value) : wordsIn(inner);
}

/** @type {Format} */
const anthropic = {
  read({ tools = [], messages = [] }) {
    const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    return {
      tools: tools.map(({ name }) => ({ name, own: ownName(name) })),
      results: blocks
        .filter(({ type }) => type === "tool_result")
        .map((block) => ({ id: block.tool_use_id, text: wordsIn(block.content) })),
    };
  },
  write(step, { model, stream: streams }) {
    const [start, delta, stop] =
      "say" in step
        ? [{ type: "text", text: "" }, { type: "text_delta", text: step.say }, "end_turn"]
        : [
            { type: "tool_use", id: `toolu_${id()}`, name: step.tool.name, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(step.args) },
            "tool_use",
          ];
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${id()}`, type: "message", role: "assistant", model, usage };
    if (streams !== true) {
      const block = "say" in step ? { type: "text", text: step.say } : { ...start, input: step.args };
      return json({ ...message, content: [block], stop_reason: stop });
    }
    return stream(
      event({ type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } }),
      event({ type: "content_block_start", index: 0, content_block: start }),
      event({ type: "content_block_delta", index: 0, delta }),
      event({ type: "content_block_stop", index: 0 }),
      event({ type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage }),
      event({ type: "message_stop" }),
    );
  },
};

/** @type {Format} */
const responses = {
  read({ tools = [], input = [] }) {
    const all = tools.flatMap((tool) =>
      tool.type === "namespace" ? tool.tools.map((each) => ({ ...each, group: tool.name })) : [tool],
    );
    return {
      tools: all.map(({ name, type, group }) => ({
        name: name ?? type,
        own: group ? name : ownName(name ?? type),
        group,
      })),
      results: (Array.isArray(input) ? input : [])
        .filter(({ type }) => type === "function_call_output")
        .map((item) => ({ id: item.call_id, text: wordsIn(item.output) })),
    };
  },
  write(step) {
    const response = { id: `resp_${id()}` };
    const item =
      "say" in step
        ? { type: "message", role: "assistant", id: `m_${id()}`, content: [{ type: "output_text", text: step.say }] }
        : {
            type: "function_call",
            id: `fc_${id()}`,
            call_id: `call_${id()}`,
            name: step.tool.name,
            arguments: JSON.stringify(step.args),
            ...(step.tool.group && { namespace: step.tool.group }),
          };
    const usage = {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
      total_tokens: 2,
    };
    return stream(
      event({ type: "response.created", response }),
      event({ type: "response.output_item.done", output_index: 0, item }),
      event({ type: "response.completed", response: { ...response, usage } }),
    );
  },
};

/** @type {Format} */
const chat = {
  read({ tools = [], messages = [] }) {
    return {
      tools: tools.map(({ function: { name } }) => ({ name, own: ownName(name) })),
      results: messages
        .filter(({ role }) => role === "tool")
        .map((message) => ({ id: message.tool_call_id, text: wordsIn(message.content) })),
    };
  },
  write(step, { model, stream: streams }) {
    const call = "say" in step ? undefined : { name: step.tool.name, arguments: JSON.stringify(step.args) };
    const message =
      call === undefined
        ? { role: "assistant", content: step.say }
        : {
            role: "assistant",
            content: null,
            tool_calls: [{ index: 0, id: `call_${id()}`, type: "function", function: call }],
          };
    const finish_reason = call === undefined ? "stop" : "tool_calls";
    const base = { id: `c_${id()}`, created: 1, model };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (streams !== true)
      return json({ ...base, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage });
    const chunk = (more) => data({ ...base, object: "chat.completion.chunk", ...more });
    return stream(
      chunk({ choices: [{ index: 0, delta: message, finish_reason: null }] }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason }], usage }),
      "data: [DONE]\n\n",
    );
  },
};

/** @type {Format} */
const gemini = {
  read({ tools = [], contents = [] }) {
    const declared = tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    return {
      tools: declared.map(({ name }) => ({ name, own: ownName(name) })),
      results: contents
        .flatMap(({ parts = [] }) => parts)
        .filter(({ functionResponse }) => functionResponse)
        .map(({ functionResponse: { id, response } }) => ({ id, text: wordsIn(response) })),
    };
  },
  write(step, _body) {
    const part =
      "say" in step ? { text: step.say } : { functionCall: { id: id(), name: step.tool.name, args: step.args } };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    return stream(
      data({
        candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
        usageMetadata,
      }),
    );
  },
};

/** By a part of the address that a request goes to. */
export const FORMATS = [
  { path: /\/messages/, format: anthropic },
  { path: /\/responses/, format: responses },
  { path: /\/chat\/completions/, format: chat },
  { path: /generateContent/i, format: gemini },
];
