import { isAnother, isSpeaker, NOT_THE_ANSWER } from "./messages.js";
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
    "verbosity",
    "sequence",
    "effort",
    "weight",
  ],
]);
/** Under these numbers are counted, or addresses named, each under a key of its own. */
export const COUNTS = new Set(["usage", "stats", "statistics", "metrics", "counts", "tokens", "ratings", "links"]);
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
/** Under these stand words of the answer once more, each with its weight. */
export const REPEATS = new Set(["logprobs", "logprob"]);
/** Headers that a server or a proxy sends with every answer, and that say nothing of it. */
const OF_EVERY_ANSWER =
  /^(?:date|server|via|vary|pragma|expires|connection|keep-alive|alt-svc|nel|report-to|set-cookie|transfer-encoding|accept-ranges|last-modified|x-powered-by|content-(?:type|length|encoding|language|disposition)|(?:access-control|cf)-[\w-]{1,40}|[\w-]{1,40}-(?:control|policy|options|protection|security))$/i;
/** Why a model ended: it was done, or called a tool. */
export const REASON = /(?:finish|stop|done|end)(?:ed)?reason$/;
export const ENDED =
  /^(?:stop|stopped|end|end_turn|stop_sequence|eos|eos_token|done|completed?|finished|tool[_-]?calls?|tool[_-]?use|function[_-]?call)$/i;
/** What a program says in words. */
export const SAYS = /^(?:message|msg|errormessage|errmsg|statustext|info)$/;
/** What was asked and what was thought may hold examples and drafts. */
export const ASKED_IN_WORDS =
  /^(?:prompt|query|question|instructions?|system|user|input_text|template|schema|thoughts?|thinking|reasoning|reasoning_content)$/i;
/** Says that nothing was found, if it is 0. */
const HOW_MANY = /^(?:total|count|totalcount|(?:results?|items?|records?|rows?|match(?:es)?|hits?)(?:count|total))$/;
/** Under the last word of these stands what something is: only what is known to be said of an answer says nothing else. */
const NAMES_A_KIND = new Set([...KINDS, "subtype", "action", "context"]);
const HOLDS_WORDS = new Set(["meta", "metadata", "annotations", "context"]);
/** Words of what programs call an answer, a part of one, or what happens to it. */
const KIND_WORDS = new Set([
  ...["message", "response", "result", "results", "reply", "answer", "final", "completion", "text", "json", "object"],
  ...[
    "list",
    "array",
    "item",
    "record",
    "page",
    "data",
    "content",
    "block",
    "part",
    "chunk",
    "delta",
    "stream",
    "event",
  ],
  ...["chat", "thread", "turn", "session", "run", "step", "task", "job", "output", "assistant", "model", "agent", "ai"],
  ...[
    "function",
    "call",
    "calls",
    "tool",
    "use",
    "search",
    "query",
    "fetch",
    "web",
    "api",
    "mcp",
    "rpc",
    "http",
    "rest",
  ],
  ...["get", "post", "put", "patch", "created", "create", "completed", "complete", "finished", "done", "stop", "end"],
  ...["ended", "succeeded", "success", "ok", "updated", "generated", "received", "ready", "application", "structured"],
  ...["schema", "string", "plain", "markdown", "generate", "embedding", "init", "start", "started", "finish", "tools"],
]);
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
    .split(/[\s_.$/:#-]/)
    .filter((word) => word !== "");
}

/** Whether a number or a name under a key is no more than the last word of that key promises. */
export function isNamedFor(word: string, key: string, value: unknown): boolean {
  if (HOW_MANY.test(key)) return value !== 0 && value !== "0";
  // Texts without a key of their own are words about the answer.
  if (Array.isArray(value)) return !HOLDS_WORDS.has(word) || value.every((one) => typeof one === "number");
  if (typeof value !== "string") return true;
  if (word === "version" || word === "revision") return /\d/.test(value);
  if (word === "name") return !isAnother(value);
  return !NAMES_A_KIND.has(word) || wordsOf(value).every((one) => KIND_WORDS.has(one) || /^v?\d+$/.test(one));
}

/** Headers without those of every answer. */
export function ownHeaders(headers: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => !OF_EVERY_ANSWER.test(key.slice(0, MAX_KEY))));
}

/** A word, a time, an address; no sentence, and none that tells of a failure. */
function isName(text: string): boolean {
  if (/^final answer$/i.test(text)) return true;
  if (NOT_THE_ANSWER.test(text)) return false;
  return (!/\s/.test(text) || /\d/.test(text)) && text.length <= MAX_NAME && !WENT_WRONG.test(text);
}
