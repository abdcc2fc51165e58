import type { Failure } from "../../jobs/failure.js";
import { rowOf } from "../../jobs/troubleshooting.js";
import { plainText } from "../../text/plain-text.js";
import { layOut } from "./layout.js";
import type { Screen } from "./paint.js";

/** What happened, below it what to do, and where more stands. */
export function failureText(failure: Failure, { paint, columns }: Screen): string {
  const { code, message, details, reason } = failure;
  const row = rowOf(failure);
  const sign = code === "CANCELLED" ? paint.yellow("■") : paint.red("✗");
  const shown =
    code === "CANCELLED" || code === "INVALID_INPUT" ? "" : ` (${[code, reason].filter(Boolean).join(", ")})`;
  const lines = layOut([plainText(message), { text: shown, style: paint.dim }], {
    columns,
    first: `${sign} `,
    wholeWords: true,
  });
  for (const line of plainText(details ?? "").split("\n")) {
    if (line.trim() !== "") lines.push(...layOut(line, { columns, first: "  ", wholeWords: true }));
  }
  if (row !== undefined)
    lines.push(...layOut({ text: row, style: paint.dim }, { columns, first: "  ", wholeWords: true }));
  return `${lines.join("\n")}\n`;
}
