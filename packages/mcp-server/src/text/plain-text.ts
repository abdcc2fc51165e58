/**
 * Escape sequences of a terminal, the text of those that carry one included. None begins inside another one, so that
 * every character is looked at once.
 */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[PX\]^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\n\u0080-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;

/** What ends a line and is not `\n`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const LINE_ENDS = /\r\n|[\u000b-\r\u0085\u2028\u2029]/g;

/** Control characters but newline and tab, and marks that nobody sees: they turn the text around or hide a message. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Text of a model or a page without what could move the cursor, colour the screen or hide what is written. */
export function plainText(text: string): string {
  return text.replace(SEQUENCES, "").replace(LINE_ENDS, "\n").replace(UNSEEN, "");
}

/** The same, in one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}

/** The same, of at most `max` characters: a longer one is cut, between words where it can be, and ends in `…`. */
export function shortLine(text: string, max: number): string {
  const line = plainLine(text);
  if (line.length <= max) return line;
  const cut = line.slice(0, max - 1);
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > max - LONGEST_WORD ? space : wholeEnd(cut))}…`;
}

/** A word that is longer is cut. */
const LONGEST_WORD = 20;

/** The length of a text, less one when it would end in the middle of a character. */
function wholeEnd(text: string): number {
  const code = text.charCodeAt(text.length - 1);
  return code >= 0xd800 && code <= 0xdbff ? text.length - 1 : text.length;
}
