import { isBlank, isProse, isQuotedFence, stretchesOf, writtenPlainly } from "./agreed-code.js";
import { codeSpansOf } from "./code-spans.js";
import { isGoodDefinition, leadsSomewhere, pathInAngles, QuotesInAddresses } from "./written-links.js";

/**
 * Markdown that a host may show: images are links, HTML is text, and a link leads to the web, to mail, within the page
 * or nowhere. What would mean more is escaped, so that it is harmless as text and as code: entities serve, since some
 * readers take a backslash for the end of an address before it. What every reader takes for code stays as it is.
 *
 * @param text Free of control characters (`plainText`).
 */
export function safeMarkdown(text: string): string {
  if (!needsLook(text)) return text;
  return stretchesOf(text)
    .flatMap((stretch) =>
      stretch.code === undefined
        ? paragraphsOf(stretch.lines.map(withoutQuotedInfo)).map(escaped)
        : writtenPlainly(stretch.code, stretch.lines),
    )
    .join("\n");
}

/** Most reports need none. */
function needsLook(text: string): boolean {
  return text.search(MAY_ACT) >= 0 || text.split("\n").some(isQuotedFence);
}

/**
 * Marks that begin what may load, run or lead somewhere: all but those of an address of the web or of mail that is written
 * in the plainest way.
 */
export const MAY_ACT =
  /!(?=\[)|<(?!(?:https?:\/\/[^\s"'<>`\\=]*|(?:mailto:)?[a-z\d.+_-]{1,64}@[a-z\d.-]{1,255})>)(?=[a-z/!?])|\](?=:|[ \t]+\(|\((?!https?:\/\/[^\s"()<>[\]\\]*[ \t\n)]))/gi;

/** What stands behind a fence goes into an attribute of HTML, and some readers let a quotation mark in it end that. */
function withoutQuotedInfo(line: string): string {
  return isQuotedFence(line) ? line.replaceAll('"', "&quot;") : line;
}

/**
 * Lines up to blank ones, which end whatever stands in a line, unless what follows is indented: in an item, one reader takes
 * that for more of the paragraph.
 */
function paragraphsOf(lines: readonly string[]): string[] {
  const paragraphs: string[][] = [[]];
  let wasBlank = false;
  for (const line of lines) {
    const blank = isBlank(line);
    if (wasBlank && !blank && !INDENTED.test(line)) paragraphs.push([line]);
    else paragraphs.at(-1)?.push(line);
    wasBlank = blank;
  }
  return paragraphs.map((paragraph) => paragraph.join("\n"));
}

const INDENTED = /^(?: {4}| {0,3}\t)/;

/**
 * What begins a tag, a comment, a declaration or an instruction, but no address in angles. One in which a reader that takes
 * it for a tag finds an attribute that acts is none.
 */
const TAG =
  /<(?!https?:\/\/(?![^<>]*[\s/](?:on\w+|style)\s*=)[^"'<>`]*>|(?:mailto:)?[a-z\d.+_-]{1,64}@[^\s"'<>`/]{1,255}>)[a-z/!?]/iy;

/** The end of a label with what makes it a link or a definition: some readers allow blanks between. */
const BEHIND_LABEL = /\](?:[ \t]*\(|:)/y;

function escaped(text: string): string {
  const code = codeSpansOf(text);
  const line = new Line();
  const quotes = new QuotesInAddresses(text);
  let safe = "";
  let copied = 0;
  /** Puts this in the place of so many characters. */
  const replace = (at: number, length: number, by: string) => {
    safe += text.slice(copied, at) + by;
    copied = at + length;
  };
  for (let at = 0; at < text.length; at += 1) {
    const end = code.get(at);
    line.read(text.charAt(at));
    if (end !== undefined) {
      at = end - 1;
      continue;
    }
    const next = text[at + 1] ?? "";
    switch (text[at]) {
      case "\\":
        TAG.lastIndex = at + 1;
        if (TAG.test(text)) replace(at, 2, "&lt;");
        if (text.startsWith("![", at + 1)) replace(at, 2, "&#33;");
        // A bracket that ends a link is looked at: where the backslash ends an address it is one.
        if (next !== "]" && next !== "\n") at += 1;
        break;
      case "<":
        TAG.lastIndex = at;
        if (TAG.test(text)) replace(at, 1, "&lt;");
        break;
      case "!":
        // The bracket itself must stay one: without it another one could end a label.
        if (next === "[") replace(at, 1, "&#33;");
        break;
      case "]": {
        BEHIND_LABEL.lastIndex = at;
        const [label = ""] = BEHIND_LABEL.exec(text) ?? [];
        if (label === "") break;
        const start = at + label.length;
        const path = pathInAngles(text, start);
        const behind = start + (path?.length ?? 0);
        const isGood = label.endsWith("(")
          ? leadsSomewhere(`${path?.plain ?? ""}${text.slice(behind, behind + LONGEST_LOOK)} `) && !quotes.isIn(start)
          : line.isInProse || (line.mayDefine() && isGoodDefinition(text, start));
        if (!isGood) replace(start - 1, 0, "\\");
        else if (path !== undefined) {
          replace(start, path.length, path.plain);
          at = behind - 1;
        }
        break;
      }
    }
  }
  return safe + text.slice(copied);
}

/** The start of an address tells whether it is one that may be followed. */
const LONGEST_LOOK = 200;
/** Definitions that may stand in one line: in a footnote is another one. */
const MOST_DEFINITIONS = 2;

/** What a line has shown of itself so far. */
class Line {
  /** Whether the last bracket closed a label, of this line, that text stands before: no definition begins there. */
  isInProse = false;
  #label: "none" | "open" | "closed" = "none";
  #hasProse = false;
  #definitions = 0;

  read(character: string): void {
    switch (character) {
      case "\n":
        this.isInProse = false;
        this.#label = "none";
        this.#hasProse = false;
        this.#definitions = 0;
        break;
      case "[":
        this.#label = "open";
        break;
      case "]":
        this.isInProse = this.#label === "open" && this.#hasProse;
        this.#label = this.#label === "open" ? "closed" : "none";
        break;
      default:
        if (this.#label !== "open" && !this.#hasProse) this.#hasProse = isProse(character);
    }
  }

  /** Whether a definition that begins in this line ends its label here. */
  mayDefine(): boolean {
    this.#definitions += 1;
    return this.#label === "closed" && this.#definitions <= MOST_DEFINITIONS;
  }
}
