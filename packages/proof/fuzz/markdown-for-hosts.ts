import * as fc from "fast-check";
import MarkdownIt from "markdown-it";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { safeMarkdown } from "../../mcp-server/src/report/safe-markdown.js";
import { must, type Target } from "./target.js";

/** A host that shows everything that Markdown can mean. */
const host = new MarkdownIt({ html: true, linkify: true });
host.validateLink = () => true;

/** What hosts would load, run or follow. */
export function dangersIn(markdown: string): string[] {
  return [...dangersAsTokens(markdown), ...dangersAsPage(markdown)];
}

/** Another reader, which most hosts have, and which knows footnotes. */
const GITHUB = { allowDangerousProtocol: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] };

function dangersAsPage(markdown: string): string[] {
  const page = micromark(markdown, GITHUB);
  const hasHtml = page !== micromark(markdown, { ...GITHUB, allowDangerousHtml: true });
  const tags = [...page.matchAll(/<(?:img|a) [^>]*>/g)].map(([tag]) => tag);
  const loaded = tags.filter((tag) => tag.startsWith("<img") || !isFollowed(/\shref="([^"]*)"/.exec(tag)?.[1] ?? ""));
  return [...(hasHtml ? ["HTML"] : []), ...loaded];
}

/** Whether an address is none but of the web or mail. */
function isFollowed(href: string): boolean {
  return !/^\s*[a-z][a-z\d+.-]*:/i.test(href) || /^(?:https?|mailto):/i.test(href);
}

function dangersAsTokens(markdown: string): string[] {
  const tokens = host.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  return tokens.flatMap(({ type, content, attrs }) => {
    if (/^html_|^image$/.test(type)) return [content];
    const href = type === "link_open" ? String(attrs?.find(([name]) => name === "href")?.[1]) : "";
    return isFollowed(href) ? [] : [href];
  });
}

/** What images, HTML, links and code begin and end with. */
const PIECES = [
  ..."a \n`<>[]()!:\\|-#&~\"'",
  ...[
    "\n\n",
    "    ",
    "```\n",
    "~~~\n",
    "``",
    "> ",
    "- ",
    "1. ",
    "| a |\n|---|\n| ",
    "[a]: ",
    "[a]",
    "a[^1]",
    "\n\n[^1]: ",
    "a[^1]\n\n[^1]: ![a](b)",
    "![a](b)",
    "](",
    "](javascript:x)",
  ],
  ...[
    "<img src=x>",
    '<b x="',
    "<!--",
    "-->",
    "<?",
    "<![CDATA[",
    "<script>",
    "</script>",
    "<div>\n",
    "javascript:x",
    "<https://a.example/`>",
  ],
  ...["&#106;avascript:x", '[a]: javascript:x "`"\n', "\\`", "\\<", "\\!", "<a@b.example>"],
  ...[
    "https://a.example/",
    "www.a.b/",
    "://",
    "* ",
    "\t",
    "===\n",
    "---\n",
    "<br>",
    "[x]: <https://b.example>\n",
    "![",
  ],
];

/** Markdown of any kind, most of it broken. */
export const pieced: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 24 })
  .map((pieces) => pieces.join(""));

/** Throws when a host would load, run or follow something of it, or when more than an address is lost. */
export function mustBeSafe(markdown: string): void {
  const safe = safeMarkdown(markdown);
  const dangers = dangersIn(safe);
  must(dangers.length === 0, () => `a host finds ${JSON.stringify(dangers)} in ${JSON.stringify(safe)}`);
  // A definition that leads nowhere good loses its address.
  if (safe.includes("]: # ''")) return;
  must(withoutEscapes(safe) === withoutEscapes(markdown), () => `${JSON.stringify(safe)} is another text`);
}

function withoutEscapes(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&#33;", "!").replaceAll("\\", "");
}

export const markdownForHosts: Target = {
  name: "markdown for hosts",
  about: "Pieces of Markdown and HTML: a host that shows all of it loads nothing, runs nothing, follows the web alone.",
  async open() {
    return { property: fc.asyncProperty(pieced, async (text) => mustBeSafe(text)), close: async () => {} };
  },
};
