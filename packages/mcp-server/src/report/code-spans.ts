/** What begins an address: some readers take a backtick in it for a part of it. */
const ADDRESS = /:\/\/|www\.|mailto:|xmpp:|@/i;

/**
 * Where code between backticks begins and ends in a paragraph, as far as every reader sees it so: which lines are
 * a paragraph they do not agree on, so code is within a line, and none is open before it.
 */
export function codeSpansOf(text: string): ReadonlyMap<number, number> {
  const spans = new Map<number, number>();
  if (!text.includes("`")) return spans;
  const lines = text.split("\n");
  const isTable = lines.some(isDelimiterRow);
  let start = 0;
  let isAfterBracket = false;
  for (const line of lines) {
    const found = codeOf(line, isTable, isAfterBracket);
    if (found === undefined) break;
    for (const [from, to] of found) spans.set(start + from, start + to);
    isAfterBracket ||= line.includes("[");
    start += line.length + 1;
  }
  return spans;
}

/** Whether a line may be the row below the head of a table. */
function isDelimiterRow(line: string): boolean {
  return /[|:]/.test(line) && /^[\s>*+\d.)|:-]+$/.test(line);
}

/** None when a backtick of the line may mean something else, or nothing closes it. */
function codeOf(line: string, isTable: boolean, isAfterBracket: boolean): [from: number, to: number][] | undefined {
  const runs = [...line.matchAll(/`+/g)];
  const spans: [number, number][] = [];
  const bracket = isAfterBracket ? -1 : line.indexOf("[");
  let done = 0;
  let inAddress = false;
  for (let opening = 0; opening < runs.length; ) {
    const { 0: marks, index: from } = runs[opening] as RegExpExecArray;
    let closing = opening + 1;
    while (closing < runs.length && runs[closing]?.[0] !== marks) closing += 1;
    const to = (runs[closing]?.index ?? Number.NaN) + marks.length;
    const before = line.slice(done, from);
    const words = before.split(/[ \t]/);
    inAddress = (words.length === 1 && inAddress) || ADDRESS.test(words.at(-1) ?? "");
    if (Number.isNaN(to) || inAddress || before.endsWith("\\")) return undefined;
    if (isTable && line.slice(from, to).includes("|")) return undefined;
    // Of a link's label one reader looks at the first backticks that follow, however many.
    const isInLabel = bracket === -1 ? isAfterBracket : bracket < from;
    if (closing > opening + 1 && isInLabel) return undefined;
    spans.push([from, to]);
    done = to;
    opening = closing + 1;
  }
  return spans;
}
