/** Text that says of a value that it is what a tool is given, and text behind it that tells what came of that. */

/** So far before a value, and behind it, the text is looked at. */
const BEFORE = 200;
const BEHIND = 200;

/** Marks of a fence, with the language. */
const FENCE = /^\s*(?:```|~~~)[\w-]{0,20}\s*$/;
/** What only a call has before it: steps of ReAct, and the marks with which models write calls. */
const OF_A_CALL =
  /\baction[\s_-]?inputs?\b|\bto=functions\b|<[|｜]tool|<(?:function|invoke|parameter|tool_call)\b|\[(?:TOOL_CALLS|ARGS)\]/i;
/** What a call may have before it, and an answer as well. */
const MAYBE_OF_A_CALL =
  /\b(?:(?:tool|function)?[\s_-]?(?:inputs?|arguments?|args|parameters?|params)|requests?|payload|body|calls?|called|calling|invok(?:e|es|ed|ing))\b|\w\($/i;
/** What ends a call: brackets, quotes, marks of a fence, tags. */
const ENDS = /^(?:[\s)"'`~*;]|<\/[^<>]{0,60}>|<[|｜][^|｜<>]{0,40}[|｜]>)*/;
/** Words that tell what came of a call. */
const TELLS =
  /^[^\w<]{0,20}(?:<(?:tool|function)_(?:response|result|output)|(?:observation|error|exception|traceback|(?:tool |function |call )?(?:result|response|output|returned|returns|failed|status))\b[^\n:]{0,20}:|HTTP\/\d|(?:->|=>|→))/i;

/** Text behind a call that begins to tell what came of it. */
export function tellsBehind(text: string, end: number): string | undefined {
  return TELLS.exec(behind(text, end))?.[0];
}

/** Tells of values of a text whether each was given to a tool, and the text goes on with what came of it. */
export function answeredInputs(text: string, came: "answered" | "unsaid" | undefined): (value: Span) => boolean {
  return ({ start, end }) => {
    const line = lineBefore(text, start);
    if (OF_A_CALL.test(line)) return came !== undefined || behind(text, end) !== "";
    return MAYBE_OF_A_CALL.test(line) && (came === "answered" || tellsBehind(text, end) !== undefined);
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The last line before a value that says something. */
function lineBefore(text: string, start: number): string {
  const lines = text
    .slice(Math.max(0, start - BEFORE), start)
    .trimEnd()
    .split("\n");
  return lines.findLast((line) => line.trim() !== "" && !FENCE.test(line)) ?? "";
}

function behind(text: string, end: number): string {
  return text.slice(end, end + BEHIND).replace(ENDS, "");
}
