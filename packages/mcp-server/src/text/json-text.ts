import { replaceUnseen } from "./plain-text.js";

/**
 * JSON that is safe to be read in a terminal too: what a terminal could obey, or nobody would see, is written as
 * an escape. `JSON.stringify` escapes the first 32 control characters alone.
 */
export function jsonText(value: unknown): string {
  return `${replaceUnseen(JSON.stringify(value, null, 2), escapeOf)}\n`;
}

function escapeOf(mark: string): string {
  return mark
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
