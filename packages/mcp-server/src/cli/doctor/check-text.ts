import { plainText } from "../../text/plain-text.js";
import { layOut } from "../terminal/layout.js";
import type { Screen } from "../terminal/paint.js";
import type { Check } from "./check.js";

/** What was looked at, and below it what to do. */
export function checkText({ name, status, summary, fix }: Check, { paint, columns }: Screen): string {
  const sign = { ok: paint.green("✓"), warning: paint.yellow("!"), failed: paint.red("✗") }[status];
  const first = `${sign} ${paint.bold(name.padEnd(12))} `;
  const lines = layOut(plainText(summary), { columns, first });
  for (const text of plainText(fix ?? "").split("\n")) {
    if (text !== "") lines.push(...layOut({ text, style: paint.dim }, { columns, first: " ".repeat(15) }));
  }
  return lines.join("\n");
}
