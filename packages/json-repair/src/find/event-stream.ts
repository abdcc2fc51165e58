import { told } from "./course.js";
import { isThought, NOT_THE_ANSWER, notTheModel } from "./messages.js";
import { isAsked, plainKey } from "./outcome.js";
import { strictEnd } from "./strict.js";

/** What programs and services send piece by piece: one message a line, or the pieces of a text as events. */

/**
 * The text that the lines of a stream make together: the model's words, in order. Knows Gemini CLI and Gemini API,
 * OpenAI, Anthropic and Claude Code, Ollama and Codex by where they put a piece.
 */
export function joinStream(events: readonly unknown[]): string | undefined {
  if (events.length < 2) return undefined;
  const pieces: Piece[] = [];
  let asked: Piece[] = [];
  for (const event of events) {
    if (typeof event !== "object" || event === null || Array.isArray(event)) return undefined;
    if (asked.length > 0 && told(event) === "answered") {
      for (const piece of asked) piece.text = "";
      asked = [];
    }
    const piece = pieceIn(event as StreamNode, 0);
    if (piece === undefined) continue;
    pieces.push(piece);
    if (piece.asked) asked.push(piece);
  }
  return pieces.length > 0 ? pieces.map(({ text }) => text).join("") : undefined;
}

/** `0:"…"`, and parts of other kinds: one on a line, as the data stream protocol of the AI SDK writes them. */
const DATA_STREAM = /^(?:[a-z0-9]:[^\n]*\n\s*)*0:"/;
const TEXT_PART = /^0:("(?:[^"\\\n]|\\.)*")[ \t\r]*$/gm;

/** The text that the parts of a data stream make together. */
export function textOfDataStream(text: string): string | undefined {
  if (!DATA_STREAM.test(text.slice(0, 20_000).trimStart())) return undefined;
  let joined = "";
  for (const [, part] of text.matchAll(TEXT_PART)) {
    try {
      joined += JSON.parse(part as string);
    } catch {
      return undefined;
    }
  }
  return joined === "" ? undefined : joined;
}

/** A part of a data stream, or an event, that tells of an error. */
const ERROR_LINE = /^(?:3:"|event: ?error\b)/m;

export function tellsOfError(text: string): boolean {
  return ERROR_LINE.test(text);
}

/** So many paths of a stream are tried, and so many fields of one event looked at. */
const MAX_PATHS = 4;
const MAX_FIELDS = 40;

/**
 * The texts that the events of a stream make together wherever their pieces stand: those at the same path of events of
 * the same type, the longest first.
 */
export function joinedPaths(events: readonly unknown[]): string[] {
  const paths = new Map<string, string[]>();
  /** Those of what calls are given. */
  const asked = new Set<string>();
  for (const event of events) {
    if (typeof event !== "object" || event === null || Array.isArray(event)) continue;
    if (asked.size > 0 && told(event) === "answered") {
      for (const path of asked) paths.delete(path);
      asked.clear();
    }
    const { type, event: name } = event as { type?: unknown; event?: unknown };
    if (/reason|thought|thinking/i.test(`${String(type)} ${String(name)}`)) continue;
    let fields = 0;
    let level: { path: string; node: object }[] = [{ path: `${String(type)} ${String(name)}`, node: event }];
    for (let depth = 0; level.length > 0 && depth < 7; depth++) {
      const next: typeof level = [];
      for (const { path, node } of level) {
        if (notTheModel(node as Record<string, unknown>) || isThought(node)) continue;
        for (const [key, part] of Object.entries(node)) {
          if (++fields > MAX_FIELDS || NOT_THE_ANSWER.test(key)) continue;
          const inner = `${path}/${key}`;
          if (typeof part === "string") {
            const pieces = paths.get(inner);
            if (pieces) pieces.push(part);
            else paths.set(inner, [part]);
            if (isOfACall(inner)) asked.add(inner);
          } else if (typeof part === "object" && part !== null) next.push({ path: inner, node: part });
        }
      }
      level = next;
    }
  }
  return [...paths.values()]
    .filter((pieces) => pieces.length > 1)
    .map((pieces) => pieces.join(""))
    .filter((text) => /[{[]/.test(text))
    .sort((a, b) => b.length - a.length)
    .slice(0, MAX_PATHS);
}

/** Whether the texts at a path are what was asked. */
function isOfACall(path: string): boolean {
  return path.split("/").some((key) => isAsked(plainKey(key)));
}

/** So many signs tell whether a text is a stream of events. */
const HEAD_LENGTH = 2_000;
/** A line of server-sent events other than data: a field, or a comment. */
const EVENT_FIELD = /^(?:event|id|retry)?:/;

/** Whether a text begins with the lines of server-sent events, data among them. */
function isEventStream(text: string): boolean {
  for (let start = 0; start < HEAD_LENGTH; ) {
    const end = text.indexOf("\n", start);
    if (text.startsWith("data:", start)) return true;
    if (end < 0) return false;
    const line = text.slice(start, Math.min(end, start + HEAD_LENGTH));
    if (line.trim() !== "" && !EVENT_FIELD.test(line)) return false;
    start = end + 1;
  }
  return false;
}

/** The data of server-sent events that are pieces of a text themselves. */
export function textOfEvents(text: string): string | undefined {
  if (!isEventStream(text)) return undefined;
  let joined = "";
  let open = false;
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith("data:")) {
      if (line !== "" && !EVENT_FIELD.test(line)) return undefined;
      open = open && line !== "";
      continue;
    }
    const data = line.slice(line[5] === " " ? 6 : 5);
    if (data.trim() === "[DONE]") continue;
    // A whole object is an event of its own.
    if (data.trimEnd().endsWith("}") && joined === "" && strictEnd(data, 0, data.length, 100) > 0) return undefined;
    joined += open ? `\n${data}` : data;
    open = true;
  }
  return joined;
}

/** Of a text that arrives. */
interface Piece {
  text: string;
  /** It is what a call is given. */
  asked?: boolean;
}

interface StreamNode {
  type?: unknown;
  delta?: unknown;
  tool_calls?: unknown;
  [key: string]: unknown;
}

const INNER = ["delta", "message", "choices", "candidates", "content", "parts", "item", "data", "event", "part"];
const TEXTS = ["content", "text", "partial_json", "response", "output_text"];

function pieceIn(node: StreamNode, depth: number): Piece | undefined {
  if (depth > 6 || notTheModel(node) || isThought(node)) return undefined;
  // The closing line of a stream repeats the whole.
  if (
    typeof node.type === "string" &&
    /^(?:result|init|system|error|tool_|.*\.done$|.*completed$|thinking)/.test(node.type) &&
    depth === 0
  ) {
    if (!/^item\.completed$/.test(node.type)) return undefined;
  }
  if (typeof node.delta === "string") return { text: node.delta, asked: /arguments/.test(String(node.type)) };
  for (const key of TEXTS) {
    const text = node[key];
    if (typeof text === "string" && text !== "") return { text, asked: key === "partial_json" };
  }
  const toolCalls = node.tool_calls;
  if (Array.isArray(toolCalls)) {
    const call: unknown = toolCalls[0];
    const args = argumentsIn(call);
    if (args !== undefined) return { text: args, asked: true };
  }
  for (const key of INNER) {
    const inner = node[key];
    for (const part of Array.isArray(inner) ? inner : [inner]) {
      if (typeof part !== "object" || part === null) continue;
      const piece = pieceIn(part as StreamNode, depth + 1);
      if (piece !== undefined) return piece;
    }
  }
  return undefined;
}

function argumentsIn(call: unknown): string | undefined {
  if (typeof call !== "object" || call === null || !("function" in call)) return undefined;
  const called: unknown = call.function;
  if (typeof called !== "object" || called === null || !("arguments" in called)) return undefined;
  return typeof called.arguments === "string" ? called.arguments : undefined;
}
