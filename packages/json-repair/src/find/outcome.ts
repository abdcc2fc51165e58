/** What an object tells of a call: what was asked, and what came of it. Names of keys are without `_`, `-`, blanks and capitals. */

/** A call, as a model writes it. */
const CALLS = new Set(["function", "functioncall", "toolcall", "toolcalls", "history"]);
/** What a call was given. */
const INPUTS = new Set(["arguments", "args", "parameters", "params", "actioninput", "toolinput", "toolargs", "input"]);
/** What came of a call. */
const RESULTS = new Set([
  ...[
    "result",
    "results",
    "output",
    "outputs",
    "response",
    "responses",
    "answer",
    "answers",
    "data",
    "rows",
    "records",
  ],
  ...["returnvalue", "structuredoutput", "structuredcontent", "observation", "observations"],
  ...["tool", "function", "functioncall", "call"].flatMap((of) =>
    ["result", "results", "output", "outputs", "response", "responses"].map((what) => of + what),
  ),
]);
/** Texts with which a program tells what came of a call; a model has them beside its calls. */
const TELLS = new Set(["content", "contents", "text", "message", "messages", "stdout", "stderr", "body", "payload"]);
/** Says of an object that it is a call. */
const CALL_TYPE = /^(?:function|(?:server_|custom_)?tool[_-](?:use|call)|(?:function|mcp)_call)$/;
/** What names the tool that is called. */
const NAMES = new Set(["name", "toolname", "tool", "function", "action"]);
/** No tool has words for a name. */
const NAME_OF_A_TOOL = /^[\w.:/-]{1,128}$/;
const IDS = new Set(["id", "callid", "toolcallid", "tooluseid", "index", "type"]);
/** What names a call, or says how far it is. */
const OF_A_CALL =
  /^(?:.{0,20}(?:id|name)|type|kind|index|tool|function|action|thoughts?|thoughtsignature|status|state|role|provider.{0,20})$/;

const ERROR =
  /^(?:is|has|last)?(?:err(?:or)?s?(?:msg|message|code|no|text|string|details?|description|info|type|reason)?|exceptions?|faults?|failures?|failed)$/;
const SUCCESS = /^(?:is|was)?(?:success|successful|succeeded|ok|found)$/;
/** What is not yet done may have more to come. */
const DONE = /^(?:is)?(?:done|finished|completed?|stop)$/;
const STATUS =
  /^(?:http|api|response|result|task|job|run|call|tool|execution)?(?:status(?:code|text|message)?|state|outcome|code)$/;
/** Of a program that has run: nothing but 0 is well. */
const EXIT = /^(?:exit|return|error)(?:code|status|value)$|^rc$/;
const WENT_WELL =
  /^(?:ok(?:ay)?|yes|y|true|success(?:ful|fully)?|succeed(?:ed|s)?|completed?|complete_?success|done|finish(?:ed)?(?:[_ ]success(?:ful|fully)?)?|ready|end(?:ed)?|pass(?:ed)?|0|20[01]|no ?errors?)$/i;
export const WENT_WRONG =
  /fail|error|wrong|incorrect|cancel|abort|reject|refus|time[d_ -]?out|not.?found|denied|unavail|missing|invalid|forbid|unauth|exhaust|exceed|blocked|^block$|expire|crash|kill|warn|withdr|retract|revok|delet|discard|supersed|empty|none|^no[_ -]/i;
/** Keys under which nothing stands when nothing came of it. */
const OUTCOMES = new Set(["result", "results", "output", "response", "answer"]);

/** How a key is spelled, whatever the style of it; one of blanks and strokes alone is as it is. */
export function plainKey(key: string): string {
  return key.replace(/[\s_-]/g, "").toLowerCase() || key;
}

/** Whether a key holds what was asked. */
export function isAsked(key: string): boolean {
  return CALLS.has(key) || INPUTS.has(key);
}

/** Whether a key holds calls, with their names and what they are given. */
export function isCalls(key: string): boolean {
  return CALLS.has(key);
}

/** Whether a key holds what came of a call. */
export function isResult(key: string): boolean {
  return RESULTS.has(key);
}

/** Whether a key says whether it went well. */
export function isOutcome(key: string): boolean {
  return ERROR.test(key) || SUCCESS.test(key) || DONE.test(key) || STATUS.test(key) || EXIT.test(key);
}

/** Whether words stand under a key that may tell what came of a call. */
export function isTold(key: string): boolean {
  return TELLS.has(key);
}

type Outcome = "well" | "wrong" | "unsaid";

/** What an object says came of what was asked; `unsaid` when it tells nothing that is known here. */
export function outcomeOf(node: Record<string, unknown>): Outcome {
  let said: Outcome = "well";
  for (const [key, value] of Object.entries(node)) {
    const name = plainKey(key);
    if (OUTCOMES.has(name) && (value === null || value === "")) return "wrong";
    const one = toldBy(name, value);
    if (one === "wrong") return one;
    if (one === "unsaid") said = one;
  }
  return said;
}

/** Whether an object says that something went wrong; that there is no result yet does not. */
export function tellsOfFailure(node: Record<string, unknown>): boolean {
  return Object.entries(node).some(([key, value]) => toldBy(plainKey(key), value) === "wrong");
}

/** What a member of an object says came of what was asked. */
function toldBy(name: string, told: unknown): Outcome {
  const value = typeof told === "string" ? told.slice(0, MAX_WORDS) : told;
  // An object may be the answer itself; what it tells is asked of it.
  if (ERROR.test(name)) return isNothing(value) || wentWell(value) ? "well" : "wrong";
  if (value === null || typeof value === "object") return "well";
  const number = value === "" ? Number.NaN : Number(value);
  if (SUCCESS.test(name)) {
    if (value === false || number === 0 || /^(?:false|no?)$/i.test(String(value))) return "wrong";
    return value === true || number > 0 || wentWell(value) ? "well" : "unsaid";
  }
  if (DONE.test(name)) return value === true || wentWell(value) ? "well" : "unsaid";
  if (EXIT.test(name)) return number === 0 || wentWell(value) ? "well" : "wrong";
  if (!STATUS.test(name) || value === true || wentWell(value)) return "well";
  if (value === false || number < 0 || (number >= 400 && number < 600)) return "wrong";
  return WENT_WRONG.test(String(value)) ? "wrong" : "unsaid";
}

/** Whether a word says that it went well. */
export function wentWell(value: unknown): boolean {
  return (typeof value === "string" || typeof value === "number") && WENT_WELL.test(String(value));
}

/** No longer text says in a word what came of a call. */
const MAX_WORDS = 1_000;

/** Whether an object with a call holds what came of it too, and whether all else in it is of the call. */
export function askedBeside(key: string, others: readonly string[]): { answered: boolean; alone: boolean } {
  const isInput = INPUTS.has(key);
  const answered = others.some((other) => RESULTS.has(other) || (isInput && TELLS.has(other)));
  return { answered, alone: !isInput || others.every((other) => OF_A_CALL.test(other)) };
}

/**
 * Whether an object is a call by its own shape: a tool's name, what the tool is given, and nothing but what calls have.
 * What it is given is another's: it may have the same keys.
 */
export function isCall(node: Record<string, unknown>): boolean {
  const { type } = node;
  const isTyped = typeof type === "string" && CALL_TYPE.test(type);
  let named = 0;
  let given = 0;
  for (const [key, value] of Object.entries(node)) {
    const name = plainKey(key);
    if (INPUTS.has(name) || (isTyped && name === "function" && isObject(value))) given++;
    else if (NAMES.has(name) && typeof value === "string" && NAME_OF_A_TOOL.test(value)) named++;
    else if (!(isTyped ? OF_A_CALL.test(name) : IDS.has(name))) return false;
  }
  return given === 1 && (named === 1 || isTyped);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Null, false, nothing in it, or nothing counted. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "" || value === 0) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
