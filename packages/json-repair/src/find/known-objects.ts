import { isContainer, isEmpty, isObject, type JsonObject } from "../decode/strict.js";

/** What an object is, by its keys and texts: what programs write around an answer, a call, a message, a schema, a template. */

/** By the last word of a key, whatever its style: `created_at`, `promptTokens`. */
const NAMES = {
  /** What came of a question or of a call. */
  result: "answers? data observations? outputs? records? responses? results? rows value",
  /** What was said, in one piece or in several. */
  said: "body completion contents? delta generations? log messages? msg outputs? parts? payload reply stdout text",
  /** What else an answer may stand under. */
  holder: "candidates choices conversations event final hits? items? json object parsed properties",
  /** A call of a tool, and what it is given. */
  call: "calls? function history",
  input: "args arguments input parameters params",
  /** What was asked, and what the model thought of it: it may hold examples and drafts. */
  asked: "instructions? prompt query question reasoning schema system template thinking thoughts? user",
  /** What holds no answer either. */
  none: "deleted drafts? errors? examples? headers logprobs original previous rejected",
  /** Ids, names, times, settings; also of what kind something is, and why a model ended. */
  about:
    "action agent assistant at background cached? calls? chat choice completed? cost count created? cursor date duration " +
    "effort elapsed encoded end extensions fingerprint finish format hash ids? index init jsonrpc key lang language latency " +
    "logprobs meta metadata model ms name offset pages? p provider region search seconds session size start started " +
    "step stop store stream structured success task temperature thread tier time timestamp tokens? tools? total truncation " +
    "turns? updated url usd use uuid verbosity version",
  /** Under these numbers are counted, or addresses named, each under a key of its own. */
  counted: "context counts links metrics ratings stats tokens usage",
  kind: "action event kind method object reason subtype type",
  speaker: "author from role sender speaker",
  success: "found ok success",
  status: "code completed done finished outcome phase state status stop",
};
type Role = keyof typeof NAMES;

const wordsOfRole = (list: string) => new RegExp(`^(?:${list.replaceAll(" ", "|")})$`);
const BY_ROLE = new Map(Object.entries(NAMES).map(([role, list]) => [role as Role, wordsOfRole(list)]));

const THE_MODEL = /^(?:assistant|model|ai|gpt|chat_?bot|agent|llm|claude|gemini)$/i;
/** Who says something, beside the model, and types of messages that say so, or that they are thoughts. */
const NOT_THE_MODEL =
  /^(?:user|human|person|customer|client|system|developer|observation|tool)(?:[._-]?(?:message|input|turn|prompt))?$|^(?:tool|function)[\w-]{0,20}[_-](?:result|output|response)$|^analysis$|think|thought|reason/i;
const WENT_WELL =
  /^(?:ok(?:ay)?|true|yes|success(?:ful)?|succeeded|completed?|done|finish(?:ed)?|ready|passed|0|20\d)$/i;
const WENT_WRONG =
  /fail|\bfault|err|exception|wrong|incorrect|cancel|abort|reject|refus|time[d_ -]?out|not.?found|denied|unavail|missing|invalid|forbid|exceed|blocked|expired|warn|retract|delet|discard|supersed|empty|none|^no[_ -]/i;
/** Under these stands something, unless nothing came of it; under the others there is more than was given. */
const NOTHING_CAME = /^(?:results?|output|response|answer|total|count)$/i;
const THERE_IS_MORE = /next|more|(?:total|num)_?pages$|^page$/i;
/** With blanks only where there is a number, too. */
const A_NAME = /^(?:[^\s{[]{0,300}|(?=\D{0,300}\d)[^{[]{0,300})$/;
/** No key of a program is longer, nor what it has for a name or a state. */
const MAX_NAME = 60;

function wordsOf(name: string): string[] {
  if (/^[a-z]{1,60}$/.test(name)) return [name];
  const words = name.slice(-MAX_NAME).replace(/([a-z\d])([A-Z])/g, "$1_$2");
  return words.toLowerCase().match(/[^\s_.$/:#-]+/g) ?? [];
}

const isWordOf = (word: string, roles: readonly Role[]) => roles.some((role) => BY_ROLE.get(role)?.test(word));

/** How a key is spelled, whatever the style of it; one of blanks and strokes alone is as it is. */
export const plainKey = (key: string) => wordsOf(key).join("") || key;

export const is = (key: string, ...roles: readonly Role[]) => isWordOf(wordsOf(key).at(-1) ?? "", roles);

export const has = (key: string, role: Role) => wordsOf(key).some((word) => isWordOf(word, [role]));

const HOLDERS: readonly Role[] = ["result", "said", "holder", "call", "input"];

/** Whether all words of a text say what an answer is, a message, or a part of one. */
const isOfAKind = (text: string) =>
  text.length <= MAX_NAME && wordsOf(text).every((word) => isWordOf(word, ["about", ...HOLDERS]));

/** In `_source` Elasticsearch has what was stored; `partialJson` is as usual as `json`, but not sure. */
export const isUsual = (key: string) =>
  key === "_source" || (is(key, ...HOLDERS) && isOfAKind(key.replace(/^partial[_-]?/i, "")));

/** Whether an object is a call by its own shape. What it is given is another's: it may have the same keys. */
export function isCall(node: JsonObject): boolean {
  const keys = Object.keys(node);
  const given = keys.filter((key) => is(key, "input") || (is(key, "call") && isObject(node[key])));
  return given.length === 1 && keys.every((key) => key === given[0] || is(key, "about", "kind", "status", "asked"));
}

/** Whether a member of an object says that what was asked did not go well. */
export function tellsOfFailure([key, value]: [string, unknown]): boolean {
  const text = wordIn(value);
  if (WENT_WRONG.test(key)) return !isNothing(value);
  if (isContainer(value) || value === null || !is(key, "success", "status")) return false;
  if (is(key, "success")) return /^(?:false|no?|0|)$/i.test(text);
  return !WENT_WELL.test(text) && (Number(text) < 0 || Number(text) >= 400 || WENT_WRONG.test(text));
}

const isNothing = (value: unknown) => value === false || value === 0 || isEmpty(value);

/** Whether a message is none of the model: the person's, the system's, a tool's, or a thought. */
export function notTheModel(message: JsonObject): boolean {
  const isOther = ([key, value]: [string, unknown]) =>
    (key === "type" || is(key, "speaker")) && NOT_THE_MODEL.test(wordIn(value));
  return message["thought"] === true || Object.entries(message).some(isOther);
}

/** Whether a name, a number or a flag is no more than what its key, or a count, promises to tell about an answer. */
export function isAbout(key: string, value: unknown, counted: boolean): boolean {
  const text = wordIn(value);
  if (isNothing(value) && NOTHING_CAME.test(key)) return false;
  if (isEmpty(value)) return true;
  if (counted) return value !== true && isName(value);
  if (THERE_IS_MORE.test(key)) return isNothing(value) || (value === 1 && /pages?$/i.test(key));
  if (WENT_WRONG.test(key)) return true;
  if (has(key, "speaker")) return THE_MODEL.test(text);
  if (is(key, "asked")) return typeof value === "string";
  // What is not done yet may have more to come.
  if (key === "complete") return value === true;
  if (is(key, "success", "status", "said")) return WENT_WELL.test(text);
  if (is(key, "kind")) return isOfAKind(text);
  return (is(key, "about") && isName(value)) || (is(key, "counted") && typeof value === "number");
}

/** A number, a word, a time, an address; no sentence, no JSON, and nothing that tells of a failure. */
const isName = (value: unknown) => typeof value !== "string" || (A_NAME.test(value) && !WENT_WRONG.test(value));

export const wordIn = (value: unknown) => (isContainer(value) ? "" : String(value));

/** What stands for a text that is to be filled in. */
const PLACEHOLDER = /^(?:\.{3,}|…|string|text|number|<[^<>]*>|(?:your|insert)\b[^.,;!?]{0,80}|[^.,;!?]{1,60} here)$/is;

/** The texts in a value, of the first ten members of each part of it. */
function stringsIn(part: unknown, depth = 0, found: string[] = []): string[] {
  if (typeof part === "string") found.push(part.trim());
  if (!isContainer(part) || depth === 4) return found;
  let left = 10;
  for (const key in part)
    if (left-- > 0) stringsIn((part as JsonObject)[key], depth + 1, found);
    else break;
  return found;
}

const isSchema = (value: unknown) => isObject(value) && value["type"] === "object" && isObject(value["properties"]);

/** Whether a value tells what a tool is given. */
function definesTool(value: unknown): boolean {
  const tool = isObject(value) && isObject(value["function"]) ? value["function"] : value;
  return isObject(tool) && ["parameters", "input_schema", "inputSchema"].some((key) => isSchema(tool[key]));
}

/** An echoed example: half of its strings stand for what is to be filled in. Or the schema of one, also of what a tool is given. */
export function isTemplate(value: unknown): boolean {
  if (isSchema(value) || definesTool(value)) return true;
  const strings = stringsIn(value);
  return strings.length > 0 && strings.filter((text) => PLACEHOLDER.test(text)).length * 2 >= strings.length;
}

/** A form that nobody has filled in: `{"name": "<first name>", "town": "<town>"}`, `{"a": "…", "b": "..."}`. */
export function isForm(value: unknown): boolean {
  const strings = Array.isArray(value) ? [] : stringsIn(value);
  const blanks = strings.filter((text) => /^(?:<\w[\w ,.'|-]{1,60}>|…|\.{3})$/.test(text));
  return blanks.length > 0 && 2 * blanks.length >= strings.length;
}
