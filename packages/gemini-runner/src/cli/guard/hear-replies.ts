import { createHash, type Hash } from "node:crypto";
import type { Attribution } from "../../events.js";
import type { GuardNote } from "../guard-notes.js";

/** The turns of the model, as the requests show them. */
export interface Turns {
  /** A turn of the run is asked for. */
  begin(): void;
}

/**
 * Hears the model's replies where the CLI parses them, the one place that they pass whole and decoded by every way of
 * signing in. Nothing of them is kept, and of their words none are sent on but those that Google names sources for.
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
      const chunks = groundingMetadata?.groundingChunks ?? [];
      say({
        type: "looked-up",
        grounds: chunks.slice(0, MAX_LISTED).flatMap(({ web }) => web?.uri ?? []),
        pages: (urlContextMetadata?.urlMetadata ?? [])
          .slice(0, MAX_LISTED)
          .map(({ retrievedUrl, urlRetrievalStatus }) => {
            return { url: retrievedUrl ?? "", read: urlRetrievalStatus?.endsWith("SUCCESS") ?? true };
          }),
        attributions: attributionsIn(groundingMetadata, content?.parts ?? []),
      });
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
  content?: { parts?: Part[] };
  finishReason?: unknown;
  groundingMetadata?: GroundingMetadata;
  urlContextMetadata?: { urlMetadata?: { retrievedUrl?: string; urlRetrievalStatus?: string }[] };
}

interface Part {
  text?: unknown;
  thought?: unknown;
}

interface GroundingMetadata {
  groundingChunks?: { web?: { uri?: string } }[];
  groundingSupports?: {
    segment?: Segment;
    groundingChunkIndices?: number[];
  }[];
}

/** Offsets are bytes of UTF-8 in the text of the part. */
interface Segment {
  partIndex?: number;
  startIndex?: number;
  endIndex?: number;
  text?: string;
}

/** Code Assist wraps a reply. */
function candidateOf(value: unknown): Candidate | undefined {
  const { candidates, response } = Object(value) as {
    candidates?: Candidate[];
    response?: { candidates?: Candidate[] };
  };
  return (candidates ?? response?.candidates)?.[0];
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

/** Cuts a segment out of its part, whose bytes are made once. */
function cut(parts: readonly Part[], segment: Segment | undefined, bytes: Map<number, Buffer>): string {
  const { partIndex = 0, startIndex = 0, endIndex = 0 } = segment ?? {};
  const text = parts[partIndex]?.text;
  if (typeof text !== "string") return "";
  const part = bytes.get(partIndex) ?? Buffer.from(text);
  bytes.set(partIndex, part);
  return part.toString("utf8", startIndex, endIndex);
}
