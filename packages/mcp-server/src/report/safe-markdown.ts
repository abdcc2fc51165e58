import { isBlank, isProse, stretchesOf } from "./agreed-code.js";
import { codeSpansOf } from "./code-spans.js";
import { isGoodDefinition, leadsSomewhere, pathInAngles } from "./written-links.js";

/**
 * Markdown that a host may show: images are links, HTML is text, and a link leads to the web, to mail, within the page
 * or nowhere. What would mean more is escaped, so that it is harmless as text and as code: entities serve, since some
 * readers take a backslash for the end of an address before it. What every reader takes for code stays as it is.
 *
 * @param text Free of control characters (`plainText`).
 */
export function safeMarkdown(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return stretchesOf(text)
    .map(({ isCode, lines }) => (isCode ? lines : paragraphsOf(lines).map(escaped)).join("\n"))
    .join("\n");
}

/** Texts without any of these need no look: most reports have none. */
const SUSPICIOUS = /!\[|<(?!https?:\/\/)[a-z/!?]|\]\((?!https?:\/\/)|\]:/i;

/** Lines between blank ones, which end whatever stands in a line. Blank lines are by themselves. */
function paragraphsOf(lines: readonly string[]): string[] {
  const paragraphs: string[][] = [];
  let wasBlank = true;
  for (const line of lines) {
    const blank = isBlank(line);
    if (blank || wasBlank) paragraphs.push([line]);
    else paragraphs.at(-1)?.push(line);
    wasBlank = blank;
  }
  return paragraphs.map((paragraph) => paragraph.join("\n"));
}

/** What begins a tag, a comment, a declaration or an instruction, but no address in angles. */
const TAG = /<(?!https?:\/\/|mailto:|[a-z\d.+_-]{1,64}@)[a-z/!?]/iy;

function escaped(text: string): string {
  const code = codeSpansOf(text);
  const line = new Line();
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
        const isLink = next === "(";
        if (!isLink && next !== ":") break;
        const isGood = isLink
          ? leadsSomewhere(`${text.slice(at + 2, at + 2 + LONGEST_LOOK)} `)
          : line.isInProse || (line.mayDefine() && isGoodDefinition(text, at + 2));
        const path = isGood ? pathInAngles(text, at + 2) : undefined;
        if (!isGood) replace(at + 1, 0, "\\");
        if (path === undefined) break;
        replace(at + 2, path.length, path.plain);
        at += 1 + path.length;
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
