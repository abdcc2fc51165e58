/** What the text right before a value says of it, and whether it goes on as if it had been the question. */

/** So far before a value, and behind it, the text is looked at. */
const REACH = 200;
/** Marks of a fence, with the language. */
const FENCE = /^\s*(?:```|~~~)[\w-]{0,20}\s*$/;
/** What only a call has before it: steps of ReAct, and the marks with which models write calls. */
const OF_A_CALL =
  /\baction[\s_-]?inputs?\b|\bto=functions\b|<[|｜]tool|<(?:function|invoke|parameter|tool_call)\b|\[(?:TOOL_CALLS|ARGS)\]/i;
/** What ends a call: brackets, quotes, marks of a fence, tags. */
const ENDS = /^(?:[\s)"'`~*;]|<\/[^<>]{0,60}>|<[|｜][^|｜<>]{0,40}[|｜]>)*/;
/** Words that tell what came of a call. */
const TELLS =
  /^[^\w<]{0,20}(?:<(?:tool|function)_(?:response|result|output)|(?:observation|error|exception|traceback|(?:tool |function |call )?(?:result|response|output|returned|returns|failed|status))\b[^\n:]{0,20}:|HTTP\/\d|(?:->|=>|→))/i;

/** Whether the text may tell what came of a value: it goes on behind what is given to a tool, or with such words. */
export function isAnswered(text: string, { start, end }: { start: number; end: number }): boolean {
  const behind = text.slice(end, end + REACH).replace(ENDS, "");
  return TELLS.test(behind) || (behind !== "" && OF_A_CALL.test(lineBefore(text, start)));
}

/** Words right before a value that show one, and do not give it; a line that tells of an error, with its colon. */
const SHOWS =
  /(?:\be\.\s?g\.|\bfor (?:example|instance)|(?<![.\w-])example(?: \w{1,20}){0,5}|\bformat would (?:be|have been)(?: \w{1,20}){0,3})[,:]?\s{0,4}[`"'(*]{0,4}$/i;
const ERROR = /^\s{0,8}(?:Traceback \(most|[\w.]{0,80}(?:error|exception)\s?:)/i;
/** What a server answers that has failed. */
const NO_SUCCESS = /^\s{0,8}HTTP\/\d(?:\.\d)? (?!2)\d{3}\b/;

/** Whether the text says right before a value that it is an example, or what came of something that failed. */
export function isShown(text: string, start: number): boolean {
  const line = lineBefore(text, start).trimEnd();
  return SHOWS.test(line.slice(-REACH)) || ERROR.test(line) || NO_SUCCESS.test(text.slice(0, 40));
}

/** The last line before a value that says something. */
function lineBefore(text: string, start: number): string {
  const lines = text
    .slice(Math.max(0, start - REACH), start)
    .trimEnd()
    .split("\n");
  return lines.findLast((line) => line.trim() !== "" && !FENCE.test(line)) ?? "";
}
