import { withTexts } from "../text/clean.js";
import { plainText } from "../text/plain-text.js";
import { safeMarkdown } from "./safe-markdown.js";

declare const safe: unique symbol;

/** A value whose texts do nothing where they are shown: {@link outgoing} made it. */
export type Outgoing<T> = T & { readonly [safe]: true };

/**
 * A value as it may leave the server: no text of it, the names of members included, steers a terminal, hides from a reader,
 * or loads or runs something where a host shows it as Markdown.
 */
export function outgoing<T>(value: T): Outgoing<T> {
  return withTexts(value, outgoingText) as Outgoing<T>;
}

export function outgoingText(text: string): string {
  return safeMarkdown(plainText(text));
}
