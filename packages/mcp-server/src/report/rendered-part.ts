/**
 * Each mark can cost the parser, and whoever shows what it finds, some microseconds. A report of 100,000 characters has
 * 2,000 to 30,000 of them.
 */
const MOST_MARKS = 100_000;
/** A line may be an item of a list or a row of a table; a bracket, or an address, becomes a link, and may be a source. */
const OF_A_LINE = 3;
const OF_A_LINK = 4;

const MARKS = new Uint8Array(128);
for (const mark of "!<*_`~&\\|") MARKS[mark.charCodeAt(0)] = 1;
MARKS["\n".charCodeAt(0)] = OF_A_LINE;
MARKS["[".charCodeAt(0)] = OF_A_LINK;
const COLON = ":".charCodeAt(0);
const NEWLINE = "\n".charCodeAt(0);

/** Where the part of a text ends, with its last line, that is read as Markdown: there are more marks than any report has. */
export function endOfRendered(text: string): number {
  let marks = 0;
  let line = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COLON) marks += text.startsWith("//", at + 1) ? OF_A_LINK : 0;
    else if (code < MARKS.length) marks += MARKS[code] ?? 0;
    if (marks > MOST_MARKS) return line;
    if (code === NEWLINE) line = at + 1;
  }
  return text.length;
}
