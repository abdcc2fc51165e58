import type { DeepSearchReport, SearchReport } from "@x/research";
import { plainText, shortLine } from "../text/plain-text.js";
import { citationMarks, numbersIn } from "./citation-marks.js";
import { parseMarkdown } from "./markdown-parser.js";
import { type Block, contentsOf, type Inline, type Link, linksOf, textOf, withContents } from "./markdown-tree.js";
import { splitReferences } from "./references.js";

/** `listed`: the report names it, and no record of the searches can confirm or deny it. */
type SourceStatus = "quoted" | "attributed" | "retrieved" | "found" | "unseen" | "listed";

/** A source under the number by which the text cites it. */
export interface NumberedSource {
  number: number;
  url: string;
  title?: string;
  status: SourceStatus;
  cited: boolean;
}

/** A report read for people: its text with citations found, and one numbered list of sources. */
export interface CitedReport {
  /** The report without its own list of references: `sources` has every entry of that. */
  blocks: Block[];
  /** In order of their numbers; the report's own numbers are kept. */
  sources: NumberedSource[];
  numberOf(url: string): number | undefined;
}

/** The longest title in characters: it is repeated wherever its source is cited. */
const LONGEST_TITLE = 200;
/** The most marks that become citations: each grows on the page, and no report for people has more. */
const MOST_CITATIONS = 5_000;

/** Finds the citations of a report, its own list of references and the sources of its evidence. */
export function readCitations(report: SearchReport | DeepSearchReport): CitedReport {
  const { evidence, sources_visited: visited = [] } = report.metadata;
  const known = evidence?.status === "available";
  const documents = (evidence?.sources ?? []).flatMap(({ url }) => (isLocal(url) ? [new URL(url).href] : []));
  const { body, entries } = splitReferences(parseMarkdown(plainText(report.result)));
  const marks = new Set([...contentsOf(body)].flatMap(marksOutsideLinks));
  const sources = new SourceList({ unless: known ? "unseen" : "listed", documents: new Set(documents), marks });

  for (const { number, url, title } of entries) sources.add(url, { ...(number && { number }), title });
  for (const content of contentsOf(body)) for (const { url } of linksOf(content)) sources.add(url, { cited: true });
  for (const { url, title, status, cited } of evidence?.sources ?? [])
    sources.add(url, { status, cited, ...(title ? { title } : {}) });
  for (const url of evidence?.unseen ?? []) sources.add(url, { status: "unseen", cited: true });
  for (const claim of evidence?.claims ?? []) for (const url of claim.sources) sources.add(url, { cited: true });
  for (const url of visited) sources.add(url, known ? {} : { status: "listed" });

  const marking: Marking = { sources, left: MOST_CITATIONS };
  const blocks = withContents(body, (content) => markCitations(content, marking));
  return { blocks, sources: sources.inOrder(), numberOf: (url) => sources.numberOf(url) };
}

/** Whether a run read the page. */
export function wasRead({ status }: Pick<NumberedSource, "status">): boolean {
  return status === "quoted" || status === "retrieved";
}

/** Only addresses of the web become links. */
export function httpUrl(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== "") url.username = "";
  if (url.password !== "") url.password = "";
  return url;
}

/** The address of a source: of the web, or of a document on this machine. */
export function sourceUrl(text: string): URL | undefined {
  return isLocal(text) ? new URL(text) : httpUrl(text);
}

/** Whether this is the address of a file, and of no other machine, which would be asked for it. */
function isLocal(text: string): boolean {
  return /^file:\/\/\/(?!\/)/i.test(text) && URL.canParse(text);
}

/** A link has its number from its address, whatever its words are. */
function marksOutsideLinks(content: readonly Inline[]): number[] {
  return content.flatMap((node) => {
    if (node.type === "text") return numbersIn(node.text);
    return "content" in node && node.type !== "link" ? marksOutsideLinks(node.content) : [];
  });
}

interface Finding {
  number?: number;
  title?: string;
  status?: SourceStatus;
  cited?: boolean;
}

interface Address {
  href: string;
  /** The same for all addresses of one page. */
  key: string;
  isDocument: boolean;
}

interface SourceListOptions {
  /** The status of a source for which no status is given. */
  unless: SourceStatus;
  /** Addresses of the person's own documents that were read: no other file is a source. */
  documents: ReadonlySet<string>;
  /** Numbers by which the text cites: none of them becomes that of a source which the text does not mean. */
  marks: ReadonlySet<number>;
}

/** Every source once, whatever names it. */
class SourceList {
  readonly #byKey = new Map<string, NumberedSource>();
  /** Addresses by the texts that name them, since each source is named many times; `null`: the text names none. */
  readonly #byText = new Map<string, Address | null>();
  /** By the number that the report gives it. */
  readonly #byMark = new Map<number, NumberedSource>();
  #next = 1;
  readonly #unless: SourceStatus;
  readonly #documents: ReadonlySet<string>;
  readonly #marks: ReadonlySet<number>;

  constructor({ unless, documents, marks }: SourceListOptions) {
    this.#unless = unless;
    this.#documents = documents;
    this.#marks = marks;
  }

  add(text: string, { number, title, status, cited }: Finding): void {
    const address = this.#addressOf(text);
    if (address === null || (address.isDocument && !this.#documents.has(address.href))) return;
    const source = this.#byKey.get(address.key) ?? this.#new(address, number);
    if (title && source.title === undefined) source.title = shortLine(title, LONGEST_TITLE);
    if (status) source.status = status;
    if (cited) source.cited = true;
    if (number !== undefined) this.#byMark.set(number, source);
  }

  #addressOf(text: string): Address | null {
    let address = this.#byText.get(text);
    if (address === undefined) {
      const url = sourceUrl(text);
      address = url ? { href: url.href, key: keyOf(url), isDocument: url.protocol === "file:" } : null;
      this.#byText.set(text, address);
    }
    return address;
  }

  #new({ href, key }: Address, wanted: number | undefined): NumberedSource {
    const number = wanted === undefined || this.#byMark.has(wanted) ? this.#free() : wanted;
    this.#next = Math.max(this.#next, number + 1);
    const source: NumberedSource = { number, url: href, status: this.#unless, cited: false };
    this.#byKey.set(key, source);
    return source;
  }

  #free(): number {
    while (this.#marks.has(this.#next)) this.#next += 1;
    return this.#next;
  }

  numberOf(text: string): number | undefined {
    const address = this.#addressOf(text);
    return address === null ? undefined : this.#byKey.get(address.key)?.number;
  }

  /** The source that the report calls by this number. */
  marked(number: number): NumberedSource | undefined {
    return this.#byMark.get(number);
  }

  inOrder(): NumberedSource[] {
    return [...this.#byKey.values()].sort((a, b) => a.number - b.number);
  }
}

/** The address without what does not change the page. */
function keyOf({ host, pathname, search }: URL): string {
  let end = pathname.length;
  while (pathname[end - 1] === "/") end -= 1;
  return `${host.replace(/^www\./, "")}${pathname.slice(0, end)}${search}`;
}

interface Marking {
  sources: SourceList;
  /** How many more marks become citations. */
  left: number;
}

function markCitations(content: readonly Inline[], marking: Marking): Inline[] {
  const marked: Inline[] = [];
  for (const node of content) {
    const parts = citedNode(node, marking);
    const before = marked.at(-1);
    // Without the blank before it, the number stays on the line of its word.
    if (parts[0]?.type === "citation" && before?.type === "text") before.text = before.text.trimEnd();
    marked.push(...parts);
  }
  return marked;
}

function citedNode(node: Inline, marking: Marking): Inline[] {
  if (node.type === "link") return citedLink(node, marking);
  // Parts of our own, whose last blank may go.
  if (node.type === "text") return citedText(node.text, marking);
  return "content" in node ? [{ ...node, content: markCitations(node.content, marking) }] : [node];
}

function citedLink(link: Link, marking: Marking): Inline[] {
  const number = marking.sources.numberOf(link.url);
  if (number === undefined || marking.left === 0) return [link];
  marking.left -= 1;
  const citation: Inline = { type: "citation", numbers: [number] };
  return /^\[?\^?\d{1,3}\]?$/.test(textOf(link.content)) ? [citation] : [link, citation];
}

function citedText(text: string, marking: Marking): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const { from, to, numbers } of citationMarks(text)) {
    const cited = numbers.map((number) => marking.sources.marked(number));
    if (cited.length === 0 || cited.length > marking.left || !cited.every((source) => source !== undefined)) continue;
    marking.left -= cited.length;
    for (const source of cited) source.cited = true;
    const before = text.slice(end, from).trimEnd();
    if (before !== "") parts.push({ type: "text", text: before });
    parts.push({ type: "citation", numbers: cited.map(({ number }) => number) });
    end = to;
  }
  const rest = text.slice(end);
  if (rest !== "") parts.push({ type: "text", text: rest });
  return parts;
}
