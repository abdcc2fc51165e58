/** The CLI's `read_file` shows no more of a line than 2,000 characters. */
const LONGEST_LINE = 1_500;

/**
 * Breaks lines that are longer than `read_file` shows, behind a blank where there is one: without it the correction of
 * a report that stands in one line would see its beginning alone.
 */
export function foldLines(text: string): string {
  const pieces: string[] = [];
  let kept = 0;
  let lineStart = 0;
  let behindBlank = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text[at] as string;
    if (unit === "\n" || unit === "\r") {
      lineStart = at + 1;
      continue;
    }
    if (at - lineStart === LONGEST_LINE) {
      const splitsPair = isLowSurrogate(text.charCodeAt(at));
      lineStart = behindBlank > lineStart ? behindBlank : at - (splitsPair ? 1 : 0);
      pieces.push(text.slice(kept, lineStart));
      kept = lineStart;
    }
    if (/\s/.test(unit)) behindBlank = at + 1;
  }
  return pieces.length === 0 ? text : [...pieces, text.slice(kept)].join("\n");
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
