import type { ApiFailure } from "../errors/api-failure.js";
import type { Attribution } from "../events.js";
import { toCount, toList, toRecord, toText } from "../parse-record.js";

/** What the guard inside the CLI's process tells, one JSON object a line. */
export type GuardNote =
  | { type: "failure"; failure: ApiFailure }
  /** The model is asked for a turn of the run. */
  | { type: "turn" }
  /** The turn has ended. */
  | { type: "turn-end"; turn: ModelTurn }
  /** What Google says of a search or of a page read. */
  | { type: "looked-up"; grounds: string[]; pages: PageRead[]; attributions: Attribution[] }
  /** The CLI has read a page by itself, or failed to. */
  | { type: "page"; page: PageRead };

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

/** Reads one line of what the guard says. `undefined`: it is no note. */
export function parseNote(line: string): GuardNote | undefined {
  if (!line.startsWith('{"type":')) return undefined;
  let note: Record<string, unknown>;
  try {
    note = toRecord(JSON.parse(line));
  } catch {
    return undefined;
  }
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
    case "page":
      return { type: "page", page: toPage(note["page"]) };
    default:
      return undefined;
  }
}

function toFailure({ path, status, code, runaway }: Record<string, unknown>): ApiFailure {
  return {
    path: toText(path) ?? "",
    ...(typeof status === "number" ? { status } : {}),
    ...(typeof code === "string" ? { code } : {}),
    ...(runaway === true ? { runaway } : {}),
  };
}

function toAttribution(value: unknown): Attribution {
  const { text, urls } = toRecord(value);
  return { text: toText(text) ?? "", urls: toList(urls).filter((url) => typeof url === "string") };
}

function toPage(value: unknown): PageRead {
  const { url, read, message } = toRecord(value);
  return { url: toText(url) ?? "", read: read === true, ...(typeof message === "string" ? { message } : {}) };
}
