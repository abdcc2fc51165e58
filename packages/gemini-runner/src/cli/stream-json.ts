import type { RunEvent } from "../events.js";
import { toCount, toRecord, toText } from "../parse-record.js";
import { plainRefusal } from "./refusals.js";
import { urlsIn } from "./urls.js";

/** One line of the CLI's `--output-format stream-json`, as far as we use it. */
export type StreamLine =
  | { type: "init"; model?: string }
  | { type: "user" }
  | { type: "text"; text: string }
  | { type: "tool-call"; event: Extract<RunEvent, { type: "tool-call" }> }
  | { type: "tool-result"; id: string; ok: boolean; message?: string }
  | { type: "error"; severity: string; message: string }
  | { type: "result"; ok: boolean; message?: string; models: StreamModel[] };

export interface StreamModel {
  model: string;
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
}

/** Whether a line may be JSON: to parse one that is not costs the most time. */
export function mayBeEvent(line: string): boolean {
  return /^\s*\{/.test(line) && line.includes('"type"');
}

/** Reads one line of stdout. `undefined`: not one of the CLI's events. */
export function parseLine(line: string): StreamLine | undefined {
  if (!mayBeEvent(line)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const event = toRecord(value);
  switch (event["type"]) {
    case "init":
      return { type: "init", ...optional("model", toText(event["model"])) };
    case "message":
      // Without what every event of its kind has, it is an answer that happens to be JSON.
      if (toText(event["role"]) === undefined) return undefined;
      if (event["role"] === "user") return { type: "user" };
      return { type: "text", text: toText(event["content"]) ?? "" };
    case "tool_use":
      return { type: "tool-call", event: toToolCall(event) };
    case "tool_result": {
      const ok = event["status"] !== "error";
      const message = toText(toRecord(event["error"])["message"]) ?? (ok ? undefined : toText(event["output"]));
      return {
        type: "tool-result",
        id: toText(event["tool_id"]) ?? "",
        ok,
        ...optional("message", message && plainRefusal(message)),
      };
    }
    case "error":
      return {
        type: "error",
        severity: toText(event["severity"]) ?? "error",
        message: toText(event["message"]) ?? "",
      };
    case "result":
      if (toText(event["status"]) === undefined) return undefined;
      return {
        type: "result",
        ok: event["status"] === "success",
        ...optional("message", toText(toRecord(event["error"])["message"])),
        models: toModels(toRecord(toRecord(event["stats"])["models"])),
      };
    default:
      return undefined;
  }
}

function toToolCall(event: Record<string, unknown>): Extract<RunEvent, { type: "tool-call" }> {
  const tool = toText(event["tool_name"]) ?? "";
  const parameters = toRecord(event["parameters"]);
  const id = toText(event["tool_id"]) ?? "";
  return { type: "tool-call", id, tool, ...toolTarget(tool, parameters) };
}

/** What a tool call is about: a search's query, the URLs that a read names. */
export function toolTarget(tool: string, parameters: Record<string, unknown>): { query?: string; urls?: string[] } {
  const query = toText(parameters["query"]);
  const urls = urlsIn(`${toText(parameters["prompt"]) ?? ""} ${toText(parameters["url"]) ?? ""}`);
  return {
    ...(query === undefined ? {} : { query }),
    ...(urls.length > 0 || tool === "web_fetch" ? { urls } : {}),
  };
}

function toModels(models: Record<string, unknown>): StreamModel[] {
  return Object.entries(models).map(([model, value]) => {
    const use = toRecord(value);
    return {
      model,
      inputTokens: toCount(use["input_tokens"]),
      outputTokens: toCount(use["output_tokens"]),
      totalTokens: toCount(use["total_tokens"]),
    };
  });
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
