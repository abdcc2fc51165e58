/** Lines of a help are no longer, however wide the window is. */
const LONGEST_LINE = 100;

/** How wide a help may be on a stream; 80 where there is no window. */
export function helpWidth({ columns }: Pick<NodeJS.WriteStream, "columns">): number {
  return Math.min(columns || 80, LONGEST_LINE);
}

/** A text for people on a stream, broken between its words where the window is narrow. */
export function wrapped(text: string, stream: Pick<NodeJS.WriteStream, "columns">): string {
  const width = helpWidth(stream);
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, width))
    .join("\n");
}

function wrapLine(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const words = line.trimStart();
  const indent = line.slice(0, line.length - words.length);
  const lines: string[] = [];
  let current = indent;
  for (const word of words.split(" ")) {
    const next = current.trim() === "" ? current + word : `${current} ${word}`;
    if (next.length > width && current.trim() !== "") {
      lines.push(current);
      current = indent === "" ? word : `${indent}  ${word}`;
    } else current = next;
  }
  return [...lines, current];
}
