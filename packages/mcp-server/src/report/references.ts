import { plainLine } from "../text/plain-text.js";
import { numbersIn } from "./citation-marks.js";
import { type Block, contentsOf, type Inline, type Link, linksOf, textOf } from "./markdown-tree.js";

/** One entry of a report's own list of references. */
export interface Reference {
  number?: number;
  url: string;
  title: string;
}

interface Entry extends Reference {
  /** Whether its number stands in brackets, as only a reference has it. */
  bracketed: boolean;
}

/**
 * The list of references of a report and what is left without it. Read by shape, for its heading may be in any
 * language: every entry names one address, and either the text cites an entry by its number or the list closes the
 * report under a heading of its own.
 */
export function splitReferences(blocks: readonly Block[]): { body: Block[]; entries: Reference[] } {
  const perBlock = blocks.map(entriesOf);
  let marks: Set<number> | undefined;
  for (let to = blocks.length; to > 0; to -= 1) {
    let from = to;
    while (from > 0 && perBlock[from - 1] !== undefined) from -= 1;
    const entries = perBlock.slice(from, to).flatMap((group) => group ?? []);
    if (entries.length > 0) {
      const titled = isTitle(blocks[from - 1]);
      marks ??= new Set([...contentsOf(blocks)].flatMap(marksOf));
      const isCited = ({ number, bracketed }: Entry) => bracketed || (number !== undefined && marks?.has(number));
      if ((titled && to === blocks.length) || entries.some(isCited)) {
        return { body: [...blocks.slice(0, titled ? from - 1 : from), ...blocks.slice(to)], entries };
      }
    }
    to = Math.min(to, from + 1);
  }
  return { body: [...blocks], entries: [] };
}

/** A heading, or a line that is bold as a whole. */
function isTitle(block: Block | undefined): boolean {
  if (block?.type === "heading") return true;
  return block?.type === "paragraph" && block.content.length === 1 && block.content[0]?.type === "strong";
}

/** The entries of one block: none of one that shows nothing, `undefined` when it holds anything else. */
function entriesOf(block: Block): Entry[] | undefined {
  switch (block.type) {
    case "rule":
      return [];
    case "definition": {
      const number = numberIn(/^\^?(\d{1,3})$/.exec(block.label));
      return number === undefined ? [] : [{ number, bracketed: true, url: block.url, title: plainLine(block.title) }];
    }
    case "paragraph":
      return all(linesOf(block.content), (line) => entryOf(line));
    case "list":
      return all(block.items, ({ blocks }, index) => {
        const [only, ...more] = blocks;
        if (only?.type !== "paragraph" || more.length > 0) return undefined;
        return entryOf(only.content, block.start === undefined ? 0 : (block.written?.[index] ?? block.start + index));
      });
    default:
      return undefined;
  }
}

/** What is read of each, `undefined` when one of them is nothing that can be read. */
function all<T, U>(items: readonly T[], read: (item: T, index: number) => U | undefined): U[] | undefined {
  const found: U[] = [];
  for (const [index, item] of items.entries()) {
    const one = read(item, index);
    if (one === undefined) return undefined;
    found.push(one);
  }
  return found;
}

const BRACKETED = /^\s*\[\^?(\d{1,3})\]:?\s*/;

/** A paragraph, cut where a line begins with a number in brackets. */
function linesOf(content: readonly Inline[]): Inline[][] {
  const lines: Inline[][] = [[]];
  for (const [index, node] of content.entries()) {
    const next = content[index + 1];
    const cut = node.type === "break" && next?.type === "text" && BRACKETED.test(next.text);
    if (cut) lines.push([]);
    else lines.at(-1)?.push(node);
  }
  return lines;
}

/** @param ordinal The entry's number in its list, 0 in a list without numbers; `undefined` where there is no list. */
function entryOf(content: readonly Inline[], ordinal?: number): Entry | undefined {
  const [first] = content;
  const mark = first?.type === "text" ? BRACKETED.exec(first.text) : null;
  const number = numberIn(mark) ?? (ordinal || undefined);
  const links = [...linksOf(content)];
  const [link] = links;
  if (link === undefined || links.length > 1 || (number === undefined && ordinal === undefined)) return undefined;
  const words = plainLine(titleIn(content, link).slice(mark?.[0].length ?? 0)).replaceAll(/\( ?\)/g, "");
  return {
    ...(number && { number }),
    bracketed: mark !== null,
    url: link.url,
    title: withoutEdges(withoutGaps(words)),
  };
}

function numberIn(match: RegExpExecArray | null): number | undefined {
  return match ? Number(match[1]) : undefined;
}

/** The words of an entry; a link that is just the address or a number has none. */
function titleIn(content: readonly Inline[], link: Link): string {
  const text = textOf(link.content);
  const named = text === link.url || /^\^?\d+$/.test(text) ? [] : link.content;
  const replaced = (nodes: readonly Inline[]): Inline[] =>
    nodes.flatMap((node) => {
      if (node === link) return named;
      return "content" in node ? [{ ...node, content: replaced(node.content) }] : [node];
    });
  return textOf(replaced(content));
}

/** What an entry puts between its parts. */
const BETWEEN = [",", ";", "|", "·", "–", "—", "-"];

/** Where the address stood between two others, two signs follow each other: one of them goes. */
function withoutGaps(text: string): string {
  return BETWEEN.reduce((words, sign) => {
    const parts = words.split(sign);
    return parts.slice(1, -1).every((part) => part.trim() !== "")
      ? words
      : parts.filter((part) => part.trim() !== "").join(sign);
  }, text);
}

const EDGES = " .,:;|·\"'–—-";

function withoutEdges(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && EDGES.includes(text.charAt(from))) from += 1;
  while (to > from && EDGES.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function marksOf(content: readonly Inline[]): number[] {
  return content.flatMap((node) => {
    if (node.type === "text") return numbersIn(node.text);
    return "content" in node ? marksOf(node.content) : [];
  });
}
