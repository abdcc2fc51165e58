import { decodeXML } from "entities";
import { htmlToMarkdown } from "./html-markdown.js";

const SECTION = "<![CDATA[";
const SECTION_END = "]]>";
const ELEMENT =
  /<\/(?:a|abbr|article|b|big|blockquote|cite|code|dd|del|div|dl|dt|em|figcaption|figure|font|h[1-6]|i|ins|li|ol|p|pre|q|s|section|small|span|strong|sub|sup|table|td|tr|u|ul)>|<(?:br|hr|img|p)[\s/>]|<!--/i;
/** Atom names its content so when elements of HTML stand in it as they are. */
const MAY_BE_XHTML = /<(content|summary|title|rights|subtitle)\s/g;
const XHTML = /type\s?=\s?["']xhtml["']/;
const MAX_TAG = 500;
const MAX_CHARACTERS = 1_500_000;

/** XML with the HTML that feeds hold, as CDATA, escaped or inside of `xhtml`, written as the text that a reader sees. */
export function withEmbeddedHtml(xml: string, baseUrl: string): string {
  const shown = (html: string) => textOf(html, baseUrl);
  return inSections(inXhtml(xml, shown), (content, isSection) => {
    if (isSection) return ELEMENT.test(content) ? `${SECTION}${shown(content)}${SECTION_END}` : undefined;
    return content.includes("&lt;") ? inTexts(content, shown) : undefined;
  });
}

/** JSON with the HTML that its texts hold written as the text that a reader sees. */
export function withHtmlOfJson(json: string, baseUrl: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = json.indexOf('"'); at !== -1; at = json.indexOf('"', from)) {
    const end = endOfLiteral(json, at);
    pieces.push(json.slice(from, at), withoutHtml(json.slice(at, end), baseUrl));
    from = end;
  }
  return pieces.join("") + json.slice(from);
}

function endOfLiteral(json: string, start: number): number {
  let end = start + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === "\\" ? 2 : 1;
  return Math.min(end + 1, json.length);
}

function withoutHtml(literal: string, baseUrl: string): string {
  if (!/<|\\u003c/i.test(literal)) return literal;
  const text = parsed(literal);
  return text !== undefined && ELEMENT.test(text) ? JSON.stringify(textOf(text, baseUrl)) : literal;
}

/** The text of a literal; `undefined` for what is no JSON. */
function parsed(literal: string): string | undefined {
  try {
    return JSON.parse(literal);
  } catch {
    return undefined;
  }
}

function textOf(html: string, baseUrl: string): string {
  return htmlToMarkdown(html, { baseUrl, maxCharacters: MAX_CHARACTERS, links: false }).text;
}

/** Gives each section of CDATA, and what stands between them, another content; `undefined` leaves it. */
function inSections(xml: string, exchange: (content: string, isSection: boolean) => string | undefined): string {
  const pieces: string[] = [];
  for (let at = 0; at < xml.length; ) {
    const start = xml.indexOf(SECTION, at);
    const between = xml.slice(at, start === -1 ? undefined : start);
    pieces.push(exchange(between, false) ?? between);
    if (start === -1) break;
    const end = xml.indexOf(SECTION_END, start);
    const content = xml.slice(start + SECTION.length, end === -1 ? undefined : end);
    pieces.push(exchange(content, true) ?? `${SECTION}${content}${end === -1 ? "" : SECTION_END}`);
    at = end === -1 ? xml.length : end + SECTION_END.length;
  }
  return pieces.join("");
}

/** Exchanges the texts between elements that hold escaped HTML. */
function inTexts(xml: string, shown: (html: string) => string): string {
  return xml
    .split("<")
    .map((piece) => {
      const text = piece.slice(piece.indexOf(">") + 1);
      if (!text.includes("&lt;")) return piece;
      const html = decodeXML(text);
      return ELEMENT.test(html) ? piece.slice(0, piece.length - text.length) + shown(html) : piece;
    })
    .join("<");
}

function inXhtml(xml: string, shown: (html: string) => string): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { 1: name, index } of xml.matchAll(MAY_BE_XHTML)) {
    const start = xml.slice(index, index + MAX_TAG).indexOf(">") + index + 1;
    if (index < from || start === index || !XHTML.test(xml.slice(index, start))) continue;
    const end = xml.indexOf(`</${name}>`, start);
    if (end === -1) break;
    pieces.push(xml.slice(from, start), shown(xml.slice(start, end)));
    from = end;
  }
  return pieces.join("") + xml.slice(from);
}
