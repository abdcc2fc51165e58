/** Text that says of a value that it is what a tool is given, and text behind it that tells what came of that. */

/** So far before a value, and behind it, the text is looked at. */
const BEFORE = 200;
const BEHIND = 200;
/** So much of a line is looked at for words right before a value. */
const LINE_END = 160;

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

/** Words right before a value that show one, and do not give it. */
const SHOWS =
  /(?:\be\.\s?g\.|\bfor (?:example|instance)|(?<![.\w-])example(?: \w{1,20}){0,5}|\bformat would (?:be|have been)(?: \w{1,20}){0,3})[,:]?\s{0,4}[`"'(*]{0,4}$/i;
/** What a line that tells of an error begins with, up to its colon. */
const ERROR_NAME = /(?:error|exception)$/i;
const NAME = /^[\w.]+$/;
const STATUS_LINE = /^\s{0,8}HTTP\/\d/;
/** What a server has not answered. */
const NO_SUCCESS = /^HTTP\/\d(?:\.\d)? (?!2)\d{3}\b/;

/** Whether the text right before a value says that it is an example, or what came of something that failed. */
export function isShown(text: string, start: number): boolean {
  const line = lineBefore(text, start).trimEnd();
  if (SHOWS.test(line.slice(-LINE_END)) || tellsOfError(line)) return true;
  if (!STATUS_LINE.test(text.slice(0, 20))) return false;
  const at = text.lastIndexOf("HTTP/", start);
  return NO_SUCCESS.test(text.slice(at, at + 20));
}

function tellsOfError(line: string): boolean {
  const name = line.slice(0, Math.max(0, line.indexOf(":"))).trim();
  return line.trimStart().startsWith("Traceback (most") || (NAME.test(name) && ERROR_NAME.test(name));
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
