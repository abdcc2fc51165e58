import { Parser, Renderer, type Token, type Tokens } from "marked";
import { decodeEntities, escapeHtml } from "../../text/escape.js";
import { type CitationToken, httpUrl, textOf } from "../citations.js";

export interface Heading {
  id: string;
  text: string;
  depth: number;
}

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
export function markdownToHtml(blocks: readonly Token[], citation: CitationHtml): MarkdownHtml {
  const headings: Heading[] = [];
  const top = Math.min(
    6,
    ...blocks.flatMap((block) => (block.type === "heading" ? [(block as Tokens.Heading).depth] : [])),
  );
  class SafeRenderer extends Renderer {
    override heading({ tokens, depth }: Tokens.Heading): string {
      const level = Math.min(6, depth - top + 3);
      const id = `h-${headings.length + 1}`;
      headings.push({ id, text: textOf(tokens.filter((token) => token.type !== "citation")), depth: level });
      return `<h${level} id="${id}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    }
    override html({ text }: Tokens.HTML | Tokens.Tag): string {
      return escapeHtml(text);
    }
    override text(token: Tokens.Text | Tokens.Escape): string {
      return "tokens" in token && token.tokens
        ? this.parser.parseInline(token.tokens)
        : escapeHtml(decodeEntities(token.text));
    }
    override codespan({ text }: Tokens.Codespan): string {
      return `<code>${escapeHtml(text)}</code>`;
    }
    override code({ text }: Tokens.Code): string {
      return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
    }
    override link({ href, tokens }: Tokens.Link): string {
      return linkHtml(href, this.parser.parseInline(tokens));
    }
    override image({ href, text }: Tokens.Image): string {
      return linkHtml(href, escapeHtml(text || href));
    }
    override table(token: Tokens.Table): string {
      return `<div class="table" tabindex="0">${super.table(token)}</div>\n`;
    }
    override checkbox({ checked }: Tokens.Checkbox): string {
      return checked ? "☑ " : "☐ ";
    }
  }
  const html = Parser.parse([...blocks], {
    renderer: new SafeRenderer(),
    extensions: { childTokens: {}, renderers: { citation: (token) => citation((token as CitationToken).numbers) } },
  });
  return { html, headings };
}

function linkHtml(href: string, content: string): string {
  const url = httpUrl(href);
  return url ? `<a href="${escapeHtml(url.href)}" rel="noopener noreferrer nofollow">${content}</a>` : content;
}
