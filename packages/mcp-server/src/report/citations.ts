import type { DeepSearchReport, SearchReport } from "@x/research";
import { Lexer, type Token, type Tokens } from "marked";
import { plainLine, plainText } from "../text/plain-text.js";

/** `listed`: the report names it, and no record of the searches can confirm or deny it. */
type SourceStatus = "retrieved" | "found" | "unseen" | "listed";

export interface NumberedSource {
  number: number;
  url: string;
  title?: string;
  status: SourceStatus;
  cited: boolean;
}

/** `[1]`, `[2, 5]`: numbers of sources, in the place of the text that cites them. */
export interface CitationToken extends Tokens.Generic {
  type: "citation";
  numbers: number[];
}

/** A report read for people: its text with citations found, and one numbered list of sources. */
export interface CitedReport {
  /** Markdown blocks. The report's own list of references is left out: every entry of it stands in `sources`. */
  blocks: Token[];
  /** In order of their numbers; the report's own numbers are kept. */
  sources: NumberedSource[];
  numberOf(url: string): number | undefined;
}

export function readCitations(report: SearchReport | DeepSearchReport): CitedReport {
  const { evidence, sources_visited: visited = [] } = report.metadata;
  const blocks = blocksOf(plainText(report.result));
  const known = evidence?.status === "available";
  const sources = new Map<string, NumberedSource>();
  const byMark = new Map<number, NumberedSource>();
  let next = 1;

  const add = (
    url: string,
    found: { number?: number; title?: string; status?: SourceStatus; cited?: boolean } = {},
  ) => {
    const address = httpUrl(url);
    if (address === undefined) return;
    const key = urlKey(address);
    let source = sources.get(key);
    if (source === undefined) {
      const wanted = found.number;
      const taken = wanted !== undefined && byMark.has(wanted);
      const number = wanted === undefined || taken ? next : wanted;
      next = Math.max(next, number + 1);
      source = { number, url: address.href, status: found.status ?? (known ? "unseen" : "listed"), cited: false };
      sources.set(key, source);
    }
    if (found.title && source.title === undefined) source.title = plainLine(found.title);
    if (found.status) source.status = found.status;
    if (found.cited) source.cited = true;
    if (found.number !== undefined) byMark.set(found.number, source);
  };

  const { body, entries } = splitReferences(blocks);
  for (const { number, url, title } of entries) add(url, { ...(number ? { number } : {}), title });
  for (const url of linksOf(body)) add(url, { cited: true });
  for (const { url, title, status, cited } of evidence?.sources ?? [])
    add(url, { status, cited, ...(title ? { title } : {}) });
  for (const url of evidence?.unseen ?? []) add(url, { status: "unseen", cited: true });
  for (const claim of evidence?.claims ?? []) for (const url of claim.sources) add(url, { cited: true });
  for (const url of visited) add(url, known ? {} : { status: "listed" });

  const numberOf = (url: string) => {
    const address = httpUrl(url);
    return address && sources.get(urlKey(address))?.number;
  };
  const mark = (number: number) => {
    const source = byMark.get(number);
    if (source) source.cited = true;
    return source?.number;
  };
  return {
    blocks: markCitations(body, { numberOf, mark }) as Token[],
    sources: [...sources.values()].sort((a, b) => a.number - b.number),
    numberOf,
  };
}

/** Deeper than any report is written; a page may nest without end to break whoever shows it. */
const DEEPEST = 100;

/** Markdown blocks; a text that nests deeper than {@link DEEPEST} is one block as it stands. */
function blocksOf(text: string): Token[] {
  try {
    const blocks = Lexer.lex(text);
    if (!isDeeperThan(DEEPEST, blocks)) return blocks;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return [{ type: "code", raw: text, text }];
}

function isDeeperThan(limit: number, blocks: readonly Token[]): boolean {
  let level: readonly Token[] = blocks;
  for (let depth = 0; depth <= limit; depth += 1) {
    if (level.length === 0) return false;
    level = level.flatMap((token) => children(token).flat());
  }
  return true;
}

/** Only addresses of the web become links. */
export function httpUrl(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.username = "";
  url.password = "";
  return url;
}

/** The address without what does not change the page. */
function urlKey(url: URL): string {
  return `${url.host.replace(/^www\./, "")}${url.pathname.replace(/\/+$/, "")}${url.search}`;
}

interface Reference {
  number?: number;
  url: string;
  title: string;
}

/**
 * The list of references of a report and what is left without it. Read by shape, for its heading may be in any
 * language: every entry names one address, and either the text cites an entry by its number or the list closes the
 * report under a heading of its own.
 */
function splitReferences(blocks: readonly Token[]): { body: Token[]; entries: Reference[] } {
  const marks = new Set(
    blocks.flatMap((block) => [...block.raw.matchAll(MARK)].flatMap(([, list = ""]) => spelledOut(list))),
  );
  for (let to = blocks.length; to > 0; to -= 1) {
    let from = to;
    const entries: Reference[] = [];
    for (; from > 0; from -= 1) {
      const block = blocks[from - 1];
      const group = block && referencesIn(block);
      if (group === undefined) break;
      entries.unshift(...group);
    }
    if (entries.length === 0) continue;
    const heading = blocks[from - 1];
    const titled = heading !== undefined && (heading.type === "heading" || isBoldLine(heading));
    const closes = blocks.slice(to).every(({ type }) => type === "space" || type === "hr");
    if ((titled && closes) || entries.some(({ number }) => number !== undefined && marks.has(number)))
      return { body: [...blocks.slice(0, titled ? from - 1 : from), ...blocks.slice(to)], entries };
    to = from + 1;
  }
  return { body: [...blocks], entries: [] };
}

const ENTRY = /^\s*(?:[-*+]\s+)?(?:\[\^?(\d{1,3})\]:?|(\d{1,3})[.)])?\s*(.+)$/s;
const ENTRY_START = /\n(?=\s*(?:[-*+]\s|\[\^?\d{1,3}\]|\d{1,3}[.)]\s))/;

/** The entries of one block: none of a blank one, `undefined` when it holds anything else. */
function referencesIn(block: Token): Reference[] | undefined {
  if (block.type === "space" || block.type === "hr") return [];
  if (!["list", "paragraph", "def"].includes(block.type)) return undefined;
  const entries: Reference[] = [];
  for (const entry of block.raw.trim().split(ENTRY_START)) {
    const [, mark, ordinal, rest = ""] = ENTRY.exec(entry) ?? [];
    const links = inlineLinks(Lexer.lexInline(rest));
    const [link] = links;
    const number = Number(mark ?? ordinal ?? 0);
    if (links.length !== 1 || link === undefined || (number === 0 && block.type !== "list")) return undefined;
    const named = link.text !== link.href && !/^\^?\d+$/.test(link.text) ? link.text : "";
    const around = rest
      .replace(link.raw, named)
      .replace(/\(\s*\)/g, "")
      .replace(/^[\s.,:"'–—-]+|[\s.,:"'–—-]+$/g, "");
    entries.push({ ...(number > 0 ? { number } : {}), url: link.href, title: textOf(Lexer.lexInline(around)) });
  }
  return entries;
}

function isBoldLine(block: Token): boolean {
  const inner = (block as Tokens.Paragraph).tokens;
  return block.type === "paragraph" && inner.length === 1 && inner[0]?.type === "strong";
}

function children(token: Token): Token[][] {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flat().map((cell) => cell.tokens);
  }
  if (token.type === "list") return (token as Tokens.List).items.map((item) => item.tokens);
  return "tokens" in token && token.tokens ? [token.tokens] : [];
}

function inlineLinks(tokens: readonly Token[]): Tokens.Link[] {
  return tokens.flatMap((token) =>
    token.type === "link" ? [token as Tokens.Link] : children(token).flatMap((inner) => inlineLinks(inner)),
  );
}

function linksOf(blocks: readonly Token[]): string[] {
  return inlineLinks(blocks).map((link) => link.href);
}

/** The words of inline Markdown. */
export function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const inner = children(token);
      if (inner.length > 0) return inner.map(textOf).join(" ");
      if (token.type === "br") return " ";
      return "text" in token ? token.text : "";
    })
    .join("");
}

interface Numbers {
  numberOf(url: string): number | undefined;
  /** The source that the report calls by this number. */
  mark(number: number): number | undefined;
}

/** `[1]`, `[1, 2]`, `[^1]`, `[2-4]`. */
const MARK = /\[\^?(\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*)\]/g;

function markCitations(tokens: readonly Token[], numbers: Numbers): Token[] {
  return tokens.flatMap((token) => {
    if (token.type === "link") return citedLink(token as Tokens.Link, numbers);
    if (token.type === "table") {
      const { header, rows } = token as Tokens.Table;
      for (const cell of [header, ...rows].flat()) cell.tokens = markCitations(cell.tokens, numbers);
      return [token];
    }
    if (token.type === "list") {
      for (const item of (token as Tokens.List).items) item.tokens = markCitations(item.tokens, numbers);
      return [token];
    }
    if ("tokens" in token && token.tokens) {
      token.tokens = markCitations(token.tokens, numbers);
      return [token];
    }
    return token.type === "text" ? citedText(token as Tokens.Text, numbers) : [token];
  });
}

function citedLink(link: Tokens.Link, numbers: Numbers): Token[] {
  const number = numbers.numberOf(link.href);
  if (number === undefined) return [link];
  const citation: CitationToken = { type: "citation", raw: "", numbers: [number] };
  return /^\[?\^?\d{1,3}\]?$/.test(link.text) ? [citation] : [link, citation];
}

function citedText(token: Tokens.Text, numbers: Numbers): Token[] {
  const parts: Token[] = [];
  let end = 0;
  for (const match of token.text.matchAll(MARK)) {
    const cited = spelledOut(match[1] ?? "").map((number) => numbers.mark(number));
    if (cited.length === 0 || cited.includes(undefined)) continue;
    // The number stays on the line of the word that it stands behind.
    parts.push(textToken(token.text.slice(end, match.index).trimEnd()));
    parts.push({ type: "citation", raw: match[0], numbers: cited as number[] } satisfies CitationToken);
    end = match.index + match[0].length;
  }
  if (parts.length === 0) return [token];
  return [...parts, textToken(token.text.slice(end))].filter((part) => part.type !== "text" || part.raw !== "");
}

function spelledOut(list: string): number[] {
  return list.split(/\s*[,;]\s*/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/\s*[–-]\s*/).map((text) => Number(text.replace("^", "")));
    return Array.from({ length: Math.min(Math.max(to - from + 1, 0), 20) }, (_, index) => from + index);
  });
}

function textToken(text: string): Tokens.Text {
  return { type: "text", raw: text, text, escaped: false };
}
