import { Parser } from "htmlparser2";
import { BLOCKS, headingLevel, isHidden, LINES, NO_CELL_CONTENT, UNSEEN_ELEMENTS } from "./html-elements.js";
import { MarkdownWriter, type Place } from "./markdown-writer.js";
import { lowered, raised } from "./scripts.js";
import { withoutUnseen } from "./unseen.js";

type Attributes = Readonly<Record<string, string>>;

interface List {
  /** The number of the next item; `undefined`: the items have none. */
  next: number | undefined;
}

interface Table {
  /** Cells of the row that is being read. */
  row: string[];
  rows: number;
  isHead: boolean;
  /** It arranges parts of the page: its cells are blocks. */
  isLayout: boolean;
}

interface Link {
  url: string;
  /** Place of the bracket that opens it; `undefined` when the link spans blocks. */
  place: Place | undefined;
}

/** Options of {@link htmlToMarkdown}. */
export interface HtmlToMarkdownOptions {
  /** Address that links are relative to. */
  baseUrl: string;
  /** Characters at most. */
  maxCharacters: number;
  /** Whether the targets of links are written: each once, without the origin when that is the page's. */
  links: boolean;
}

/** What a page of HTML says. */
export interface HtmlText {
  /** Markdown. */
  text: string;
  /** What its `title` says. */
  title?: string;
  /** How deep its elements stand in each other. */
  depth: number;
}

/**
 * Gives the text of a page that a reader sees, as Markdown: headings, lists, tables with their cells apart, code, links.
 * Emphasis is left out, so that a sentence is quoted as it reads. Reads the page once, in time that grows with it alone.
 */
export function htmlToMarkdown(html: string, options: HtmlToMarkdownOptions): HtmlText {
  const walk = new HtmlWalk(options);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => walk.open(name, attributes),
      ontext: (text) => walk.text(text),
      onclosetag: (name) => walk.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  // In pieces, so that a full writer ends the reading, and nesting that would take the parser minutes.
  for (let at = 0; at < html.length && !walk.isFull && walk.depth < MAX_DEPTH; at += CHUNK)
    parser.write(html.slice(at, at + CHUNK));
  parser.end();
  return walk.done();
}

const CHUNK = 65_536;
const MAX_DEPTH = 5_000;
const MAX_TITLE = 500;
const MAX_LINK = 1_000;

class HtmlWalk {
  readonly #writer: MarkdownWriter;
  readonly #baseUrl: string;
  /** Targets that are not written again; `undefined`: none is. */
  readonly #targets: Set<string> | undefined;
  readonly #lists: List[] = [];
  readonly #tables: Table[] = [];
  /** `note`: to a place of the same page. */
  readonly #links: (Link | "note" | undefined)[] = [];
  /** Places where raised and lowered text began, and whether it is a link to a note. */
  readonly #scripts: { place: Place; isNote: boolean }[] = [];
  /** What stands in the title, while that is read. */
  #title: string | undefined;
  #inTitle = false;
  #deepest = 0;
  /** How deep the element stands that is being read. */
  depth = 0;
  /** Open elements of which nothing is seen. */
  #unseen = 0;
  #code: string[] | undefined;

  constructor({ baseUrl, maxCharacters, links }: HtmlToMarkdownOptions) {
    this.#targets = links ? new Set() : undefined;
    this.#writer = new MarkdownWriter(maxCharacters);
    this.#baseUrl = baseUrl;
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  done(): HtmlText {
    const title = this.#title?.replace(/\s+/g, " ").trim();
    return { text: this.#writer.done(), ...(title && { title }), depth: this.#deepest };
  }

  text(text: string): void {
    if (this.#inTitle) this.#title = ((this.#title ?? "") + text).slice(0, MAX_TITLE);
    if (this.#unseen > 0) return;
    if (this.#code !== undefined) this.#code.push(text);
    else this.#writer.text(text);
  }

  open(name: string, attributes: Attributes): void {
    this.#deepest = Math.max(this.#deepest, ++this.depth);
    if (this.#unseen > 0 || UNSEEN_ELEMENTS.has(name) || isHidden(name, attributes)) {
      // Of several the first is the page's; those inside of drawings come later.
      this.#inTitle = name === "title" && this.#unseen === 0 && this.#title === undefined;
      this.#unseen++;
      return;
    }
    if (this.#code !== undefined) {
      if (name === "br") this.#code.push("\n");
      return;
    }
    if (NO_CELL_CONTENT.has(name)) this.#leaveCells();
    this.#openBlock(name, attributes);
    this.#openInline(name, attributes);
  }

  close(name: string): void {
    this.depth--;
    if (this.#unseen > 0) {
      this.#unseen--;
      this.#inTitle = false;
      return;
    }
    if (this.#code !== undefined && name !== "pre") return;
    this.#closeInline(name);
    this.#closeBlock(name);
  }

  #openBlock(name: string, attributes: Attributes): void {
    const writer = this.#writer;
    const level = headingLevel(name);
    if (level !== undefined) {
      this.#breakLinks();
      writer.endBlock();
      writer.mark(`${"#".repeat(level)} `);
    } else if (name === "br") {
      this.#breakLinks();
      writer.endLine();
    } else if (name === "hr") {
      writer.endBlock();
      if (!writer.isInCell) writer.line("---");
      writer.endBlock();
    } else if (name === "pre") this.#code = [];
    else if (name === "td" || name === "th") this.#openCell(name);
    else if (LINES.has(name)) {
      this.#breakLinks();
      writer.endLine();
      if (name === "li") this.#openItem();
      if (name === "tr") this.#openRow();
    } else if (BLOCKS.has(name)) this.#openContainer(name, attributes);
  }

  #openContainer(name: string, attributes: Attributes): void {
    this.#breakLinks();
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
    if (name === "table") this.#tables.push({ row: [], rows: 0, isHead: true, isLayout: false });
  }

  #closeBlock(name: string): void {
    const writer = this.#writer;
    if (headingLevel(name) !== undefined) writer.endBlock();
    else if (name === "pre") this.#closeCode();
    else if (name === "td" || name === "th") this.#closeCell();
    else if (name === "tr") this.#closeRow();
    else if (name === "li") this.#closeItem();
    else if (name === "ul" || name === "ol" || name === "menu") {
      this.#lists.pop();
      if (this.#lists.length === 0) writer.endBlock();
      else writer.endLine();
    } else if (name === "blockquote") {
      writer.leave();
      writer.endBlock();
    } else if (name === "table") {
      this.#tables.pop();
      writer.endBlock();
    } else if (LINES.has(name)) writer.endLine();
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

  #openRow(): void {
    const table = this.#tables.at(-1);
    if (table !== undefined) [table.row, table.isHead] = [[], true];
  }

  #openCell(name: string): void {
    const table = this.#tables.at(-1);
    if (table === undefined || table.isLayout) {
      this.#writer.endBlock();
      return;
    }
    if (name === "td") table.isHead = false;
    this.#writer.beginCell();
  }

  #closeCell(): void {
    const table = this.#tables.at(-1);
    if (table === undefined || table.isLayout || !this.#writer.isInCell) this.#writer.endBlock();
    else table.row.push(this.#writer.endCell().replaceAll("|", "\\|"));
  }

  #closeRow(): void {
    const table = this.#tables.at(-1);
    if (table === undefined || table.isLayout || this.#writer.isInCell) {
      this.#writer.endLine();
      return;
    }
    const { row, isHead } = table;
    if (row.every((cell) => cell === "")) return;
    if (row.length === 1) this.#writer.line(row[0] as string);
    else this.#writer.line(`| ${row.join(" | ")} |`);
    if (isHead && row.length > 1 && table.rows === 0) this.#writer.line(`|${row.map(() => "---|").join("")}`);
    table.rows++;
    table.row = [];
  }

  /** What is inside of a cell needs blocks: the tables around it only arrange the page. */
  #leaveCells(): void {
    for (const table of this.#tables) {
      if (table.isLayout) continue;
      table.isLayout = true;
      for (const cell of table.row.splice(0)) this.#block(cell);
    }
    while (this.#writer.isInCell) this.#block(this.#writer.endCell());
  }

  #block(text: string): void {
    this.#writer.text(text);
    this.#writer.endBlock();
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

  #openInline(name: string, attributes: Attributes): void {
    const writer = this.#writer;
    if (name === "a") this.#openLink(attributes["href"]);
    else if (name === "sup" || name === "sub")
      this.#scripts.push({ place: writer.mark(""), isNote: this.#links.includes("note") });
    else if (name === "code" || name === "kbd" || name === "samp") writer.mark("`");
    else if (name === "q") writer.mark("“");
    else if (name === "rt") writer.mark("(");
    else if (name === "del" || name === "s" || name === "strike") writer.mark("~~");
  }

  #closeInline(name: string): void {
    const writer = this.#writer;
    if (name === "a") this.#closeLink();
    else if (name === "sup" || name === "sub") this.#closeScript(name);
    else if (name === "code" || name === "kbd" || name === "samp") writer.mark("`");
    else if (name === "q") writer.mark("”");
    else if (name === "rt") writer.mark(")");
    else if (name === "del" || name === "s" || name === "strike") writer.mark("~~");
  }

  #openLink(href: string | undefined): void {
    if (href?.startsWith("#")) {
      this.#links.push("note");
      for (const script of this.#scripts) script.isNote = true;
      return;
    }
    const url = href === undefined ? undefined : this.#absolute(href);
    this.#links.push(url === undefined ? undefined : { url, place: this.#writer.mark("[") });
  }

  #closeLink(): void {
    const link = this.#links.pop();
    if (link === undefined || link === "note") return;
    if (link.place === undefined) {
      this.#writer.text(` <${link.url}> `);
      return;
    }
    const text = this.#writer.cutFrom(link.place).slice(1);
    const shown = text.trim();
    if (shown === "") this.#writer.text(text);
    else this.#writer.mark(`${text.startsWith(" ") ? " " : ""}[${shown}](${link.url})`);
    if (text.endsWith(" ") && shown !== "") this.#writer.text(" ");
  }

  /** A block inside of a link: its address follows the link instead. */
  #breakLinks(): void {
    for (const link of this.#links) {
      if (link === undefined || link === "note" || link.place === undefined) continue;
      this.#writer.unmark(link.place);
      link.place = undefined;
    }
  }

  #closeScript(name: "sup" | "sub"): void {
    const script = this.#scripts.pop();
    if (script === undefined) return;
    const text = this.#writer.cutFrom(script.place);
    this.#writer.mark(name === "sup" ? raised(text, script.isNote) : lowered(text));
  }

  #absolute(href: string): string | undefined {
    const target = href.trim();
    const base = this.#baseUrl;
    if (this.#targets === undefined || target === "" || target.length > MAX_LINK || !URL.canParse(target, base)) {
      return undefined;
    }
    const url = new URL(target, base);
    if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
    if (this.#targets.has(url.href)) return undefined;
    this.#targets.add(url.href);
    const shown = url.origin === new URL(base).origin ? url.href.slice(url.origin.length) : url.href;
    return shown.replaceAll("(", "%28").replaceAll(")", "%29");
  }
}

/** Characters of one block of code. */
const MAX_CODE = 200_000;
