/** Marks in a text that are not of its words. */

export const LINE_MARK_BEGINS = "#-*+•>";
/** `>5` at the beginning of a line is more than 5. */
export const LINE_MARK = /(?:#{1,6}|[-*+•])(?=\s)|>(?!\d)/y;
/** The line between the head and the body of a table. */
export const TABLE_RULE_BEGINS = " :|-";
export const TABLE_RULE = /[ :|-]{3,999}(?=[\r\n]|$)/y;
/** `[12]`, `[1, 2]`, `[^3]`, `[a]`, `[note 4]`, `[citation needed]`; `[T]he` is a word. */
export const FOOTNOTE =
  /\[(?:\^?\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,4}|\^?[a-z](?=\](?![a-z]))|(?:note|nb|n|fn|ref)\.?\s?\d{1,3}|citation needed)\]/iy;
export const LINK_TARGET = /\]\((?:https?:|mailto:|[/#.<])[^\s()]{0,1000}(?:\s"[^"\n]{0,200}")?\)/y;
/** The target of a link to a file beside the page. */
export const LINK_FILE =
  /\]\((?:[\w%/-]{0,60}\.){1,6}(?:md|mdx|rst|adoc|txt|html?|pdf|png|jpe?g|svg|gif|webp)(?:#[\w%.-]{0,100})?\)/iy;
/** The name of a link's target, which stands elsewhere in the file. */
export const LINK_REFERENCE = /\]\[[^[\]\n]{0,100}\]/y;
/** An address that stands as it is in Markdown. */
export const ADDRESS = /<(?:https?:\/\/|\/|mailto:)[^\s<>]{1,1000}>/y;
/** Elements of HTML inside of lines, in feeds and in Markdown; none that raises or lowers figures. */
export const TAG =
  /<\/?(?:a|abbr|b|big|br|cite|code|dfn|em|font|i|ins|kbd|li|mark|p|q|small|span|strong|tt|u|ul|var|wbr)(?:\s[^<>]{0,1000})?\/?>|<!\[CDATA\[|\]\]>/iy;
/** Those of them that end a line. */
export const LINE_TAG = /^<\/?(?:br|li|p|ul)\b/i;
/** A raised note, as the text of a page holds it. */
export const RAISED_NOTE = /\^\((?:[a-z]|\*{1,3}|\d{1,3}(?:,\s?\d{1,3}){1,4})\)/iy;

const PLAIN = "0123456789+-";
const SMALL = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉₊₋";
/** Raised as well, between the marks of two notes. */
export const BETWEEN_NOTES = /\^\([,;]\)/y;

/** The plain figures and signs of raised and lowered ones. */
export const SMALL_FIGURES = new Map(
  Array.from(SMALL, (char, at) => [char.charCodeAt(0), PLAIN.charCodeAt(at % PLAIN.length)]),
);

/** The raised or lowered form of a figure or a sign. */
export function smallFigure(char: string, isRaised: boolean): string {
  const at = PLAIN.indexOf(char === "−" ? "-" : char);
  return SMALL[at + (isRaised ? 0 : PLAIN.length)] ?? char;
}
const LOWERED_FROM = 0x2080;

/** Whether a small figure is raised. */
export function isRaised(unit: number): boolean {
  return unit < LOWERED_FROM;
}

/** Letters of a word that takes a power: `km²`. */
const POWER_LETTERS = 3;
/** Longer ones that do. */
const MEASURES = /(?:m[eéè]t(?:re|er)s?|metr[aio]s?|feet|foot|miles?|yards?|inch(?:es)?|метр\p{L}{0,3})$/iu;

/** Whether a raised figure behind some words is the mark of a note, and no power. */
export function isNoteMark(before: string): boolean {
  const words = before.replace(/[⁰¹²³⁴-⁹]{1,3}$/, "");
  const word = /\p{L}{1,30}$/u.exec(words.slice(-30))?.[0];
  if (word === undefined) return /[\p{L})][.,;:!?"'”’»]{1,3}$/u.test(words);
  return word.length > POWER_LETTERS && !MEASURES.test(word);
}
