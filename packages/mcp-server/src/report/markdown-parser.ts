import MarkdownIt, { type Env, type StateBlock, type Token } from "markdown-it";
import { bareUrl } from "./bare-url.js";
import { type Block, type Inline, type List, type ListItem, type Table, textOf } from "./markdown-tree.js";
import { endOfRendered } from "./rendered-part.js";

/**
 * Reads Markdown (CommonMark with tables, strikethrough, tasks and bare addresses). Raw HTML is text. Of a text with more
 * marks than any report has, the rest is one block as it stands, below a line that says so.
 */
export function parseMarkdown(text: string): Block[] {
  const end = endOfRendered(text);
  const env: Env = {};
  const tokens = PARSER.parse(text.slice(0, end), env);
  const blocks = readBlocks({ tokens, at: 0, env });
  if (end < text.length) blocks.push(NOT_RENDERED, { type: "code", text: text.slice(end) });
  return blocks;
}

/** The lines of a text, from 0, that are blocks of code. */
export function codeLinesOf(text: string): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const { type, map } of PARSER.parse(text.slice(0, endOfRendered(text)), {})) {
    if (map === null || (type !== "fence" && type !== "code_block")) continue;
    for (let line = map[0]; line < map[1]; line += 1) lines.add(line);
  }
  return lines;
}

const NOT_RENDERED: Block = {
  type: "paragraph",
  content: [
    {
      type: "em",
      content: [
        { type: "text", text: "From here on the report stands as it was written: it has too much markup to show." },
      ],
    },
  ],
};

/** Reads one line of Markdown. One with more marks than any report has is text. */
export function parseInline(text: string): Inline[] {
  return endOfRendered(text) < text.length ? [{ type: "text", text }] : contentOf(text, {});
}

/** Blocks inside blocks; what nests deeper than any report does is shown as it stands. */
const DEEPEST = 20;
/** The parser's own bound, for lines too. Beyond it the parser leaves out blocks: {@link DEEPEST} comes first. */
const DEEPEST_OF_PARSER = DEEPEST + 4;
const PARSER = createParser();

function createParser(): InstanceType<typeof MarkdownIt> {
  const parser = new MarkdownIt("default", { linkify: false, maxNesting: DEEPEST_OF_PARSER });
  // Whoever shows a link decides where it may lead, and how it is written.
  parser.validateLink = () => true;
  parser.normalizeLink = (url) => url;
  parser.normalizeLinkText = (text) => text;
  // Lines are read one by one, as the blocks are.
  parser.core.ruler.disable(["inline", "text_join", "strip_references"]);
  parser.block.ruler.before("table", "too_deep", tooDeep);
  parser.inline.ruler.after("text", "bare_url", bareUrl);
  return parser;
}

function tooDeep(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || state.level < DEEPEST) return false;
  let line = startLine;
  while (line < endLine && (state.isEmpty(line) || (state.sCount[line] ?? 0) >= state.blkIndent)) line += 1;
  const token = state.push("code_block", "code", 0);
  token.content = state.getLines(startLine, line, state.blkIndent, false);
  token.map = [startLine, line];
  state.line = line;
  return true;
}

/** The parser's flat list of tokens, and the next one to read. */
interface Cursor {
  tokens: readonly Token[];
  at: number;
}

interface BlockCursor extends Cursor {
  /** Holds the definitions of links. */
  env: Env;
}

/** The blocks up to this closing token, which is read too. */
function readBlocks(cursor: BlockCursor, until?: string): Block[] {
  const blocks: Block[] = [];
  while (cursor.at < cursor.tokens.length) {
    const token = cursor.tokens[cursor.at] as Token;
    cursor.at += 1;
    if (token.type === until) break;
    const block = readBlock(token, cursor);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

function readBlock(token: Token, cursor: BlockCursor): Block | undefined {
  switch (token.type) {
    case "paragraph_open":
      return { type: "paragraph", content: readContent(cursor) };
    case "heading_open":
      return { type: "heading", depth: Number(token.tag.slice(1)), content: readContent(cursor) };
    case "bullet_list_open":
    case "ordered_list_open":
      return readList(token, cursor);
    case "blockquote_open":
      return { type: "quote", blocks: readBlocks(cursor, "blockquote_close") };
    case "table_open":
      return readTable(cursor);
    case "fence":
    case "code_block":
      return { type: "code", text: token.content.endsWith("\n") ? token.content.slice(0, -1) : token.content };
    case "hr":
      return { type: "rule" };
    case "reference_definition": {
      return { type: "definition", ...definitionOf(token, cursor.env) };
    }
    default:
      return undefined;
  }
}

/** Of two with one label the first counts. */
function definitionOf(token: Token, { references }: Env): { label: string; url: string; title: string } {
  const label = String(token.meta?.["label"]);
  const { href, title } = references?.[label] ?? { href: "", title: "" };
  return { label, url: href, title };
}

/** The line between an opening and a closing token. */
function readContent(cursor: BlockCursor): Inline[] {
  const text = cursor.tokens[cursor.at]?.content ?? "";
  cursor.at += 2;
  return contentOf(text, cursor.env);
}

function readList(open: Token, cursor: BlockCursor): List {
  const ordered = open.type === "ordered_list_open";
  const closing = ordered ? "ordered_list_close" : "bullet_list_close";
  const list: List = { type: "list", loose: false, items: [] };
  if (ordered) list.start = Number(open.attrGet("start") ?? 1);
  const written: number[] = [];
  while (cursor.at < cursor.tokens.length) {
    const token = cursor.tokens[cursor.at] as Token;
    cursor.at += 1;
    if (token.type === closing) break;
    if (token.type !== "list_item_open") continue;
    written.push(Number(token.info));
    const first = cursor.tokens[cursor.at];
    if (first?.type === "paragraph_open" && !first.hidden) list.loose = true;
    list.items.push(asTask({ blocks: readBlocks(cursor, "list_item_close") }));
  }
  // Markdown counts on from the first; whoever writes `1.` before each means the same.
  if (ordered && written.every((number, at) => at === 0 || number > (written[at - 1] as number)))
    list.written = written;
  return list;
}

/** `[ ] text` and `[x] text`. */
function asTask(item: ListItem): ListItem {
  const [first] = item.blocks;
  const [start] = first?.type === "paragraph" ? first.content : [];
  const mark = start?.type === "text" ? /^\[([ xX])\] /.exec(start.text) : null;
  if (mark === null || start?.type !== "text") return item;
  start.text = start.text.slice(mark[0].length);
  return { ...item, checked: mark[1] !== " " };
}

function readTable(cursor: BlockCursor): Table {
  const table: Table = { type: "table", align: [], header: [], rows: [] };
  let row: Inline[][] = [];
  while (cursor.at < cursor.tokens.length) {
    const token = cursor.tokens[cursor.at] as Token;
    cursor.at += 1;
    if (token.type === "table_close") break;
    if (token.type === "tr_open") row = [];
    if (token.type === "th_open") {
      const style = String(token.attrGet("style") ?? "");
      table.align.push((["left", "center", "right"] as const).find((side) => style.endsWith(`:${side}`)));
    }
    if (token.type === "th_open" || token.type === "td_open") row.push(readContent(cursor));
    if (token.type === "thead_close") table.header = row;
    else if (token.type === "tr_close" && table.header.length > 0) table.rows.push(row);
  }
  return table;
}

const WRAPPERS = { strong_open: "strong", em_open: "em", s_open: "del" } as const;

/** What may mean something in a line. */
const MEANS = /[\n!&*:<[\\\]_`~]/;

function contentOf(text: string, env: Env): Inline[] {
  if (!MEANS.test(text)) return text === "" ? [] : [{ type: "text", text }];
  const tokens: Token[] = [];
  PARSER.inline.parse(text, PARSER, env, tokens);
  return readInline({ tokens, at: 0 });
}

function readInline(cursor: Cursor): Inline[] {
  const nodes: Inline[] = [];
  while (cursor.at < cursor.tokens.length) {
    const token = cursor.tokens[cursor.at] as Token;
    cursor.at += 1;
    if (token.nesting < 0) break;
    const node = readNode(token, cursor);
    const last = nodes.at(-1);
    if (node?.type === "text" && last?.type === "text") last.text += node.text;
    else if (node !== undefined) nodes.push(node);
  }
  return nodes;
}

function readNode(token: Token, cursor: Cursor): Inline | undefined {
  const url = String(token.attrGet("href") ?? token.attrGet("src") ?? "");
  switch (token.type) {
    case "text":
    // A character that an escape or an entity stands for.
    case "text_special":
      return token.content === "" ? undefined : { type: "text", text: token.content };
    case "code_inline":
      return { type: "code", text: token.content };
    case "softbreak":
    case "hardbreak":
      return { type: "break", hard: token.type === "hardbreak" };
    case "image":
      return { type: "image", url, text: textOf(readInline({ tokens: token.children ?? [], at: 0 })) };
    case "link_open":
      return { type: "link", url, content: readInline(cursor) };
    default: {
      const type = WRAPPERS[token.type as keyof typeof WRAPPERS];
      return type && { type, content: readInline(cursor) };
    }
  }
}
