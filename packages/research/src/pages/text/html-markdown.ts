import { ASIDE, BLOCKS, headingLevel, isHidden, LINES, NO_CELL_CONTENT, UNSEEN_ELEMENTS } from "./html-elements.js";
import { InlineWriter } from "./inline-writer.js";
import { MarkdownWriter } from "./markdown-writer.js";
import { isElement, isText, type PageTree } from "./page-document.js";
import { aroundLast, type SelectableElement } from "./selectors.js";
import { MAX_DEPTH, ShallowParser } from "./shallow-parser.js";
import type { StyleSheet } from "./style-sheet.js";
import { TableWriter } from "./table-writer.js";
import { withoutUnseen } from "./unseen.js";

type Attributes = Readonly<Record<string, string>>;

interface List {
  /** The number of the next item; `undefined`: the items have none. */
  next: number | undefined;
}

export interface HtmlToMarkdownOptions {
  /** Address that links are relative to. */
  baseUrl: string;
  /** Characters at most. */
  maxCharacters: number;
  /**
   * Whether the targets of links are written: each once, without the origin when that is the page's. Without them the text
   * has no marks of code either: a sentence is as a reader copies it.
   */
  links: boolean;
  /** Whether the readings of characters (ruby) are written. Default: as links are. */
  readings?: boolean;
  /** What the page's style sheets hide. Default: nothing. */
  sheet?: StyleSheet | undefined;
  /** Writes this element alone, the first of its name. Default: all. */
  part?: PagePart;
}

/** An element that holds what a page is about, by its name or its role. */
type PagePart = "main" | "article";

/** What a page of HTML says. */
export interface HtmlText {
  /** Markdown. */
  text: string;
  /** What its `title` says. */
  title?: string;
  /** As the page says it for programs. */
  author?: string;
  published?: string;
  /** Whether the style sheets hid something. */
  isHiddenBySheet: boolean;
  /** Whether it holds readings of characters. */
  hasReadings: boolean;
  /** How deep its elements stand in each other. */
  depth: number;
  /** Whether it was not read to its end: there is as much text as there may be. */
  isCut: boolean;
  /** The element that says of itself that it holds what the page is about; missing when there is none, or several. */
  part?: PagePart;
}

/**
 * Gives the text of a page that a reader sees, as Markdown: headings, lists, tables with their cells apart, code, links.
 * Emphasis is left out, so that a sentence is quoted as it reads. Reads the page once, in time that grows with it alone.
 *
 * @param page Its HTML, or what was made of it: a tree is worth it for a page that is read several times.
 */
export function htmlToMarkdown(page: string | PageTree, options: HtmlToMarkdownOptions): HtmlText {
  const walk = new HtmlWalk(options);
  if (typeof page === "string") parse(page, walk);
  else follow(page, walk);
  return walk.done();
}

function parse(html: string, walk: HtmlWalk): void {
  const parser = new ShallowParser(
    {
      onopentag: (name, attributes) => walk.open(name, attributes),
      ontext: (text) => walk.text(text),
      onclosetag: (name) => walk.close(name),
    },
    () => walk.depth,
  );
  // In pieces, so that a full writer ends the reading.
  for (let at = 0; at < html.length && !walk.isFull; at += CHUNK) parser.write(html.slice(at, at + CHUNK));
  parser.end();
}

function follow(tree: PageTree, walk: HtmlWalk): void {
  for (let node = tree.firstChild; node !== null; node = node.nextSibling) {
    if (isElement(node)) {
      walk.open(node.localName, node.values);
      follow(node, walk);
      walk.close(node.localName);
    } else if (isText(node)) walk.text(node.textContent);
  }
}

const CHUNK = 65_536;
const MAX_TITLE = 500;
const MAX_SAID = 300;
const PUBLISHED: ReadonlySet<string> = new Set([
  "article:published_time",
  "datePublished",
  "dc.date",
  "DC.date.issued",
  "date",
]);

class HtmlWalk {
  readonly #writer: MarkdownWriter;
  readonly #inline: InlineWriter;
  readonly #tables: TableWriter;
  readonly #lists: List[] = [];
  /** What stands in the title, while that is read. */
  #title: string | undefined;
  #inTitle = false;
  #deepest = 0;
  /** How deep the element stands that is being read. */
  depth = 0;
  /** Open elements of which nothing is seen. */
  #unseen = 0;
  /** The one part that is written; `undefined`: all is. */
  readonly #part: PagePart | undefined;
  /** How deep it stands, once it was met. */
  #partDepth = 0;
  /** What is read now stands before it, or behind. */
  #isOutside: boolean;
  readonly #sheet: StyleSheet | undefined;
  readonly #writesReadings: boolean;
  #hasReadings = false;
  #isHiddenBySheet = false;
  /** Open elements, where selectors ask for them. */
  readonly #open: SelectableElement[] = [];
  /** Something unseen stands so deep that where it ends is not known. */
  #isLost = false;
  readonly #parts = { main: 0, article: 0 };
  readonly #said: { author?: string; published?: string } = {};
  #code: string[] | undefined;

  constructor({ maxCharacters, part, sheet, readings, ...options }: HtmlToMarkdownOptions) {
    this.#sheet = sheet;
    this.#writesReadings = readings ?? options.links;
    this.#part = part;
    this.#isOutside = part !== undefined;
    this.#writer = new MarkdownWriter(maxCharacters);
    this.#inline = new InlineWriter(this.#writer, options);
    this.#tables = new TableWriter(this.#writer);
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  done(): HtmlText {
    const title = this.#title?.replace(/\s+/g, " ").trim();
    const part = (["main", "article"] as const).find((name) => this.#parts[name] === 1);
    return {
      text: this.#writer.done(),
      ...(title && { title }),
      ...this.#said,
      depth: this.#deepest,
      isCut: this.isFull,
      isHiddenBySheet: this.#isHiddenBySheet,
      hasReadings: this.#hasReadings,
      ...(part && { part }),
    };
  }

  text(text: string): void {
    if (this.#inTitle) this.#title = ((this.#title ?? "") + text).slice(0, MAX_TITLE);
    if (this.#unseen > 0 || this.#isOutside || this.#isLost) return;
    if (this.#code !== undefined) this.#code.push(text);
    else this.#writer.text(text);
  }

  open(name: string, attributes: Attributes): void {
    this.#deepest = Math.max(this.#deepest, ++this.depth);
    if (this.#sheet !== undefined) this.#open.push({ name, attributes });
    if (this.#unseen > 0 || this.#isUnseen(name, attributes)) {
      this.#isLost ||= this.depth > MAX_DEPTH;
      // Of several the first is the page's; those inside of drawings come later.
      this.#inTitle = name === "title" && this.#unseen === 0 && this.#title === undefined;
      this.#unseen++;
      return;
    }
    if (name === "meta") this.#hearMeta(attributes);
    const part = partOf(name, attributes);
    if (part !== undefined && this.#parts[part]++ === 0 && part === this.#part) {
      this.#isOutside = false;
      this.#partDepth = this.depth;
    }
    if (this.#isOutside) return;
    if (this.#code !== undefined) {
      if (name === "br") this.#code.push("\n");
      return;
    }
    if (NO_CELL_CONTENT.has(name)) this.#tables.leaveCells();
    this.#openBlock(name, attributes);
    if (ASIDE.has(name) && !this.#inline.isInCode) this.#writer.beginInline();
    this.#inline.open(name, attributes);
  }

  #isUnseen(name: string, attributes: Attributes): boolean {
    if (UNSEEN_ELEMENTS.has(name) || isHidden(name, attributes)) return true;
    this.#hasReadings ||= name === "rt";
    if (name === "rt" && !this.#writesReadings) return true;
    const isHiddenBySheet = this.#sheet?.hides({ name, attributes }, () => aroundLast(this.#open)) === true;
    this.#isHiddenBySheet ||= isHiddenBySheet;
    return isHiddenBySheet;
  }

  close(name: string): void {
    this.#open.pop();
    if (--this.depth < MAX_DEPTH) this.#isLost = false;
    if (this.#unseen > 0) {
      this.#unseen--;
      this.#inTitle = false;
      return;
    }
    if (this.#isOutside || (this.#code !== undefined && name !== "pre")) return;
    this.#inline.close(name);
    if (ASIDE.has(name)) this.#writer.endInline();
    this.#closeBlock(name);
    this.#isOutside = this.depth < this.#partDepth;
  }

  #hearMeta({ name, property = name, content = "" }: Attributes): void {
    const key =
      property === "author" || property === "article:author" ? "author" : PUBLISHED.has(property ?? "") && "published";
    const said = content.trim().slice(0, MAX_SAID);
    // An address says not who it was.
    if (key && said !== "" && !said.includes("://")) this.#said[key] ??= said;
  }

  #openBlock(name: string, attributes: Attributes): void {
    const writer = this.#writer;
    const level = headingLevel(name);
    if (level !== undefined) {
      this.#inline.breakLinks();
      writer.endBlock();
      writer.mark(`${"#".repeat(level)} `);
    } else if (name === "br") {
      this.#inline.breakLinks();
      writer.endLine();
    } else if (name === "hr") {
      writer.endBlock();
      if (!writer.isInCell) writer.line("---");
      writer.endBlock();
    } else if (name === "pre") this.#code = [];
    else if (name === "td" || name === "th") this.#tables.openCell(name);
    else if (LINES.has(name)) {
      this.#inline.breakLinks();
      writer.endLine();
      if (name === "li") this.#openItem();
      if (name === "tr") this.#tables.openRow();
    } else if (BLOCKS.has(name)) this.#openContainer(name, attributes);
  }

  #openContainer(name: string, attributes: Attributes): void {
    this.#inline.breakLinks();
    if (name === "ul" || name === "ol" || name === "menu") {
      // A list inside of an item goes on behind it.
      if (this.#lists.length === 0) this.#writer.endBlock();
      else this.#writer.endLine();
      const start = Number.parseInt(attributes["start"] ?? "1", 10);
      this.#lists.push({ next: name === "ol" ? (Number.isSafeInteger(start) ? start : 1) : undefined });
      return;
    }
    this.#writer.endBlock();
    if (name === "blockquote") this.#writer.enter("> ", "> ");
    if (name === "table") this.#tables.enter();
  }

  #closeBlock(name: string): void {
    const writer = this.#writer;
    if (headingLevel(name) !== undefined) writer.endBlock();
    else if (name === "pre") this.#closeCode();
    else if (name === "td" || name === "th") this.#tables.closeCell();
    else if (name === "tr") this.#tables.closeRow();
    else if (name === "li") this.#closeItem();
    else if (name === "ul" || name === "ol" || name === "menu") {
      this.#lists.pop();
      if (this.#lists.length === 0) writer.endBlock();
      else writer.endLine();
    } else if (name === "blockquote") {
      writer.leave();
      writer.endBlock();
    } else if (name === "table") this.#tables.leave();
    else if (LINES.has(name)) writer.endLine();
    else if (BLOCKS.has(name)) writer.endBlock();
  }

  #openItem(): void {
    const list = this.#lists.at(-1);
    const mark = list?.next === undefined ? "- " : `${list.next++}. `;
    if (!this.#writer.isInCell) this.#writer.enter(mark, " ".repeat(mark.length));
  }

  #closeItem(): void {
    if (this.#writer.isInCell) this.#writer.endLine();
    else this.#writer.leave();
  }

  #closeCode(): void {
    const code = withoutUnseen((this.#code ?? []).join(""))
      .replace(/^\n/, "")
      .trimEnd();
    this.#code = undefined;
    if (code === "" || this.isFull) return;
    this.#writer.endBlock();
    // Counted as text, and written line by line as it stands.
    for (const line of ["```", ...code.slice(0, MAX_CODE).split("\n"), "```"]) this.#writer.line(line.trimEnd());
    this.#writer.endBlock();
  }
}

function partOf(name: string, { role }: Attributes): PagePart | undefined {
  if (name === "main" || role === "main") return "main";
  return name === "article" ? "article" : undefined;
}

/** Characters of one block of code. */
const MAX_CODE = 200_000;
