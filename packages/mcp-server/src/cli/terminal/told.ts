import type { Io } from "../../host/io.js";
import { layOut } from "./layout.js";
import { screenOf } from "./paint.js";

const COLOURS = { "✓": "green", "!": "yellow", "✗": "red" } as const;

/** What a command tells a person, behind a sign: broken between words in a window, elsewhere as it is, for programs. */
export function told(
  sign: keyof typeof COLOURS | "?" | "-" | " " | "",
  text: string,
  stream: Pick<Io["stdout"], "isTTY" | "columns">,
  env: Io["env"],
): string {
  const { paint, columns } = screenOf(stream, env);
  const shown = sign in COLOURS ? paint[COLOURS[sign as keyof typeof COLOURS]](sign) : sign;
  const first = sign === "" ? "" : `${shown} `;
  if (!stream.isTTY) return `${first}${text.replaceAll("\n", sign === "" ? "\n" : "\n  ")}\n`;
  return `${layOut(text, { columns, first, wholeWords: true }).join("\n")}\n`;
}
