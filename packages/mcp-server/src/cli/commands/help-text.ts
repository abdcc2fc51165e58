import type { Io } from "../../host/io.js";

/** Lines of a help are no longer, however wide the window is. */
const LONGEST_LINE = 100;

/** How wide a help may be on a stream; 80 where there is no window. */
export function helpWidth({ columns }: Pick<NodeJS.WriteStream, "columns">): number {
  return Math.min(columns || 80, LONGEST_LINE);
}

/** A text below a help, broken between its words where the window is narrow. */
export function wrapped(text: string, { stdout }: Pick<Io, "stdout">): string {
  const width = helpWidth(stdout);
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, width))
    .join("\n");
}

function wrapLine(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const indent = " ".repeat(line.length - line.trimStart().length + 2);
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const next = current === "" ? `${lines.length > 0 ? indent : ""}${word}` : `${current} ${word}`;
    if (next.length > width && current.trim() !== "") {
      lines.push(current);
      current = `${indent}${word}`;
    } else current = next;
  }
  return [...lines, current];
}
