import { isSpeaker, NOT_THE_ANSWER } from "./messages.js";
import { WENT_WRONG } from "./outcome.js";

/** What programs write about an answer, by the words of its key. */

/** Numbers and names of a call, times, counts and settings: the last word of a key says so (`created_at`, `promptTokens`). */
export const ABOUT = new Set([
  ...["id", "ids", "uuid", "guid", "hash", "etag", "version", "revision", "fingerprint", "signature", "jsonrpc"],
  ...[
    "type",
    "subtype",
    "kind",
    "object",
    "mime",
    "encoding",
    "format",
    "language",
    "lang",
    "locale",
    "index",
    "level",
  ],
  ...["model", "provider", "engine", "agent", "service", "tier", "region", "host", "session", "thread", "conversation"],
  ...["request", "trace", "span", "run", "parent", "tool", "tools", "function", "action", "name", "namespace", "event"],
  ...["time", "timestamp", "date", "at", "created", "updated", "started", "ended", "duration", "latency", "elapsed"],
  ...[
    "ms",
    "seconds",
    "took",
    "usage",
    "tokens",
    "predicted",
    "count",
    "counts",
    "total",
    "stats",
    "statistics",
    "metrics",
    "cost",
  ],
  ...["usd", "turns", "attempts", "retries", "size", "length", "bytes", "page", "pages", "limit", "offset", "cursor"],
  ...["topic", "partition", "key", "meta", "metadata", "headers", "logprobs", "ratings", "annotations", "url", "uri"],
  ...[
    "link",
    "links",
    "context",
    "temperature",
    "p",
    "k",
    "seed",
    "choice",
    "truncation",
    "sequence",
    "effort",
    "weight",
  ],
]);
/** Under these numbers are counted, each under a key of its own. */
export const COUNTS = new Set(["usage", "stats", "statistics", "metrics", "counts", "tokens", "ratings", "logprobs"]);
/** What is so or not, and says nothing of the answer. */
export const FLAGS = new Set([
  "cached",
  "cache",
  "store",
  "calls",
  "background",
  "encoded",
  "stream",
  "streaming",
  "turn",
  "more",
]);
/** Under these stands what kind of message it is. */
const KINDS = new Set(["type", "event", "kind", "object", "method"]);
/** Why a model ended: it was done, or called a tool. */
export const REASON = /^(?:finish|stop|done|end)(?:ed)?reason$/;
export const ENDED =
  /^(?:stop|stopped|end|end_turn|stop_sequence|eos|eos_token|done|completed?|finished|tool[_-]?calls?|tool[_-]?use|function[_-]?call)$/i;
/** What a program says in words. */
export const SAYS = /^(?:message|msg|errormessage|errmsg|statustext|info)$/;
/** What was asked and what was thought may hold examples and drafts. */
export const ASKED_IN_WORDS =
  /^(?:prompt|query|question|instructions?|system|user|input_text|template|schema|thoughts?|thinking|reasoning|reasoning_content)$/i;
/** No key of a program is longer, nor is what it has for a name. */
export const MAX_KEY = 60;
const MAX_NAME = 300;
/** A number, or a name. */
export function isPlain(value: unknown): boolean {
  return typeof value === "number" || value === null || (typeof value === "string" && isName(value));
}

/** Whether an object says what kind of message it is, or who says it. */
export function isMessage(one: Record<string, unknown>): boolean {
  return Object.keys(one).some((key) => KINDS.has(key) || isSpeaker(key));
}

/** The words of a key, whatever the style of it. */
export function wordsOf(key: string): string[] {
  const words = key.slice(-MAX_KEY).replace(/([a-z\d])([A-Z])/g, "$1_$2");
  return words
    .toLowerCase()
    .split(/[\s_.$-]/)
    .filter((word) => word !== "");
}

/** A word, a time, an address; no sentence, and none that tells of a failure. */
function isName(text: string): boolean {
  if (/^final answer$/i.test(text)) return true;
  if (NOT_THE_ANSWER.test(text)) return false;
  return (!/\s/.test(text) || /\d/.test(text)) && text.length <= MAX_NAME && !WENT_WRONG.test(text);
}
