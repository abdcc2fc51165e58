import { plainText } from "../../text/plain-text.js";
import { layOut } from "../terminal/layout.js";
import type { Screen } from "../terminal/paint.js";
import type { Check } from "./check.js";

const SIGNS = {
  ok: (paint: Screen["paint"]) => paint.green("✓"),
  warning: (paint: Screen["paint"]) => paint.yellow("!"),
  unknown: (paint: Screen["paint"]) => paint.yellow("?"),
  failed: (paint: Screen["paint"]) => paint.red("✗"),
};

/** What was looked at, and below it what to do. */
export function checkText({ name, status, summary, fix }: Check, { paint, columns }: Screen): string {
  const first = `${SIGNS[status](paint)} ${paint.bold(name.padEnd(12))} `;
  const lines = layOut(plainText(summary), { columns, first, wholeWords: true });
  for (const text of plainText(fix ?? "").split("\n")) {
    if (text !== "")
      lines.push(...layOut({ text, style: paint.dim }, { columns, first: " ".repeat(15), wholeWords: true }));
  }
  return lines.join("\n");
}
