/** The CLI's `read_file` shows no more of a line than 2,000 characters. */
const LONGEST_LINE = 1_500;

/**
 * Breaks lines that are longer than `read_file` shows, behind a blank where there is one: without it the correction of
 * a report that stands in one line would see its beginning alone.
 */
export function foldLines(text: string): string {
  return text.replace(LONG_LINE, (line) => line.replace(PIECE, "$&\n").replace(/\n$/, ""));
}

const LONG_LINE = new RegExp(`[^\\r\\n]{${LONGEST_LINE + 1},}`, "gu");
const PIECE = new RegExp(`[^\\r\\n]{1,${LONGEST_LINE - 1}}(?:\\s|$)|[^\\r\\n]{1,${LONGEST_LINE}}`, "gu");
