import type { Failure } from "../../jobs/failure.js";
import { plainText } from "../../text/plain-text.js";
import { layOut } from "./layout.js";
import type { Screen } from "./paint.js";

/** What happened, and below it what to do. */
export function failureText({ code, message, details, reason }: Failure, { paint, columns }: Screen): string {
  const sign = code === "CANCELLED" ? paint.yellow("■") : paint.red("✗");
  const shown =
    code === "CANCELLED" || code === "INVALID_INPUT" ? "" : ` (${[code, reason].filter(Boolean).join(", ")})`;
  const lines = layOut([plainText(message), { text: shown, style: paint.dim }], { columns, first: `${sign} ` });
  for (const line of plainText(details ?? "").split("\n")) {
    if (line.trim() !== "") lines.push(...layOut(line, { columns, first: "  " }));
  }
  return `${lines.join("\n")}\n`;
}
