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
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|\u034f/gu;

/** Marks that shape the character before them, and that nobody sees behind any other one: joiners and selectors. */
const SHAPING = /(?:[\u180b-\u180d\u180f\u200c]|\u200d|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])+/gu;

/** What takes a joiner: pictures, and scripts in which letters hold together. */
const JOINED =
  /\ufe0f|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** What takes a selector: pictures and keys, and signs and letters that have more than one shape. */
const SELECTED =
  /[\p{Emoji}\p{Extended_Pictographic}\p{Sm}、。！，．：；？\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Phags_Pa}]/u;
const IDEOGRAPH = /\p{Script=Han}/u;

function shapes(mark: string, before: string): boolean {
  if (mark === "\u200c" || mark === "\u200d") return JOINED.test(before);
  return (mark > "\uffff" ? IDEOGRAPH : SELECTED).test(before);
}

/** Each mark that nobody sees, and that does nothing for what is seen, as `shown` gives it. */
export function replaceUnseen(text: string, shown: (mark: string) => string): string {
  return text.replace(UNSEEN, shown).replace(SHAPING, (marks, offset: number, whole: string) => {
    let before = [...whole.slice(Math.max(0, offset - 2), offset)].at(-1) ?? "";
    let kept = "";
    for (const mark of marks) {
      const isKept = shapes(mark, before);
      kept += isKept ? mark : shown(mark);
      if (isKept) before = mark;
    }
    return kept;
  });
}

/** Text of a model or a page without what could move the cursor, colour the screen or hide what is written. */
export function plainText(text: string): string {
  return replaceUnseen(text.replace(SEQUENCES, "").replace(LINE_ENDS, "\n"), () => "");
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
