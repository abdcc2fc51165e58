import { isContainer, isObject, type JsonObject } from "../decode/strict.js";
import { isEmpty } from "./answer.js";

/**
 * What programs and services write around an answer, by the names of their keys. A name counts by its last word, whatever
 * its style: `created_at`, `promptTokens`, `Status`.
 */

const NAMES = {
  /** What came of a question or of a call. */
  result:
    "answer answers data observation observations output outputs record records response responses result results rows value",
  /** What was said, in one piece or in several. */
  said: "body completion content contents delta generation generations message messages msg output outputs part parts payload reply stdout text",
  /** What else an answer may stand under. */
  holder: "candidates choices conversations event final item items json object parsed properties",
  /** A call of a tool, and what it is given. */
  call: "call calls function history",
  tool: "action function name tool type",
  input: "args arguments input parameters params",
  /** What was asked, and what the model thought of it: it may hold examples and drafts. */
  asked:
    "input_text instruction instructions prompt query question reasoning reasoning_content schema system template thinking thought thoughts user",
  /** What holds no answer either. */
  none: "draft drafts error errors example examples headers logprobs previous request",
  /** Ids, names, times and settings. */
  about:
    "agent at attempts background bytes cache cached calls choice cost count created cursor date duration effort elapsed " +
    "encoded encoding ended engine etag fingerprint format function guid hash host id ids index jsonrpc k key lang language " +
    "latency length level limit link locale logprobs meta metadata mime model ms name namespace offset p page pages parent " +
    "partition predicted provider region retries revision seconds seed sequence service session signature size span started " +
    "store stream streaming temperature thread tier time timestamp tokens took tool tools topic total trace truncation turn " +
    "turns updated uri url usd uuid verbosity version weight",
  /** Under these numbers are counted, or addresses named, each under a key of its own. */
  counted: "context counts links metrics ratings statistics stats tokens usage",
  /** Under these stands of what kind something is, or why a model ended. */
  kind: "action event kind method object reason subtype type",
  /** What a message or a part of one is, beside the names of what may hold an answer. */
  ofAKind:
    "action agent ai api application array assistant block chat chunk complete completed create created done embedding end " +
    "ended eos fetch finish finished generate generated get http init list markdown mcp model ok page patch plain post put " +
    "ready received rest rpc search sequence session start started step stop stopped stream string structured succeeded " +
    "success task thread tool tools turn updated use web",
  speaker: "author from role sender speaker",
  success: "found ok succeeded success successful",
  status: "code complete completed done finished outcome phase state status stop",
};
type Role = keyof typeof NAMES;

const BY_ROLE = new Map(Object.entries(NAMES).map(([role, list]) => [role as Role, new Set(list.split(" "))]));

/** Who says something, beside the model. */
const OTHERS = "user|human|person|customer|client|system|developer|observation";
const THE_MODEL = /^(?:assistant|model|ai|gpt|bot|chat_?bot|chatgpt|agent|llm|claude|gemini)$/i;
const NOT_THE_MODEL = new RegExp(`^(?:${OTHERS}|tool|function)$`, "i");
/** Types of messages that say who says them, or that they are thoughts. */
const TYPES_OF_OTHERS = new RegExp(
  `^(?:(?:${OTHERS}|tool)(?:[._-]?(?:message|input|turn|prompt))?|(?:tool|function)[\\w-]{0,20}[_-](?:result|output|response)|analysis)$|think|thought|reason`,
  "i",
);
const WENT_WELL =
  /^(?:ok(?:ay)?|true|y|yes|success(?:ful|fully)?|succeed(?:ed|s)?|complete[_ ]success|completed?|done|finish(?:ed)?|ready|end(?:ed)?|pass(?:ed)?|0|20\d|no ?errors?)$/i;
const WENT_WRONG =
  /fail|\bfault|\berr(?:no)?\b|error|exception|stderr|wrong|incorrect|cancel|abort|reject|refus|time[d_ -]?out|not.?found|denied|unavail|missing|invalid|forbid|unauth|exhaust|exceed|blocked|^block$|expired|crash|kill|warn|withdr|retract|revok|delet|discard|supersed|empty|none|^no[_ -]/i;
/** Keys under which nothing stands when nothing came of it. */
const NOTHING_CAME = /^(?:results?|output|response|answer|total|count)$/i;
/** With blanks only where there is a number, too. */
const A_NAME = /^(?:[^\s{[]{0,300}|(?=\D{0,300}\d)[^{[]{0,300})$/;
/** No tool has words for a name. */
const NAME_OF_A_TOOL = /^[\w.:/-]{1,128}$/;
/** No key of a program is longer, nor what it has for a name or a state. */
const MAX_KEY = 60;
const MAX_NAME = 300;

function wordsOf(name: string): string[] {
  if (/^[a-z\d]{1,60}$/.test(name)) return [name];
  const words = name
    .slice(-MAX_KEY)
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[\s_.$/:#-]/);
  return words.filter((word) => word !== "");
}

function isWordOf(word: string, roles: readonly Role[]): boolean {
  return roles.some((role) => BY_ROLE.get(role)?.has(word));
}

/** How a key is spelled, whatever the style of it; one of blanks and strokes alone is as it is. */
export function plainKey(key: string): string {
  return wordsOf(key).join("") || key;
}

/** Whether a key has one of these roles. */
export function is(key: string, ...roles: readonly Role[]): boolean {
  const words = wordsOf(key);
  return isWordOf(words.at(-1) ?? "", roles) || isWordOf(words.join("_"), roles);
}

/** Whether a word of a key has this role. */
export function has(key: string, role: Role): boolean {
  return wordsOf(key).some((word) => isWordOf(word, [role]));
}

const HOLDERS: readonly Role[] = ["result", "said", "holder", "call", "input"];

/** Whether all words of a text say what an answer is, a message, or a part of one. */
function isOfAKind(text: string): boolean {
  const isKnown = (word: string) => /^v?\d+$/.test(word) || isWordOf(word, ["ofAKind", ...HOLDERS]);
  return text.length <= MAX_KEY && wordsOf(text).every(isKnown);
}

/** Whether a key is a usual one for answers. */
export function isUsual(key: string): boolean {
  return is(key, ...HOLDERS) && isOfAKind(key);
}

/** Whether an object is a call by its own shape. What it is given is another's: it may have the same keys. */
export function isCall(node: JsonObject): boolean {
  const keys = Object.keys(node);
  const isInner = (key: string) => is(key, "call") && isObject(node[key]);
  const given = keys.filter((key) => is(key, "input") || isInner(key));
  const named = keys.some((key) => isInner(key) || (is(key, "tool") && NAME_OF_A_TOOL.test(wordIn(node[key]))));
  const areKnown = keys.every((key) => given.includes(key) || is(key, "about", "kind", "status", "asked"));
  return named && given.length === 1 && areKnown;
}

/** Whether an object says that something did not go well. */
export function tellsOfFailure(node: JsonObject): boolean {
  return Object.entries(node).some(([key, value]) => wentWell(key, value) === false);
}

/** Whether a member of an object says that what was asked went well; null: it leaves that open. Undefined if it is about something else. */
export function wentWell(key: string, value: unknown): boolean | null | undefined {
  const text = wordIn(value).slice(0, MAX_NAME);
  if (WENT_WRONG.test(key.slice(0, MAX_KEY))) return isNothing(value);
  if (isNothing(value) && NOTHING_CAME.test(key)) return null;
  if (isContainer(value) || value === null || !is(key, "success", "status")) return undefined;
  if (is(key, "success"))
    return !/^(?:false|no?|0|)$/i.test(text) && (WENT_WELL.test(text) || Number(text) > 0 || null);
  // What is not done yet may have more to come.
  return WENT_WELL.test(text) || (Number(text) < 0 || Number(text) >= 400 || WENT_WRONG.test(text) ? false : null);
}

/** Null, false, nothing in it, or nothing counted. */
const isNothing = (value: unknown) => value === false || value === 0 || isEmpty(value);

/** Whether a message is none of the model: the person's, the system's, a tool's, or a thought. */
export function notTheModel(message: JsonObject): boolean {
  const { type, thought } = message;
  if (thought === true || TYPES_OF_OTHERS.test(wordIn(type).slice(0, MAX_KEY))) return true;
  return Object.keys(message).some((key) => is(key, "speaker") && NOT_THE_MODEL.test(speakerIn(message[key])));
}

/** A name, also as `{"role": "user"}`. */
const speakerIn = (value: unknown) => wordIn(isObject(value) ? value["role"] : value).slice(0, MAX_KEY);

/** Whether a name, a number or a flag is no more than what its key, or a count, promises to tell about an answer. */
export function isAbout(key: string, value: unknown, counted: boolean): boolean {
  const text = wordIn(value);
  // There is more than was given, or nothing.
  if (/next|more/i.test(key)) return isNothing(value);
  if (counted) return value !== true && isName(value);
  if (has(key, "speaker")) return THE_MODEL.test(speakerIn(value));
  if (is(key, "asked")) return typeof value === "string";
  if (is(key, "kind")) return isOfAKind(text);
  if (is(key, "said")) return WENT_WELL.test(text);
  return (is(key, "about") && isName(value)) || (is(key, "counted") && typeof value === "number");
}

/** A number, a word, a time, an address; no sentence, no JSON, and nothing that tells of a failure. */
function isName(value: unknown): boolean {
  if (typeof value !== "string") return true;
  return A_NAME.test(value) && !WENT_WRONG.test(value) && !is(value, "none", "asked");
}

/** What is no object and no list, as a text. */
export function wordIn(value: unknown): string {
  return isContainer(value) ? "" : String(value);
}
