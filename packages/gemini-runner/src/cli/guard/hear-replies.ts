import { createHash, type Hash } from "node:crypto";
import type { GuardNote } from "../guard-notes.js";

/** The turns of the model, as the requests show them. */
export interface Turns {
  /** A turn of the run is asked for. */
  begin(): void;
}

/**
 * Hears the model's replies where the CLI parses them, the one place that they pass whole and decoded by every way of
 * signing in. No word of them is kept or sent on, so that no file holds them and the pipe never fills up.
 */
export function hearReplies(say: (note: GuardNote) => void): Turns {
  let turn: { length: number; hash: Hash } | undefined;
  const { parse } = JSON;
  JSON.parse = function (this: unknown, ...given: Parameters<typeof parse>) {
    const value: unknown = parse.apply(this, given);
    try {
      const candidate = candidateOf(value);
      if (candidate !== undefined) hear(candidate);
    } catch {
      // Not in the form that the API gives it.
    }
    return value;
  };

  function hear({ content, finishReason, groundingMetadata, urlContextMetadata }: Candidate): void {
    if (groundingMetadata || urlContextMetadata) {
      const grounds = (groundingMetadata?.groundingChunks ?? []).flatMap(({ web }) => web?.uri ?? []);
      const pages = (urlContextMetadata?.urlMetadata ?? []).map(({ retrievedUrl, urlRetrievalStatus }) => {
        return { url: retrievedUrl ?? "", read: urlRetrievalStatus?.endsWith("SUCCESS") ?? true };
      });
      say({ type: "looked-up", grounds, pages });
    }
    if (turn === undefined) return;
    for (const { text, thought } of content?.parts ?? []) {
      if (typeof text !== "string" || thought === true) continue;
      turn.length += text.length;
      turn.hash.update(text, "utf16le");
    }
    if (typeof finishReason !== "string") return;
    say({ type: "turn-end", turn: { length: turn.length, hash: turn.hash.digest("hex"), finishReason } });
    // What comes before the next turn are replies to searches and page reads.
    turn = undefined;
  }

  return {
    begin() {
      turn = { length: 0, hash: createHash("sha256") };
      say({ type: "turn" });
    },
  };
}

/** A reply of the API, as far as it is read here. */
interface Candidate {
  content?: { parts?: { text?: unknown; thought?: unknown }[] };
  finishReason?: unknown;
  groundingMetadata?: { groundingChunks?: { web?: { uri?: string } }[] };
  urlContextMetadata?: { urlMetadata?: { retrievedUrl?: string; urlRetrievalStatus?: string }[] };
}

/** Code Assist wraps a reply. */
function candidateOf(value: unknown): Candidate | undefined {
  const { candidates, response } = Object(value) as {
    candidates?: Candidate[];
    response?: { candidates?: Candidate[] };
  };
  return (candidates ?? response?.candidates)?.[0];
}
