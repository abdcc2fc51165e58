import { type Node, Parser } from "commonmark";
import * as fc from "fast-check";
import MarkdownIt from "markdown-it";
import { marked, type Token } from "marked";
import { compile, type Options, parse, postprocess, preprocess } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { safeMarkdown } from "../../mcp-server/src/report/safe-markdown.js";
import { must, type Target } from "./target.js";

/** A host that shows everything that Markdown can mean. */
const host = new MarkdownIt({ html: true, linkify: true });
host.validateLink = () => true;

const COMMONMARK: Options = { allowDangerousProtocol: true };
/** Knows footnotes, tables and bare addresses. */
const GITHUB: Options = { ...COMMONMARK, extensions: [gfm()], htmlExtensions: [gfmHtml()] };

/** Readers that hosts have. They do not agree on where code begins and ends. */
const READERS: Readonly<Record<string, (markdown: string) => string[]>> = {
  "markdown-it": dangersAsTokens,
  micromark: (markdown) => dangersAsPage(markdown, COMMONMARK),
  "micromark with GFM": (markdown) => dangersAsPage(markdown, GITHUB),
  marked: (markdown) => dangersInMarked(marked.lexer(markdown)),
  "commonmark.js": dangersInTree,
};

/** What hosts would load, run or follow, each with the reader that finds it. */
export function dangersIn(markdown: string): string[] {
  return Object.entries(READERS).flatMap(([name, read]) => read(markdown).map((danger) => `${name}: ${danger}`));
}

function dangersAsPage(markdown: string, options: Options): string[] {
  const events = postprocess(
    parse(options)
      .document()
      .write(preprocess()(markdown, undefined, true)),
  );
  const hasHtml = events.some(([, { type }]) => type === "htmlFlow" || type === "htmlText");
  const page = compile(options)(events);
  const tags = [...page.matchAll(/<(?:img|a) [^>]*>/g)].map(([tag]) => tag);
  const loaded = tags.filter((tag) => tag.startsWith("<img") || !isFollowed(/\shref="([^"]*)"/.exec(tag)?.[1] ?? ""));
  return [...(hasHtml ? ["HTML"] : []), ...loaded];
}

/** Whether an address, as it stands in a page, is none but of the web or mail. */
function isFollowed(href: string): boolean {
  // Browsers leave out tabs and line ends.
  const url = host.utils.unescapeAll(href).replace(/[\t\n\r]/g, "");
  return !/^\s*[a-z][a-z\d+.-]*:/i.test(url) || /^(?:https?|mailto):/i.test(url);
}

function dangersAsTokens(markdown: string): string[] {
  const tokens = host.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  return tokens.flatMap(({ type, content, attrs }) => {
    if (/^html_|^image$/.test(type)) return [content];
    const href = type === "link_open" ? String(attrs?.find(([name]) => name === "href")?.[1]) : "";
    return isFollowed(href) ? [] : [href];
  });
}

function dangersInMarked(tokens: Token[]): string[] {
  const dangers: string[] = [];
  marked.walkTokens(tokens, ({ type, raw, ...token }) => {
    if (type === "html" || type === "image") dangers.push(raw);
    if (type === "link" && "href" in token && !isFollowed(String(token.href))) dangers.push(raw);
  });
  return dangers;
}

function dangersInTree(markdown: string): string[] {
  const dangers: string[] = [];
  const walker = new Parser().parse(markdown).walker();
  for (let step = walker.next(); step !== null; step = walker.next()) {
    const { type, literal, destination }: Node = step.node;
    if (/^html_|^image$/.test(type)) dangers.push(literal ?? type);
    if (type === "link" && !isFollowed(destination ?? "")) dangers.push(String(destination));
  }
  return dangers;
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
  ...[
    "``` a b\n",
    '```"onclick="x\n',
    "````\n",
    '(http://a.example/"onclick="x)',
    "<https://a onclick=x>",
    "<a@b/onclick=x>",
    '(http://a.example/\u00a0"onclick="x)',
    "\u3000",
    "onclick=",
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

const broken = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join(""));

/** What stands before a line's text: nothing mostly, or what a container asks for. */
const BEFORE = [
  "",
  "",
  "",
  "- ",
  "  ",
  "   ",
  "    ",
  "> ",
  ">",
  "> - ",
  "1. ",
  "2) ",
  "\t",
  "- - ",
  "- [ ] ",
  "[^1]: ",
  "      ",
];
/** Lines on which readers disagree: fences of all kinds, definitions, lazy lines, and what would act if it were text. */
const LINES = [
  ...[
    "```",
    "```",
    "```",
    "~~~",
    "````",
    "```js",
    "``` b c",
    '```"onclick="x',
    "``` `",
    "~~~ `x`",
    "```~",
    "~~~`",
    "``` ",
    "```\t",
  ],
  ...[
    "![i](http://e/i)",
    "<img src=x>",
    "[x](javascript:a)",
    "`<b>`",
    "`![i](u)`",
    "[x] (javascript:a)",
    '[x](http://a/"onclick="b) <http://c onclick=d> <e@f onclick=g>',
    "[r][a] ![a] ![r][a]",
    "**b** `a <i> b`",
  ],
  ...["[a]: javascript:x", "[a]: /b", "[a]: /b '", "[a]:", "/b", "'x", "[", "[a", "]: x", ']: x "', '"', "(", ")"],
  ...["", "", "text", "lazy `", "| a | b |", "|---|---|", "| ` | <b> ` |", "===", "---", "# h", "item", "<div>", "\t"],
];
const lines = fc
  .array(fc.tuple(fc.constantFrom(...BEFORE), fc.constantFrom(...LINES), fc.constantFrom("\n", "\n", "\n\n")), {
    maxLength: 10,
  })
  .map((written) => written.flat().join(""));

/** Markdown of any kind, most of it broken. */
export const pieced: fc.Arbitrary<string> = fc.oneof(broken, lines);

/**
 * Throws when a host would load, run or follow something of it, when a word is lost, or when what stands before it changes
 * it. Fences may be written otherwise.
 */
export function mustBeSafe(markdown: string): void {
  const safe = safeMarkdown(markdown);
  const dangers = dangersIn(safe);
  must(dangers.length === 0, () => `a host finds ${JSON.stringify(dangers)} in ${JSON.stringify(safe)}`);
  must(safeMarkdown(safe) === safe, () => `${JSON.stringify(safe)} is not safe yet`);
  must(withoutEscapes(safe) === withoutEscapes(markdown), () => `${JSON.stringify(safe)} is another text`);
  const behindAnother = safeMarkdown(`![h]\n\n${markdown}`);
  must(
    withoutFences(behindAnother) === withoutFences(`&#33;[h]\n\n${safe}`),
    () => `${JSON.stringify(markdown)} is ${JSON.stringify(behindAnother)} behind what is looked at`,
  );
}

/** Without the lines that may be written otherwise. */
function withoutFences(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/`{3}|~{3}/.test(line))
    .join("\n");
}

function withoutEscapes(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&#33;", "!")
    .replaceAll("&quot;", '"')
    .replace(/%(?:20|09|28|29|22|27)/g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    .replace(/[\\<> \t]/g, "")
    .replace(/`{3,}/g, "```")
    .replace(/~{3,}/g, "~~~")
    .replace(/[\n`~]+$/, "");
}

export const markdownForHosts: Target = {
  name: "markdown for hosts",
  about: "Pieces of Markdown and HTML: a host that shows all of it loads nothing, runs nothing, follows the web alone.",
  async open() {
    return { property: fc.asyncProperty(pieced, async (text) => mustBeSafe(text)), close: async () => {} };
  },
};
