import { withTexts } from "../text/clean.js";
import { plainText } from "../text/plain-text.js";
import { MAY_ACT, safeMarkdown } from "./safe-markdown.js";

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

/**
 * JSON of it that does nothing either where a host shows it as Markdown, to which what is code in one member is text behind
 * another: what may act is an escape of JSON, in code too. Plain links stay, for readers and for models.
 */
export function outgoingJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(MAY_ACT, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
}

export function outgoingText(text: string): string {
  return safeMarkdown(plainText(text));
}
