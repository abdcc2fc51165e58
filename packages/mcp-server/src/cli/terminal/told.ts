import type { Io } from "../../host/io.js";
import { layOut } from "./layout.js";
import { screenOf } from "./paint.js";

const COLOURS = { "✓": "green", "!": "yellow", "✗": "red" } as const;

/** What a command tells a person, behind a sign: broken between words in a window, elsewhere one line, as programs read it. */
export function told(
  sign: keyof typeof COLOURS | "?" | "-" | " " | "",
  text: string,
  stream: Pick<Io["stdout"], "isTTY" | "columns">,
  env: Io["env"],
): string {
  const { paint, columns } = screenOf(stream, env);
  const shown = sign in COLOURS ? paint[COLOURS[sign as keyof typeof COLOURS]](sign) : sign;
  const width = stream.isTTY ? columns : Number.POSITIVE_INFINITY;
  const first = sign === "" ? "" : `${shown} `;
  return `${layOut(text, { columns: width, first, wholeWords: true }).join("\n")}\n`;
}
