import { layOut, type Style } from "./layout.js";
import type { Screen } from "./paint.js";

/** How a heading looks. Without colours it begins as it does in Markdown, or nobody would see that it is one. */
export function headingLook(depth: number, { paint }: Pick<Screen, "paint">): { first: string; style: Style } {
  if (!paint.isColorSupported) return { first: `${"#".repeat(depth)} `, style: (text) => text };
  return { first: "", style: depth <= 2 ? (text) => paint.bold(paint.cyan(text)) : paint.bold };
}

/** The heading of a part that stands below a report. */
export function partTitle(text: string, screen: Pick<Screen, "paint" | "columns">): string {
  const { first, style } = headingLook(2, screen);
  return layOut({ text, style }, { columns: screen.columns, first }).join("\n");
}
