/** Each mark can cost the parser some microseconds. A report of 5 MB with an address and a mark in every line of 70 has 500,000. */
const MOST_MARKS = 600_000;
/** A line may be an item of a list or a row of a table; an address becomes a link, and may be a source. */
const OF_A_LINE = 2;
const OF_AN_ADDRESS = 4;

const MARKS = new Uint8Array(128);
for (const mark of "![<*_`~&\\|") MARKS[mark.charCodeAt(0)] = 1;
MARKS["\n".charCodeAt(0)] = OF_A_LINE;
const COLON = ":".charCodeAt(0);

/** Whether a text has more marks of Markdown than any report: to read it would take many seconds. */
export function isMostlyMarks(text: string): boolean {
  let marks = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COLON) marks += text.startsWith("//", at + 1) ? OF_AN_ADDRESS : 0;
    else if (code < MARKS.length) marks += MARKS[code] ?? 0;
  }
  return marks > MOST_MARKS;
}
