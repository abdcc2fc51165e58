import type { MarkdownWriter, Place } from "./markdown-writer.js";
import { lowered, raised } from "./scripts.js";

interface Link {
  url: string;
  /** Place of the bracket that opens it; `undefined` when the link spans blocks. */
  place: Place | undefined;
}

/** Raised or lowered text: where it began, and whether it is a link to a note. */
interface Script {
  place: Place;
  isNote: boolean;
}

const MAX_LINK = 1_000;
const CODE = new Set(["code", "kbd", "samp"]);

/** Writes what stands inside of a line of HTML: links, code, raised and lowered text. */
export class InlineWriter {
  readonly #writer: MarkdownWriter;
  readonly #baseUrl: string;
  /** Targets that are not written again; `undefined`: none is. */
  readonly #targets: Set<string> | undefined;
  /** `note`: to a place of the same page. */
  readonly #links: (Link | "note" | undefined)[] = [];
  #notes = 0;
  /** Those of the links that no block has broken. */
  readonly #unbroken: Link[] = [];
  readonly #scripts: Script[] = [];
  #codes = 0;

  constructor(writer: MarkdownWriter, { baseUrl, links }: { baseUrl: string; links: boolean }) {
    this.#writer = writer;
    this.#baseUrl = baseUrl;
    this.#targets = links ? new Set() : undefined;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const writer = this.#writer;
    if (name === "a") this.#openLink(attributes["href"]);
    else if (name === "sup" || name === "sub") this.#scripts.push({ place: writer.mark(""), isNote: this.#notes > 0 });
    else if (CODE.has(name)) this.#openCode();
    else if (name === "q") writer.mark("“");
    else if (name === "rt") writer.mark("(");
    else if (name === "del" || name === "s" || name === "strike") writer.mark("~~");
  }

  close(name: string): void {
    const writer = this.#writer;
    if (name === "a") this.#closeLink();
    else if (name === "sup" || name === "sub") this.#closeScript(name);
    else if (CODE.has(name)) this.#closeCode();
    else if (name === "q") writer.mark("”");
    else if (name === "rt") writer.mark(")");
    else if (name === "del" || name === "s" || name === "strike") writer.mark("~~");
  }

  /** What is read now is code: its elements are colours. */
  get isInCode(): boolean {
    return this.#codes > 0;
  }

  #openCode(): void {
    this.#codes++;
    this.#writer.mark(this.#codeMark);
  }

  #closeCode(): void {
    this.#codes--;
    this.#writer.mark(this.#codeMark);
  }

  get #codeMark(): string {
    return this.#targets === undefined ? "" : "`";
  }

  #openLink(href: string | undefined): void {
    if (href?.startsWith("#")) {
      this.#links.push("note");
      this.#notes++;
      // What stands around a note is one.
      for (let at = this.#scripts.length - 1; at >= 0 && !this.#scripts[at]?.isNote; at--) {
        (this.#scripts[at] as Script).isNote = true;
      }
      return;
    }
    const url = href === undefined ? undefined : this.#absolute(href);
    const link = url === undefined ? undefined : { url, place: this.#writer.mark("[") };
    this.#links.push(link);
    if (link !== undefined) this.#unbroken.push(link);
  }

  #closeLink(): void {
    const link = this.#links.pop();
    if (link === "note") this.#notes--;
    if (link === undefined || link === "note") return;
    if (this.#unbroken.at(-1) === link) this.#unbroken.pop();
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
  breakLinks(): void {
    for (const link of this.#unbroken.splice(0)) {
      if (link.place !== undefined) this.#writer.unmark(link.place);
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
