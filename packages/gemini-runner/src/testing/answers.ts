/** What the model can be made to say, one small function each. */

import type { ModelPart } from "./model-call.js";

/** One step of an answer; a scenario gives one, several in order, or an async iterable of them. */
export type Answer =
  /** A part of the model's content: words, a thought, or a call of a tool. */
  | { type: "part"; part: ModelPart }
  /** Grounding metadata, as the API sends it. */
  | { type: "metadata"; metadata: Record<string, unknown> }
  /** The words about a page that was read, and what became of its address. */
  | { type: "page"; text: string; urlMetadata?: UrlMetadata[] }
  /** The end of the answer, with the API's reason. */
  | { type: "finish"; reason: string; message?: string }
  /** Nothing is sent for `ms` milliseconds. */
  | { type: "delay"; ms: number }
  /** The request is answered with this HTTP status and body in the place of an answer. */
  | { type: "http-error"; status: number; headers: Record<string, string>; body: string }
  /** These bytes are sent as they are. */
  | { type: "raw"; bytes: string | Uint8Array }
  /** The connection is reset. */
  | { type: "reset" }
  /** Nothing more is sent, and the connection stays open. */
  | { type: "silence" };

/** How words come. */
export interface TextOptions {
  /** Characters a chunk. Default: all in one. */
  chunkLength?: number;
  /** Wait before each chunk but the first, in ms. Default: 0. */
  everyMs?: number;
}

/** Words of the model, in one chunk or in many. */
export function text(
  words: string,
  { chunkLength = Number.POSITIVE_INFINITY, everyMs = 0 }: TextOptions = {},
): Answer[] {
  const chunks = chunkLength === Number.POSITIVE_INFINITY ? [words] : chunksOf(words, chunkLength);
  return chunks.flatMap((chunk, i): Answer[] => [
    ...(i > 0 && everyMs > 0 ? [delay(everyMs)] : []),
    { type: "part", part: { text: chunk } },
  ]);
}

/** A value as a fenced `json` block, with words before it. */
export function json(value: unknown, before = "Here is the result.\n\n"): Answer[] {
  return text(`${before}\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`);
}

/** Thoughts of the model; alone, they are an answer without words. */
export function thought(words: string): Answer {
  return { type: "part", part: { text: words, thought: true } };
}

/** A call of any tool. Several in one answer are made together. */
export function callTool(name: string, args: Record<string, unknown> = {}): Answer {
  return { type: "part", part: { functionCall: { name, args } } };
}

/** A call of `google_web_search`. */
export function search(query: string): Answer {
  return callTool("google_web_search", { query });
}

/**
 * A call of `web_fetch` for these pages. The CLI resolves each host before it asks the model, so without a network use
 * public IP literals (`http://93.184.215.14/page`): nothing is contacted as long as the `fetch` call is answered.
 */
export function fetchPage(...urls: string[]): Answer {
  return callTool("web_fetch", { prompt: `Read ${urls.join(" and ")} and report what they say.` });
}

/** What Google says of a search. */
export interface Grounding {
  /** What Google was asked. Default: none. */
  queries?: readonly string[];
  /** What it found. The text is cited to all of them. Default: none. */
  sources?: readonly { url: string; title?: string }[];
}

/** The answer to a `search` call: words with their sources. */
export function grounded(words: string, { queries = [], sources = [] }: Grounding = {}): Answer[] {
  const support = {
    segment: { startIndex: 0, endIndex: Buffer.byteLength(words), text: words },
    groundingChunkIndices: sources.map((_, i) => i),
  };
  return [
    ...text(words),
    {
      type: "metadata",
      metadata: {
        groundingMetadata: {
          webSearchQueries: queries,
          groundingChunks: sources.map(({ url, title = url }) => ({ web: { uri: url, title } })),
          groundingSupports: sources.length > 0 ? [support] : [],
        },
      },
    },
  ];
}

/** What Google says of a page that it was to read. */
export interface UrlMetadata {
  /** The address of the page. */
  retrievedUrl: string;
  /** Default: `URL_RETRIEVAL_STATUS_SUCCESS`. */
  urlRetrievalStatus?: string;
}

/** The answer to a `fetch` call: what the page says. Without metadata every asked page counts as retrieved. */
export function page(words: string, urlMetadata?: UrlMetadata[]): Answer {
  return { type: "page", text: words, ...(urlMetadata ? { urlMetadata } : {}) };
}

/**
 * Ends the answer for this reason: `SAFETY`, `MAX_TOKENS`, `RECITATION`, `MALFORMED_FUNCTION_CALL` … An answer without
 * one ends with `STOP`.
 */
export function finish(reason: string, message?: string): Answer {
  return { type: "finish", reason, ...(message === undefined ? {} : { message }) };
}

/** No words at all. */
export function empty(): Answer {
  return finish("STOP");
}

/** Waits before the next step. */
export function delay(ms: number): Answer {
  return { type: "delay", ms };
}

/** Breaks the connection: at once, or after the steps before it. */
export function reset(): Answer {
  return { type: "reset" };
}

/** Says nothing more and keeps the connection open: from the start, or after the steps before it. */
export function silence(): Answer {
  return { type: "silence" };
}

/** These bytes as they stand, in place of a well-formed chunk. */
export function raw(bytes: string | Uint8Array): Answer {
  return { type: "raw", bytes };
}

/** An answer of exactly this many bytes of UTF-8 in chunks of 64 Ki characters; {@link filler} gives the same text. */
export function huge(bytes: number): Answer[] {
  return text(filler(bytes), { chunkLength: 65_536 });
}

/** Text of exactly `bytes` bytes of UTF-8, always the same, hardly repetitive, with characters of one to four bytes. */
export function filler(bytes: number): string {
  let seed = 1;
  const word = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed.toString(36);
  };
  const lines: string[] = [];
  let left = bytes;
  for (let i = 1; left > 0; i++) {
    const line = `${i} ${word()} é${word()} 漢${word()} 🙂${word()} ${word()}\n`;
    const size = Buffer.byteLength(line);
    lines.push(size <= left ? line : ".".repeat(left));
    left -= size;
  }
  return lines.join("");
}

/** Never splits a character of two UTF-16 units. */
function chunksOf(words: string, length: number): string[] {
  const chunks: string[] = [];
  for (let from = 0; from < words.length; ) {
    let to = Math.min(from + length, words.length);
    if (/[\uD800-\uDBFF]/.test(words[to - 1] ?? "") && to < words.length) to += 1;
    chunks.push(words.slice(from, to));
    from = to;
  }
  return chunks.length > 0 ? chunks : [""];
}
