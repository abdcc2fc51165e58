import pc from "picocolors";
import { hyperlink, knowsHyperlinks } from "./hyperlinks.js";
import type { Style } from "./layout.js";

/** Colours of the terminal, or none. */
type Paint = ReturnType<typeof pc.createColors>;

/** What can be shown on a stream. */
export interface Screen {
  paint: Paint;
  /** Cells of a line; a terminal that does not know says 0. */
  columns: number;
  /** Makes text lead to an address, where the terminal knows links. */
  link(url: string): Style;
}

/** A stream's colours and width; `NO_COLOR` and `FORCE_COLOR` have the last word. */
export function screenOf(
  stream: { isTTY?: boolean; columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): Screen {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  const colors = NO_COLOR ? false : FORCE_COLOR ? FORCE_COLOR !== "0" : stream.isTTY === true && TERM !== "dumb";
  return {
    paint: pc.createColors(colors),
    columns: Math.max(20, stream.columns || 80),
    link: knowsHyperlinks(stream, env) ? hyperlink : () => (text) => text,
  };
}
