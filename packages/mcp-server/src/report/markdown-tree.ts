/** A part of a Markdown text that stands on lines of its own. */
export type Block =
  | { type: "heading"; depth: number; content: Inline[] }
  | { type: "paragraph"; content: Inline[] }
  | List
  | { type: "quote"; blocks: Block[] }
  | { type: "code"; text: string }
  | Table
  | { type: "rule" }
  /** `[label]: url "title"`: shows nothing by itself. */
  | { type: "definition"; label: string; url: string; title: string };

export interface List {
  type: "list";
  /** Number of the first item; a list without numbers has none. */
  start?: number;
  /** The numbers as they stand in the text, where they rise: an author who left some out means them, Markdown does not. */
  written?: number[];
  /** Whether its author left blank lines between what is in it. */
  loose: boolean;
  items: ListItem[];
}

export interface ListItem {
  /** Of a task. */
  checked?: boolean;
  blocks: Block[];
}

export interface Table {
  type: "table";
  align: ("left" | "center" | "right" | undefined)[];
  header: Inline[][];
  rows: Inline[][][];
}

/** A part of a line. */
export type Inline =
  | { type: "text" | "code"; text: string }
  | { type: "strong" | "em" | "del"; content: Inline[] }
  | Link
  | { type: "image"; url: string; text: string }
  /** A new line in the text: one that is to be seen, or just where the author went on in the next line. */
  | { type: "break"; hard: boolean }
  /** `[1]`, `[2, 5]`: numbers of sources, in the place of the text that cites them. */
  | { type: "citation"; numbers: number[] };

export interface Link {
  type: "link";
  /** As the text has it: it may be no address of the web. */
  url: string;
  content: Inline[];
}

/** The words of inline Markdown. */
export function textOf(content: readonly Inline[]): string {
  return content
    .map((node) => {
      if (node.type === "citation") return "";
      if (node.type === "break") return " ";
      return "content" in node ? textOf(node.content) : node.text;
    })
    .join("");
}

/** Every line of these blocks and of those inside them. */
export function* contentsOf(blocks: readonly Block[]): Generator<Inline[], void> {
  for (const block of blocks) {
    if ("content" in block) yield block.content;
    else if (block.type === "quote") yield* contentsOf(block.blocks);
    else if (block.type === "list") for (const item of block.items) yield* contentsOf(item.blocks);
    else if (block.type === "table") {
      yield* block.header;
      for (const row of block.rows) yield* row;
    }
  }
}

/** The same blocks with every line of them changed. */
export function withContents(blocks: readonly Block[], change: (content: Inline[]) => Inline[]): Block[] {
  return blocks.map((block): Block => {
    if ("content" in block) return { ...block, content: change(block.content) };
    if (block.type === "quote") return { ...block, blocks: withContents(block.blocks, change) };
    if (block.type === "list") {
      const items = block.items.map((item) => ({ ...item, blocks: withContents(item.blocks, change) }));
      return { ...block, items };
    }
    if (block.type === "table") {
      return { ...block, header: block.header.map(change), rows: block.rows.map((row) => row.map(change)) };
    }
    return block;
  });
}

/** The links of a line. */
export function* linksOf(content: readonly Inline[]): Generator<Link, void> {
  for (const node of content) {
    if (node.type === "link") yield node;
    else if ("content" in node) yield* linksOf(node.content);
  }
}
