import type { Failure } from "../jobs/failure.js";
import { plainText } from "../text/plain-text.js";
import { wrapped } from "./terminal/markdown.js";
import type { Screen } from "./terminal/paint.js";

/** What happened, and below it what to do. */
export function failureText({ code, message, details }: Failure, { paint, columns }: Screen): string {
  const sign = code === "CANCELLED" ? paint.yellow("■") : paint.red("✗");
  const shown = code === "CANCELLED" || code === "INVALID_INPUT" ? "" : paint.dim(` (${code})`);
  const lines = wrapped(`${plainText(message)}${shown}`, columns, `${sign} `);
  for (const line of plainText(details ?? "")
    .split("\n")
    .filter((text) => text.trim() !== ""))
    lines.push(...wrapped(line, columns, "  "));
  return `${lines.join("\n")}\n`;
}
