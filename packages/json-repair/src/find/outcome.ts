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

const ERROR = /^(?:is)?(?:errors?|errormessage|errorcode|errortext|errordetails?|exception|failure|failed)$/;
const SUCCESS = /^(?:is)?(?:success|successful|succeeded|ok|found)$/;
const STATUS = /^(?:status|statuscode|state|outcome|code)$/;
const WENT_WELL = /^(?:ok(?:ay)?|success\w*|succeed\w*|complete\w*|done|finish\w*|ready|end(?:ed)?|pass\w*|2\d\d)$/i;
const WENT_WRONG =
  /fail|error|cancel|abort|reject|refus|time[d_ -]?out|not.?found|denied|unavail|missing|invalid|forbid|unauth|exhaust|exceed|block|expire|crash|kill|empty|none|^no[_ -]/i;
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

/** Whether a key holds what came of a call. */
export function isResult(key: string): boolean {
  return RESULTS.has(key);
}

/** Whether words stand under a key that may tell what came of a call. */
export function isTold(key: string): boolean {
  return TELLS.has(key);
}

/** What an object says came of what was asked; `unsaid` when it tells nothing that is known here. */
export function outcomeOf(node: Record<string, unknown>): "well" | "wrong" | "unsaid" {
  let said: "well" | "unsaid" = "well";
  for (const [key, value] of Object.entries(node)) {
    const name = plainKey(key);
    if (OUTCOMES.has(name) && (value === null || value === "")) return "wrong";
    if (ERROR.test(name) && !isNothing(value)) return "wrong";
    if (SUCCESS.test(name) && (value === false || value === "false")) return "wrong";
    if (!STATUS.test(name)) continue;
    if (typeof value === "number" && value >= 400 && value < 600) return "wrong";
    if (typeof value !== "string" || WENT_WELL.test(value)) continue;
    if (WENT_WRONG.test(value)) return "wrong";
    said = "unsaid";
  }
  return said;
}

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
