import stringWidth from "fast-string-width";

const PRINTABLE_ASCII = /^[ -~]*$/;
/** A sequence of a terminal, or characters that may be joined to one: without any, a text is as wide as its characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const JOINED = /[\u001b\u009b]|\u200d|\ufe0f|[\ud800-\udfff]/;
/** A longer text is broken into lines: its characters are measured, and what they are together is not. */
const LONGEST = 10_000;

/** Cells that a text takes; sequences that colour or link it take none. */
export function widthOf(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  if (text.length < LONGEST && JOINED.test(text)) return stringWidth(text);
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width;
}

/** Cells of each character, and 1; 0 where that is not known yet. A long text has the same few again and again. */
let known: Uint8Array | undefined;

/** Cells that one character takes by itself. */
export function widthOfCharacter(character: string): number {
  known ??= new Uint8Array(0x110000);
  const code = character.codePointAt(0) ?? 0;
  known[code] ||= stringWidth(character) + 1;
  return (known[code] as number) - 1;
}
