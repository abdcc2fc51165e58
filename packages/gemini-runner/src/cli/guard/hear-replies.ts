import type { Attribution } from "../../events.js";
import type { GuardNote, ToolCall } from "../guard-notes.js";
import { limitOutput, takeOutput } from "./limit-output.js";
import type { CurrentRun, RunContext, SayOfRun, Turn } from "./run-context.js";

export interface HearRepliesOptions {
  currentRun: CurrentRun;
  say: SayOfRun;
  /** Also tells what the CLI prints only where its process serves a single run. */
  everything: boolean;
}

/**
 * Hears the model's replies where the CLI parses them: there each one is whole and decoded, however the CLI is signed in.
 * Nothing of them is kept, and no words are sent on except those for which Google names sources. Results of tools (searches,
 * page reads, MCP servers) are cut there to what the run allows.
 */
export function hearReplies({ currentRun, say, everything }: HearRepliesOptions): void {
  const { parse } = JSON;
  JSON.parse = function (this: unknown, ...given: Parameters<typeof parse>) {
    const value: unknown = parse.apply(this, given);
    try {
      const run = currentRun();
      if (run !== undefined) hear(run, value);
    } catch {
      // Not in the form that the API gives it.
    }
    return value;
  };

  function hear(run: RunContext, value: unknown): void {
    const reply = replyOf(value);
    const candidate = reply?.candidates?.[0];
    if (reply !== undefined && candidate !== undefined) {
      if (run.turn === undefined) limitReply(run, candidate);
      tell(run, lookedUp(candidate));
      if (run.turn === undefined) tell(run, outputOf(candidate));
      else hearTurn(run, run.turn, candidate);
      if (everything) tell(run, useOf(run, reply));
    }
    limitOutput(run, contentOfServer(value));
    if (everything && isApiError(value)) {
      say(run, { type: "error", message: JSON.stringify({ error: value.error }).slice(0, MAX_ERROR) });
    }
  }

  function hearTurn(run: RunContext, turn: Turn, { content, finishReason }: Candidate): void {
    for (const { text, thought, functionCall } of content?.parts ?? []) {
      if (everything && functionCall !== undefined) say(run, { type: "call", call: callOf(functionCall) });
      if (typeof text !== "string" || thought === true) continue;
      turn.length += text.length;
      turn.hash.update(text, "utf16le");
    }
    if (typeof finishReason !== "string") return;
    say(run, { type: "turn-end", turn: { length: turn.length, hash: turn.hash.digest("hex"), finishReason } });
    // What comes before the next turn are replies to searches and page reads.
    delete run.turn;
  }

  function tell(run: RunContext, note: GuardNote | undefined): void {
    if (note !== undefined) say(run, note);
  }
}

/** What Google says of a search or of a page read. */
function lookedUp({ content, groundingMetadata, urlContextMetadata }: Candidate): GuardNote | undefined {
  if (!groundingMetadata && !urlContextMetadata) return undefined;
  const chunks = groundingMetadata?.groundingChunks ?? [];
  const reads = urlContextMetadata?.urlMetadata ?? [];
  return {
    type: "looked-up",
    grounds: chunks.slice(0, MAX_LISTED).flatMap(({ web }) => web?.uri ?? []),
    pages: reads.slice(0, MAX_LISTED).map(({ retrievedUrl, urlRetrievalStatus }) => {
      return { url: retrievedUrl ?? "", read: urlRetrievalStatus?.endsWith("SUCCESS") ?? true };
    }),
    attributions: attributionsIn(groundingMetadata, content?.parts ?? []),
  };
}

/** A reply outside of a turn is what a search or a read gives the model: its words, and its list of sources. */
function outputOf({ content, groundingMetadata }: Candidate): GuardNote | undefined {
  const words = (content?.parts ?? []).map(({ text }) => (typeof text === "string" ? text.length : 0));
  const sources = (groundingMetadata?.groundingChunks ?? []).map(lengthOf);
  const characters = [...words, ...sources].reduce((sum, length) => sum + length, 0);
  return characters > 0 ? { type: "tool-output", characters } : undefined;
}

/** What a reply has cost. Of one that comes in pieces the last one tells. */
function useOf({ model }: RunContext, { candidates, usageMetadata, modelVersion }: Reply): GuardNote | undefined {
  if (usageMetadata === undefined || typeof candidates?.[0]?.finishReason !== "string") return undefined;
  const { promptTokenCount = 0, candidatesTokenCount = 0, totalTokenCount = 0 } = usageMetadata;
  const use = { inputTokens: promptTokenCount, outputTokens: candidatesTokenCount, totalTokens: totalTokenCount };
  return { type: "use", use: { model: model ?? modelVersion ?? "", ...use } };
}

/** How much of an error of the API is passed on, and of what a tool is called with, in UTF-16 units. */
const MAX_ERROR = 20_000;
const MAX_ARGUMENT = 20_000;

/** Cuts a reply outside of a turn, its words first and then its list of sources. */
function limitReply(run: RunContext, { content, groundingMetadata, urlContextMetadata }: Candidate): void {
  const parts = content?.parts ?? [];
  // The CLI itself reads the JSON, and could not read a part of it.
  if (!groundingMetadata && !urlContextMetadata && /^\s*(?:```json\s*)?[{[]/.test(String(parts[0]?.text))) return;
  const isCut = limitOutput(run, parts);
  if (groundingMetadata === undefined) return;
  const { groundingChunks = [] } = groundingMetadata;
  const over = groundingChunks.findIndex((chunk) => !takeOutput(run, lengthOf(chunk)));
  if (over !== -1) groundingMetadata.groundingChunks = groundingChunks.slice(0, over);
  // Their offsets point into words that are gone.
  if (isCut) groundingMetadata.groundingSupports = [];
}

function lengthOf({ web }: GroundingChunk): number {
  return (web?.title?.length ?? 0) + (web?.uri?.length ?? 0);
}

/** What an MCP server answers to a call of its tool. */
function contentOfServer(value: unknown): { text?: unknown }[] {
  const { jsonrpc, result } = Object(value) as { jsonrpc?: unknown; result?: unknown };
  const { content } = Object(jsonrpc === undefined ? undefined : result) as { content?: unknown };
  return Array.isArray(content) ? content : [];
}

/** A call of a tool, with the parameters that say what it is about. */
function callOf({ id, name, args }: FunctionCall): ToolCall {
  const { query, prompt, url } = Object(args) as Record<string, unknown>;
  const told = Object.entries({ query, prompt, url }).filter((entry) => typeof entry[1] === "string");
  return {
    ...(typeof id === "string" ? { id } : {}),
    tool: String(name ?? "").trim(),
    parameters: Object.fromEntries(told.map(([key, value]) => [key, String(value).slice(0, MAX_ARGUMENT)])),
  };
}

/** A reply of the API, as far as it is read here. */
interface Reply {
  candidates?: Candidate[];
  usageMetadata?: { promptTokenCount?: number; candidatesTokenCount?: number; totalTokenCount?: number };
  modelVersion?: string;
}

/** Whether it is an error of the API. Errors of MCP servers look alike, and name their protocol. */
function isApiError(value: unknown): value is { error: { code: number; message: string } } {
  const { error, jsonrpc } = Object(value) as { error?: unknown; jsonrpc?: unknown };
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return jsonrpc === undefined && typeof code === "number" && typeof message === "string";
}

interface FunctionCall {
  id?: unknown;
  name?: unknown;
  args?: unknown;
}

interface Candidate {
  content?: { parts?: Part[] };
  finishReason?: unknown;
  groundingMetadata?: GroundingMetadata;
  urlContextMetadata?: { urlMetadata?: { retrievedUrl?: string; urlRetrievalStatus?: string }[] };
}

interface Part {
  text?: unknown;
  thought?: unknown;
  functionCall?: FunctionCall;
}

interface GroundingMetadata {
  groundingChunks?: GroundingChunk[];
  groundingSupports?: {
    segment?: Segment;
    groundingChunkIndices?: number[];
  }[];
}

interface GroundingChunk {
  web?: { uri?: string; title?: string };
}

/** Offsets are bytes of UTF-8 in the text of the part. */
interface Segment {
  partIndex?: number;
  startIndex?: number;
  endIndex?: number;
  text?: string;
}

/** Code Assist wraps a reply. */
function replyOf(value: unknown): Reply | undefined {
  const { candidates, response } = Object(value) as Reply & { response?: Reply };
  return candidates === undefined ? response : (value as Reply);
}

/** How many sources and pages of one reply are passed on: an honest one has some twenty. */
const MAX_LISTED = 1_000;

/** How much of what Google says of one reply is passed on, in UTF-16 units: far more than an honest one has. */
const MAX_ATTRIBUTED = 200_000;

function attributionsIn(metadata: GroundingMetadata | undefined, parts: readonly Part[]): Attribution[] {
  const { groundingChunks = [], groundingSupports = [] } = metadata ?? {};
  const attributions: Attribution[] = [];
  const bytes = new Map<number, Buffer>();
  let left = MAX_ATTRIBUTED;
  for (const { segment, groundingChunkIndices = [] } of groundingSupports) {
    const urls = [...new Set(groundingChunkIndices)].flatMap((index) => groundingChunks[index]?.web?.uri ?? []);
    const text = segment?.text || cut(parts, segment, bytes);
    left -= text.length + urls.join("").length;
    if (left < 0) break;
    if (text !== "" && urls.length > 0) attributions.push({ text, urls });
  }
  return attributions;
}

/** Cuts a segment out of its part. The bytes of a part are made once. */
function cut(parts: readonly Part[], segment: Segment | undefined, bytes: Map<number, Buffer>): string {
  const { partIndex = 0, startIndex = 0, endIndex = 0 } = segment ?? {};
  const text = parts[partIndex]?.text;
  if (typeof text !== "string") return "";
  const part = bytes.get(partIndex) ?? Buffer.from(text);
  bytes.set(partIndex, part);
  return part.toString("utf8", startIndex, endIndex);
}
