/** A Markdown table: the first column is text, the others are numbers. */
export function table(head, body) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? "---" : "--:"))), ...body.map(line)].join("\n");
}
