import type { ApiFailure } from "../errors/api-failure.js";
import type { Attribution } from "../events.js";
import { toCount, toList, toRecord, toText } from "../parse-record.js";
import type { StreamModel } from "./stream-json.js";

/** What the guard inside the CLI's process tells, one JSON object a line. */
export type GuardNote =
  | { type: "failure"; failure: ApiFailure }
  /** The model is asked for a turn of the run. */
  | { type: "turn" }
  /** The turn has ended. */
  | { type: "turn-end"; turn: ModelTurn }
  /** What Google says of a search or of a page read. */
  | { type: "looked-up"; grounds: string[]; pages: PageRead[]; attributions: Attribution[] }
  /** A search or a read of the CLI gave the model so many characters. */
  | { type: "tool-output"; characters: number }
  /** The CLI has read a page by itself, or failed to. */
  | { type: "page"; page: PageRead }
  /** Of one of several runs: the model calls a tool. */
  | { type: "call"; call: ToolCall }
  /** Of one of several runs: what a reply has cost. */
  | { type: "use"; use: StreamModel }
  /** Of one of several runs: what the API said of a request that it refused. */
  | { type: "error"; message: string }
  /** The process still works, and takes so much memory. */
  | { type: "pong"; bytes: number };

/** A note, and the session that it belongs to where there are several. */
export type SessionNote = GuardNote & { session?: string };

/** A call of a tool, and what it is about. */
export interface ToolCall {
  /** As the API gives it; the CLI may put something before it. */
  id?: string;
  tool: string;
  /** Of its parameters: `query`, `prompt`, `url`. */
  parameters: Record<string, string>;
}

/** One turn of the model. Its words stand in the CLI's output, among them those of turns that broke off. */
export interface ModelTurn {
  /** How many UTF-16 units its words have. */
  length: number;
  /** SHA-256 of them in UTF-16LE, hexadecimal. */
  hash: string;
  /** Why the model stopped: `STOP`, `MAX_TOKENS` … */
  finishReason: string;
}

/** A page, and whether it could be read. */
export interface PageRead {
  url: string;
  read: boolean;
  /** Why not, where it is known. */
  message?: string;
}

/** Reads one line of what the guard says, and of which session where there are several. `undefined`: it is no note. */
export function parseNote(line: string): { note: GuardNote; session: string | undefined } | undefined {
  if (!line.startsWith('{"type":')) return undefined;
  let said: Record<string, unknown>;
  try {
    said = toRecord(JSON.parse(line));
  } catch {
    return undefined;
  }
  const note = toNote(said);
  return note && { note, session: toText(said["session"]) };
}

function toNote(note: Record<string, unknown>): GuardNote | undefined {
  switch (note["type"]) {
    case "failure":
      return { type: "failure", failure: toFailure(toRecord(note["failure"])) };
    case "turn":
      return { type: "turn" };
    case "turn-end": {
      const { length, hash, finishReason } = toRecord(note["turn"]);
      const turn = { length: toCount(length), hash: toText(hash) ?? "", finishReason: toText(finishReason) ?? "" };
      return { type: "turn-end", turn };
    }
    case "looked-up": {
      const grounds = toList(note["grounds"]).filter((url) => typeof url === "string");
      const pages = toList(note["pages"]).map(toPage);
      return { type: "looked-up", grounds, pages, attributions: toList(note["attributions"]).map(toAttribution) };
    }
    case "tool-output":
      return { type: "tool-output", characters: toCount(note["characters"]) ?? 0 };
    case "page":
      return { type: "page", page: toPage(note["page"]) };
    case "call":
      return { type: "call", call: toCall(toRecord(note["call"])) };
    case "use": {
      const { model, inputTokens, outputTokens, totalTokens } = toRecord(note["use"]);
      const [input, output, total] = [inputTokens, outputTokens, totalTokens].map(toCount);
      const tokens = { inputTokens: input ?? 0, outputTokens: output ?? 0, totalTokens: total ?? 0 };
      return { type: "use", use: { model: toText(model) ?? "", ...tokens } };
    }
    case "error":
      return { type: "error", message: toText(note["message"]) ?? "" };
    case "pong":
      return { type: "pong", bytes: toCount(note["bytes"]) };
    default:
      return undefined;
  }
}

function toFailure({ path, status, code, origin, runaway }: Record<string, unknown>): ApiFailure {
  return {
    path: toText(path) ?? "",
    ...(typeof status === "number" ? { status } : {}),
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof origin === "string" ? { origin } : {}),
    ...(runaway === true ? { runaway } : {}),
  };
}

function toAttribution(value: unknown): Attribution {
  const { text, urls } = toRecord(value);
  return { text: toText(text) ?? "", urls: toList(urls).filter((url) => typeof url === "string") };
}

function toCall({ id, tool, parameters }: Record<string, unknown>): ToolCall {
  const texts = Object.entries(toRecord(parameters)).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  return { ...(typeof id === "string" ? { id } : {}), tool: toText(tool) ?? "", parameters: Object.fromEntries(texts) };
}

function toPage(value: unknown): PageRead {
  const { url, read, message } = toRecord(value);
  return { url: toText(url) ?? "", read: read === true, ...(typeof message === "string" ? { message } : {}) };
}
