import { stripVTControlCharacters } from "node:util";
import { toList, toRecord, toText } from "../parse-record.js";
import { plainRefusal } from "./refusals.js";
import type { StreamLine } from "./stream-json.js";

/**
 * What of the Agent Client Protocol, version 1, is used of a CLI that serves several runs. It has no word for most of what went
 * wrong: the guard in the process tells.
 */

/** What a client says at first: it has no files and no terminal to offer. */
export const HANDSHAKE = {
  protocolVersion: 1,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
};

/** What a session tells while it works on a prompt, as far as it is used. */
export type SessionUpdate =
  | { type: "text"; text: string }
  /** It says what is done, not with what: the guard does. */
  | { type: "tool-call"; id: string }
  | Extract<StreamLine, { type: "tool-result" }>;

/** How a line begins that is told of a session, by the protocol or by the guard. */
const OF_SESSION =
  /^\{(?:"jsonrpc":"2\.0","method":"session\/update","params":\{"sessionId"|"type":"[a-z-]{1,20}","session"):"([^"]{1,100})"/;

/** The session of a line of which no more than the beginning is known. `undefined`: it says none. */
export function sessionOf(beginning: string): string | undefined {
  return OF_SESSION.exec(beginning)?.[1];
}

/** Reads the parameters of `session/update`. */
export function parseUpdate(params: Record<string, unknown>): { session: string; update?: SessionUpdate } {
  const session = toText(params["sessionId"]) ?? "";
  const update = toUpdate(toRecord(params["update"]));
  return { session, ...(update === undefined ? {} : { update }) };
}

function toUpdate(update: Record<string, unknown>): SessionUpdate | undefined {
  const id = toText(update["toolCallId"]) ?? "";
  switch (update["sessionUpdate"]) {
    case "agent_message_chunk":
      // What the CLI prints of a run is without them.
      return { type: "text", text: stripVTControlCharacters(toText(toRecord(update["content"])["text"]) ?? "") };
    case "tool_call":
      return { type: "tool-call", id };
    case "tool_call_update": {
      if (update["status"] === "completed") return { type: "tool-result", id, ok: true };
      if (update["status"] !== "failed") return undefined;
      const said = toList(update["content"]).map((each) => toText(toRecord(toRecord(each)["content"])["text"]));
      return { type: "tool-result", id, ok: false, message: plainRefusal(said.join("\n")) };
    }
    default:
      return undefined;
  }
}

/** The answer to a question whether a tool may be used: what a run may use is allowed before. */
export const DENIED = { outcome: { outcome: "cancelled" } };

/** Why a prompt is over, by the answer to it. */
export function stopReasonOf(answer: unknown): string {
  return toText(toRecord(answer)["stopReason"]) ?? "";
}

/** The name of a new session, by the answer to the request for it. */
export function sessionIn(answer: unknown): string | undefined {
  return toText(toRecord(answer)["sessionId"]);
}
