import { escapeHtml } from "../../text/escape.js";
import { httpUrl } from "../citations.js";
import { type Block, type Inline, type List, type Table, textOf } from "../markdown-tree.js";

/** Of a report, for the table of contents. */
export interface Heading {
  id: string;
  text: string;
  depth: number;
}

/** Markdown as HTML, with the headings in it. */
export interface MarkdownHtml {
  html: string;
  headings: Heading[];
}

/** What a citation becomes. */
export type CitationHtml = (numbers: readonly number[]) => string;

/**
 * Markdown blocks as HTML. Nothing of the text becomes a tag, an attribute or an address but what Markdown itself
 * means: raw HTML is shown as text, links go to http and https only, images become links.
 */
export function markdownToHtml(blocks: readonly Block[], citation: CitationHtml): MarkdownHtml {
  const depths = blocks.flatMap((block) => (block.type === "heading" ? [block.depth] : []));
  const writer = new Writer(
    citation,
    depths.reduce((top, depth) => Math.min(top, depth), 6),
  );
  return { html: writer.blocks(blocks), headings: writer.headings };
}

/** One line of Markdown as HTML. */
export function inlineToHtml(content: readonly Inline[]): string {
  return new Writer(() => "", 1).inline(content);
}

class Writer {
  readonly headings: Heading[] = [];
  readonly #citation: CitationHtml;
  readonly #top: number;

  /** @param top Depth of the report's highest heading. */
  constructor(citation: CitationHtml, top: number) {
    this.#citation = citation;
    this.#top = top;
  }

  blocks(blocks: readonly Block[]): string {
    return blocks.map((block) => this.#block(block)).join("");
  }

  #block(block: Block): string {
    switch (block.type) {
      case "heading":
        return this.#heading(block.depth, block.content);
      case "paragraph":
        return `<p>${this.inline(block.content)}</p>\n`;
      case "quote":
        return `<blockquote>\n${this.blocks(block.blocks)}</blockquote>\n`;
      case "code":
        return `<pre tabindex="0"><code>${escapeHtml(block.text)}\n</code></pre>\n`;
      case "rule":
        return "<hr>\n";
      case "list":
        return this.#list(block);
      case "table":
        return this.#table(block);
      case "definition":
        return "";
    }
  }

  #heading(depth: number, content: Inline[]): string {
    const level = Math.min(6, depth - this.#top + 3);
    const id = `h-${this.headings.length + 1}`;
    this.headings.push({ id, text: textOf(content), depth: level });
    return `<h${level} id="${id}">${this.inline(content)}</h${level}>\n`;
  }

  #list({ start, loose, items }: List): string {
    const tag = start === undefined ? "ul" : "ol";
    const from = start === undefined || start === 1 ? "" : ` start="${start}"`;
    const inner = items.map(({ checked, blocks }) => {
      const box = checked === undefined ? "" : checked ? "☑ " : "☐ ";
      const [first, ...more] = blocks;
      const opening = checked === undefined ? "<li>" : '<li class="task">';
      if (loose || first?.type !== "paragraph") return `${opening}${box}${this.blocks(blocks)}</li>\n`;
      return `${opening}${box}${this.inline(first.content)}${more.length > 0 ? `\n${this.blocks(more)}` : ""}</li>\n`;
    });
    return `<${tag}${from}>\n${inner.join("")}</${tag}>\n`;
  }

  #table({ align, header, rows }: Table): string {
    const row = (cells: readonly Inline[][], tag: "th" | "td") => {
      const written = cells.map((cell, column) => {
        const side = align[column];
        return `<${tag}${side === undefined ? "" : ` class="${side}"`}>${this.#cell(cell)}</${tag}>`;
      });
      return `<tr>${written.join("")}</tr>\n`;
    };
    const body = rows.length > 0 ? `<tbody>\n${rows.map((cells) => row(cells, "td")).join("")}</tbody>\n` : "";
    return `<div class="table" tabindex="0"><table>\n<thead>\n${row(header, "th")}</thead>\n${body}</table></div>\n`;
  }

  /** A date is not broken at its hyphens, however narrow the column is. */
  #cell(content: readonly Inline[]): string {
    return content
      .map((node) =>
        node.type === "text"
          ? escapeHtml(node.text).replace(/\b\d{1,4}-\d{1,2}-\d{1,4}\b/g, '<span class="whole">$&</span>')
          : this.#inlineNode(node),
      )
      .join("");
  }

  inline(content: readonly Inline[]): string {
    return content.map((node) => this.#inlineNode(node)).join("");
  }

  #inlineNode(node: Inline): string {
    switch (node.type) {
      case "text":
        return escapeHtml(node.text);
      case "code":
        return `<code>${escapeHtml(node.text)}</code>`;
      case "strong":
      case "em":
      case "del":
        return `<${node.type}>${this.inline(node.content)}</${node.type}>`;
      case "link":
        return linkHtml(node.url, this.inline(imagesAsText(node.content)));
      case "image":
        return linkHtml(node.url, escapeHtml(node.text || node.url));
      case "break":
        return node.hard ? "<br>\n" : "\n";
      case "citation":
        return this.#citation(node.numbers);
    }
  }
}

/** A link cannot stand inside another one. */
function imagesAsText(content: readonly Inline[]): Inline[] {
  return content.map((node): Inline => {
    if (node.type === "image") return { type: "text", text: node.text || node.url };
    return "content" in node ? { ...node, content: imagesAsText(node.content) } : node;
  });
}

function linkHtml(text: string, content: string): string {
  const url = httpUrl(text);
  if (!url) return content;
  // On paper the address of a link stands behind it, but for one that is its own text.
  const isBare = [text, url.href].some((address) => addressIn(escapeHtml(address)) === addressIn(content));
  return `<a href="${escapeHtml(url.href)}" rel="noopener noreferrer nofollow"${isBare ? ' class="bare"' : ""}>${content}</a>`;
}

/** What tells one address from another for a person. */
function addressIn(text: string): string {
  return text.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}
