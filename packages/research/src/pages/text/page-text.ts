import { MAIN_PART_END, PART_BOUNDARY } from "../../quotes/part-boundary.js";
import { type Article, takeArticle } from "./article.js";
import { decodeText } from "./decode-text.js";
import { withEmbeddedHtml, withHtmlOfJson } from "./embedded-html.js";
import { type HtmlText, type HtmlToMarkdownOptions, htmlToMarkdown } from "./html-markdown.js";
import { type PageBytes, type PageText, UnreadablePageError } from "./page-bytes.js";
import { PageDocument } from "./page-document.js";
import { kindOf, type PageKind } from "./page-kind.js";
import { styleSheetOf } from "./style-sheet.js";
import { withoutUnseen } from "./unseen.js";
import { withoutComments } from "./xml-comments.js";

/** Characters of the whole page, and of its main part. */
const MAX_CHARACTERS = 1_500_000;
/** Characters of HTML that the main part is searched in; what is made to take long takes the square of them. */
const MAX_SEARCHED = 200_000;
/** A shorter part is not what the page is about. */
const MIN_MAIN_PART = 250;
/** Only a page with one of these may have a main part that it names, or readings of characters. */
const MAY_HAVE_PARTS = /<(?:main|article|rt)[\s/>]|role\s?=\s?["']?main/i;
/** The search for the main part takes time that grows with the square of the depth; pages of people have less. */
const MAX_DEPTH = 250;

/** Makes the text of a page. Throws an {@link UnreadablePageError} for what is no text. */
export async function makePageText({ url, bytes, contentType }: PageBytes): Promise<PageText> {
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim());
  const charset = /^charset\s*=\s*"?([^"\s]{1,40})/i.exec(parameters.find((part) => /^charset/i.test(part)) ?? "")?.[1];
  const kind = kindOf(type.toLowerCase(), bytes);
  if (kind === undefined) throw new UnreadablePageError(`cannot be read as text: it is ${type || "of no known type"}`);
  if (kind === "pdf") return readPdf(bytes);
  const decoded = decodeText(bytes, charset, kind);
  const page = kind === "html" ? readHtml(decoded, url) : readPlain(decoded, kind, { type, url });
  if (page.text.trim() === "") throw new UnreadablePageError("holds no text; a script may put it there");
  return page;
}

function readHtml(html: string, url: string): PageText {
  const options = { baseUrl: url, maxCharacters: MAX_CHARACTERS };
  const sheet = styleSheetOf(html);
  const only = sheet === undefined ? readOnce(html, options) : undefined;
  return only === undefined ? readParts(html, { ...options, sheet }) : withFacts(only.text, only);
}

function withFacts(
  text: string,
  { title, author, published }: { [name in "title" | "author" | "published"]?: string | undefined },
): PageText {
  return {
    text,
    ...(title !== undefined && { title: title.slice(0, 500) }),
    ...(author !== undefined && { author }),
    ...(published !== undefined && { published }),
  };
}

/** A long page that is one part; `undefined` for others: of these several texts are made. */
function readOnce(html: string, options: Omit<HtmlToMarkdownOptions, "links">): HtmlText | undefined {
  if (html.length <= MAX_SEARCHED || MAY_HAVE_PARTS.test(html)) return undefined;
  const read = htmlToMarkdown(html, { ...options, links: true });
  return read.part === undefined && !read.hasReadings && !read.isCut ? read : undefined;
}

function readParts(html: string, { sheet: all, ...options }: Omit<HtmlToMarkdownOptions, "links">): PageText {
  const page = html.length <= MAX_SEARCHED ? new PageDocument(html) : html;
  const { whole, sheet } = readWhole(page, { ...options, sheet: all });
  const read = (more: Pick<HtmlToMarkdownOptions, "links" | "readings">) =>
    htmlToMarkdown(html, { ...options, sheet, ...more }).text;
  const main = whole.depth > MAX_DEPTH ? undefined : mainPartOf(page, whole, { ...options, sheet });
  const { title = whole.title, author = whole.author, published = whole.published } = main ?? {};
  const isOnePart = main === undefined && !whole.hasReadings;
  const reading = main?.text ?? read({ links: true });
  // With the readings of characters, and without: a reader may copy either.
  const quotable = whole.hasReadings
    ? [whole.text, PART_BOUNDARY, read({ links: false, readings: true })]
    : [whole.text];
  const text = isOnePart ? reading : [reading, MAIN_PART_END, ...quotable].join("\n");
  return withFacts(text, { title, author, published });
}

/** The whole page without what its style sheets hide; where that is most of it, scripts will show it. */
function readWhole(page: string | PageDocument, { sheet, ...options }: Omit<HtmlToMarkdownOptions, "links">) {
  const seen = htmlToMarkdown(page, { ...options, sheet, links: false });
  if (!seen.isHiddenBySheet) return { whole: seen };
  const all = htmlToMarkdown(page, { ...options, links: false });
  return seen.text.length < all.text.length / 2 ? { whole: all } : { whole: seen, sheet };
}

/** What the page is about; of a long page, which would take seconds to search, the element that says it is that. */
function mainPartOf(
  page: string | PageDocument,
  { part }: HtmlText,
  { sheet, ...options }: Omit<HtmlToMarkdownOptions, "links">,
): (Omit<Article, "content"> & { text: string }) | undefined {
  if (typeof page !== "string") {
    const { content, ...facts } = takeArticle(page, sheet) ?? {};
    return content && { ...facts, text: htmlToMarkdown(content, { ...options, links: true }).text };
  }
  const text = part && htmlToMarkdown(page, { ...options, sheet, links: true, part }).text;
  return text === undefined || text.length < MIN_MAIN_PART ? undefined : { text };
}

function plainText(decoded: string): PageText {
  const seen = withoutUnseen(decoded).replaceAll("\r\n", "\n");
  const start = seen.length - seen.trimStart().length;
  const text = seen.slice(start, start + MAX_CHARACTERS).trimEnd();
  return { text, firstLine: seen.slice(0, start).split("\n").length };
}

/** The text of the file, whose lines are told; where HTML inside of it is written as its text, they are other ones. */
function readPlain(decoded: string, kind: PageKind, { type, url }: { type: string; url: string }): PageText {
  if (kind !== "xml" && !type.endsWith("json")) return plainText(decoded);
  const file = kind === "xml" ? withoutComments(decoded) : decoded;
  const shown = kind === "xml" ? withEmbeddedHtml(file, url) : withHtmlOfJson(file, url);
  const { firstLine, text } = plainText(kind === "xml" ? shown : withoutEscapes(shown));
  return { text, ...(shown === file && firstLine !== undefined && { firstLine }) };
}

const ESCAPE = /\\(?:u([\dA-Fa-f]{4})|.)/gs;

/** JSON with the characters that its escapes stand for; it stays JSON, but for the lines of its texts, which blanks part. */
function withoutEscapes(json: string): string {
  return json.replace(ESCAPE, (written, code?: string) => {
    if (code !== undefined) return escapedCharacter(written, Number.parseInt(code, 16));
    if (written === "\\/") return "/";
    return written === "\\n" || written === "\\t" ? " " : written;
  });
}

/** A control character, a quotation mark and a backslash stay escaped. */
function escapedCharacter(written: string, unit: number): string {
  return unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit >= 0x7f && unit < 0xa0)
    ? written
    : String.fromCharCode(unit);
}

async function readPdf(bytes: Uint8Array): Promise<PageText> {
  const { pdfToText } = await import("./pdf.js");
  try {
    const pdf = await pdfToText(bytes, MAX_CHARACTERS);
    if (pdf.text.trim() === "") throw new UnreadablePageError("is a PDF without text: its pages are pictures");
    return pdf;
  } catch (error) {
    if (error instanceof UnreadablePageError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreadablePageError(`cannot be read as PDF: ${reason.slice(0, 200)}`);
  }
}
