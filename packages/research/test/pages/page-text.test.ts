import { expect, test } from "vitest";
import { makePageText } from "../../src/pages/text/page-text.js";
import { MAIN_PART_END } from "../../src/quotes/part-boundary.js";
import { simplePdf } from "./simple-pdf.js";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = async (html: string, contentType = "text/html; charset=utf-8") =>
  (await makePageText({ url: "https://a.org/x/", bytes: bytesOf(html), contentType })).text;

test.each([
  [
    "headings and paragraphs",
    "<h1>Tides</h1><p>One<p>two <b>and</b> <i>three</i>.",
    "# Tides\n\nOne\n\ntwo and three.",
  ],
  ["blanks as a browser joins them", "<p>a \n  b<br>c&nbsp;d</p>", "a b\nc\u00a0d"],
  ["words beside each other", "<p>im<b>pass</b>able <span>10</span>&nbsp;km", "impassable 10\u00a0km"],
  ["lists", "<ul><li>a<li>b<ul><li>c</ul></ul><ol start=3><li>d<li>e</ol>", "- a\n- b\n  - c\n\n3. d\n4. e"],
  ["definitions", "<dl><dt>Term<dd>Meaning</dl>", "Term\nMeaning"],
  [
    "a table with its cells apart",
    "<table><tr><th>Year<th>Value<tr><td>2024<td>12</table>",
    "| Year | Value |\n|---|---|\n| 2024 | 12 |",
  ],
  ["a table that arranges a page", "<table><tr><td><h2>Left</h2>text<td>right</table>", "## Left\n\ntext\n\nright"],
  [
    "exponents, indices, notes",
    "10<sup>3</sup> km<sup>2</sup> of H<sub>2</sub>O<sup><a href='#n'>1</a></sup> x<sup>i</sup> 1<sup>st</sup>",
    "10³ km² of H₂O[1] x^(i) 1st",
  ],
  [
    "code as it stands",
    "<pre><code>if (a)\n    b();</code></pre> and <code>c</code>",
    "```\nif (a)\n    b();\n```\n\nand `c`",
  ],
  ["a quotation", "<blockquote><p>said<p>again</blockquote><q>short</q>", "> said\n>\n> again\n\n“short”"],
  [
    "links once, without the origin of the page",
    "<a href='/y'>y</a> <a href='https://b.org/(z)'>z</a> <a href='/y'>again</a> <a href='#p'>part</a> <a href='javascript:x'>s</a>",
    "[y](/y) [z](https://b.org/%28z%29) again part s",
  ],
  ["a card that is a link", "<a href='/c'><div><h3>Card</h3>text</div></a>", "### Card\n\ntext\n\n</c>"],
  [
    "what nobody sees",
    "<p>seen<!-- no --><script>no</script><style>no</style><template>no</template><noscript>no</noscript><span hidden>no</span><span style='DISPLAY : none'>no</span><svg><text>no</text></svg><select><option>no</select> too",
    "seen too",
  ],
  ["marks that turn the text", "<p>a\u202Eb\u0007c\u001Ed", "abcd"],
  ["entities", "<p>caf&eacute; &amp; &#8217; &lt;b&gt;", "café & ’ <b>"],
  ["a cell with a bar", "<table><tr><td>a|b<td>c</table>", "| a\\|b | c |"],
])("%s", async (_, html, text) => {
  expect(await textOf(html)).toBe(text);
});

test("ruby: as it is shown, then for quotations without the readings and with them", async () => {
  const text = await textOf("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>");
  expect(text.split(/[^\p{L}()]+/u)).toEqual(["漢(kan)", "漢", "漢(kan)"]);
});

const LONG = "The tide rises twice a day because the Earth turns under the bulges of the sea. ".repeat(8);

test("of a long page the one element that says it is the main part comes first, without a search", async () => {
  const meta = '<meta name="author" content="A. B."><meta property="article:published_time" content="2026-05-01">';
  const around = `<nav><a href=/1>Menu</a></nav><p>${LONG}</p>`;
  const long = `<h2>Tides</h2>${`<p>${LONG}</p>`.repeat(400)}`;
  const page = (body: string) => ({
    url: "https://a.org/",
    bytes: bytesOf(`<html><head><title>T</title>${meta}</head><body>${around}${body}<footer>Imprint</footer>`),
    contentType: "text/html",
  });
  const partsOf = async (body: string) => (await makePageText(page(body))).text.split(MAIN_PART_END);
  for (const body of [`<main>${long}</main>`, `<div role="main">${long}</div>`, `<article>${long}</article>`]) {
    const [main = "", whole = "", ...more] = await partsOf(body);
    expect(main.trim()).toMatch(/^## Tides\n\n/);
    expect(main).not.toContain("Imprint");
    expect(whole.trim()).toMatch(/^\[?Menu/);
    expect(whole.trim()).toMatch(/Imprint$/);
    expect(more).toEqual([]);
  }
  // Several say nothing, and neither does one that holds next to nothing.
  expect(await partsOf(`<article>${long}</article><article>${long}</article>`)).toHaveLength(1);
  expect(await partsOf(`${long}<main>Read on.</main>`)).toHaveLength(1);
  expect(await makePageText(page(`<main>${long}</main>`))).toMatchObject({ author: "A. B.", published: "2026-05-01" });
});

test("a long page that is one part has the targets of its links, its title, and both readings of characters", async () => {
  const long = `<p>${LONG}<a href="/sea">sea</a></p>`.repeat(400);
  const [head, ruby] = ['<title>Tides</title><meta name="author" content="A. B.">', "<ruby>漢<rt>kan</rt></ruby>"];
  const read = (body: string) =>
    makePageText({ url: "https://a.org/", bytes: bytesOf(`${head}${body}`), contentType: "text/html" });
  const page = await read(long);
  expect(page).toMatchObject({ title: "Tides", author: "A. B." });
  expect(page.text).toMatch(/^The tide[\s\S]*\[sea\]\(\/sea\)/);
  expect(page.text).not.toContain(MAIN_PART_END);
  const { text } = await read(`${long}<p>${ruby}</p>`);
  expect(text.match(/漢(?:\(kan\))?/g)).toEqual(["漢(kan)", "漢", "漢(kan)"]);
});

test("the main part comes first, then the whole page behind a boundary", async () => {
  const html = `<html><head><title>Tides - Site</title><meta property="article:author" content="A. B."></head><body><nav><a href=/1>Menu</a></nav><article><h1>Tides</h1><p>${LONG}</p><p>${LONG}</p></article><footer>Imprint</footer>`;
  const page = await makePageText({ url: "https://a.org/", bytes: bytesOf(html), contentType: "text/html" });
  const [main = "", whole = ""] = page.text.split(MAIN_PART_END);
  expect(main).toContain(LONG.trim());
  expect(main).not.toMatch(/Menu|Imprint/);
  expect(whole).toMatch(/Menu[\s\S]*Imprint/);
  expect(page.title).toMatch(/^Tides/);
});

const WORDS = "The boats of the lake are counted each spring, and their owners, who pay by length, are written to.";
const mainPartOf = async (html: string) => (await textOf(html)).split(MAIN_PART_END)[0]?.trim();

test.each([
  [
    "elements and attributes in capitals",
    `<HTML><HEAD><TITLE>Lake</TITLE></HEAD><BODY><DIV CLASS="sidebar"><P>${LONG}</P></DIV><DIV CLASS="post"><P>${LONG}</P><P>${WORDS}</P></DIV></BODY></HTML>`,
    `${LONG.trim()}\n\n${WORDS}`,
  ],
  [
    "lines that are apart as paragraphs are, without a head",
    `<html><body><div id=menu><a href=/>Home</a></div><div>${LONG}<br><br><font>${WORDS}</font></div>`,
    `${LONG.trim()}\n\n${WORDS}`,
  ],
  [
    "what looks like remarks and is all there is",
    `<html><body><div class=comment>${LONG}<!-- by hand --></div><div class=comment>${WORDS} <a href="javascript:vote()">Vote</a> <a href=/lake>lake</a></div><footer>Imprint</footer>`,
    `${LONG.trim()}\n\n${WORDS} Vote [lake](/lake)`,
  ],
  [
    "a cell that is alone in its table, and a table of values",
    `<html><body><div><table><tr><td><p>${LONG}</td></tr></table><table><tr><th>Boats<th>Owners<tr><td>12<td>9</table><aside>Home</aside></div>`,
    `${LONG.trim()}\n\n| Boats | Owners |\n|---|---|\n| 12 | 9 |`,
  ],
])("the main part: %s", async (_, html, text) => {
  expect(await mainPartOf(html)).toBe(text);
});

test.each([
  ["by a class", "<style>.a{color:red;display:none}</style><p class='b a'>no</p><p>yes"],
  [
    "by an id, an element and classes together",
    "<style>#x,i.a.b{visibility:hidden}</style><p id=x>no</p><i class='b a'>no</i><i class=a>yes",
  ],
  [
    "for every screen",
    "<style>@media screen{.a{display:none!important}}</style><p class=a style='display:block'>no</p><p>yes",
  ],
  [
    "by the rule that counts",
    "<style>.a{display:none}.a.on{display:block}.a.on{color:red}</style><p class=a>no</p><p class='a on'>yes",
  ],
])("what a style sheet of the page hides %s", async (_, html) => {
  expect(await textOf(`${html}</p><p>${LONG}`)).toBe(`yes\n\n${LONG.trim()}`);
});

test.each([
  ["on paper", "<style media=print>.a{display:none}</style><style>@media print{.a{display:none}}</style>"],
  ["on narrow screens", "<style>@media (max-width:9em){.a{display:none}}</style>"],
  ["unless a script changes it", "<style>.a{display:none}.on .a{display:block}</style>"],
  ["inside of others", "<style>.b .a{display:none}</style>"],
  ["in a comment", "<!--<style>.a{display:none}</style>--><style>/*.a{display:none}*/</style>"],
  ["as long as scripts load", "<style>body,main,.a,.c{display:none}</style>"],
  ["without scripts", "<noscript><style>.a{display:none}</style></noscript>"],
  ["with the style of its own", "<style>.a{display:none}</style>"],
])("what a style sheet hides %s is seen", async (_, style) => {
  expect(await textOf(`${style}<div class=c><p class=a style='display:block'>yes</p><p>${LONG}`)).toContain("yes");
});

/** A page with a main part that holds some HTML. */
const withMain = (inside: string, head = "") =>
  `<html><head>${head}</head><body><nav><a href=/1>Menu</a></nav><article><h1>Tides</h1><p>${LONG}${inside}end</p><p>${LONG}</p></article><footer>Imprint</footer>`;

test.each([
  ["a style sheet", "<span class=a>not </span>", "<style>.a{display:none}</style>"],
  ["a style that counts more than others", '<span style="display:none !important">not </span>', ""],
  ["its visibility", '<span style="visibility:collapse">not </span>', ""],
  ["its content's visibility", '<span style="content-visibility:hidden">not </span>', ""],
  ["an attribute", "<span hidden>not </span>", ""],
  ["a dialog that is closed", "<dialog>not </dialog>", ""],
])("what %s hides is not in the main part either", async (_, inside, head) => {
  const text = await textOf(withMain(inside, head));
  expect(text).toContain(MAIN_PART_END);
  expect(text).not.toContain("not ");
});

test("the whole page has no marks of code and no readings: the main part has", async () => {
  const text = await textOf(withMain("<code>x_y</code> <ruby>雪坂<rp>(</rp><rt>ゆきさか</rt></ruby> "));
  const [main, whole] = text.split(MAIN_PART_END);
  expect(main).toContain("`x_y` 雪坂(ゆきさか) end");
  expect(whole).toContain("x_y 雪坂 end");
});

test("elements in each other by the thousand are read to the end", async () => {
  const deep = (open: string) => `${open.repeat(5_000)}<p>deep</p>${"<p>x</p>".repeat(1_000)}<p>end</p>`;
  for (const open of ["<div>", "<a href=/1>", "<table><tr><td>", "<sup>", "<ul><li>"]) {
    const text = await textOf(deep(open));
    expect(text).toContain("deep");
    expect(text).toContain("end");
  }
  expect(await textOf(`${"<b>".repeat(5_000)}in${"</b>".repeat(5_000)}<p>out`)).toBe("in\n\nout");
  expect(await textOf(`<p>seen</p><b>${"<b>".repeat(600)}<i hidden>no</i>no${"</b>".repeat(601)}<p>too`)).toBe(
    "seen\n\ntoo",
  );
});

test.each<[string, string]>([
  ["an image of many attributes", `<img ${Array.from({ length: 10_000 }, (_, at) => `a${at}`).join(" ")}>`],
  ["a long list of pictures", `<ul class=content>${"<li>a</li>".repeat(17_000)}${"<img src=a.jpg>".repeat(2)}</ul>`],
  ["lists in each other", `${"<ul><li>".repeat(110)}${"word  ".repeat(15_000)}`],
  ["an address that goes on and on", `<img src=a.jpg srcset="${"a".repeat(150_000)} b">`],
  ["a value that is like many names of pictures", `<img data-a="${".jpg".repeat(40_000)} b">`],
  ["a property of blanks", `<meta property="${" ".repeat(150_000)}a" content=b>`],
  [
    "a long title and many headings",
    `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", "@type": "Article", headline: "a b ".repeat(20_000) })}</script>${"<h2>c d</h2>".repeat(8_000)}`,
  ],
])("%s keeps the search for the main part no longer than others", { timeout: 30_000 }, async (_, inside) => {
  const before = process.cpuUsage();
  expect(await textOf(withMain(`${inside}</ul>`))).toContain(MAIN_PART_END);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000, "milliseconds of the processor").toBeLessThan(4_000);
});

test("a page without a main part is shown whole", async () => {
  expect(await textOf("<nav><a href=/1>One</a></nav><p>short</p>")).toBe("[One](/1)\n\nshort");
});

test.each([
  ["text/plain", "a\r\nb", "a\nb"],
  ["application/json", '{"a": 1}', '{"a": 1}'],
  [
    "application/json",
    '{"a":"Mj\\u00f8lnes\\n24 m\\/s \\"x\\" \\u0022 \\\\n"}',
    '{"a":"Mjølnes 24 m/s \\"x\\" \\u0022 \\\\n"}',
  ],
  ["text/csv", "a,b\n1,2", "a,b\n1,2"],
  ["application/rss+xml", "<a>b &amp; c</a>", "<a>b &amp; c</a>"],
  ["application/rss+xml", "<!-- no\n--><a>b<!-- no --> c</a><!-- no", "<a>b c</a>"],
  ["application/rss+xml", "<a><![CDATA[b<!-- no --> c<!-- no]]></a><b>d", "<a><![CDATA[b c]]></a><b>d"],
  ["application/rss+xml", "<a>b&lt;!-- no --> no--&gt; c&lt;!-- no</a><b>d", "<a>b c</a><b>d"],
  ["", "<!DOCTYPE html><p>a", "a"],
  ["application/octet-stream", "plain words", "plain words"],
])("%s", async (contentType, bytes, text) => {
  expect(await textOf(bytes, contentType)).toBe(text);
});

test.each([
  ["image/png", bytesOf("\u0089PNG"), "cannot be read as text: it is image/png"],
  ["", Uint8Array.of(0, 1, 2, 0), "cannot be read as text: it is of no known type"],
  ["text/html", bytesOf("<script>render()</script>"), "holds no text; a script may put it there"],
  ["application/pdf", bytesOf("%PDF-1.4 broken"), "cannot be read as PDF"],
  ["text/plain", bytesOf(" \n"), "holds no text"],
])("%s that holds no text is said", async (contentType, bytes, message) => {
  await expect(makePageText({ url: "https://a.org/", bytes, contentType })).rejects.toMatchObject({
    name: "UnreadablePageError",
    message: expect.stringContaining(message),
  });
});

test.each([
  ["by the header", "text/html; charset=ISO-8859-1", [0x93, 0x63, 0x61, 0x66, 0xe9, 0x94, 0x80], "“café”€"],
  ["by the header, quoted", 'text/html; charset="shift_jis"', [0x8c, 0x8e], "月"],
  ["by a byte order mark, against the header", "text/plain; charset=latin1", [0xff, 0xfe, 0x08, 0x67], "月"],
  ["without a word: UTF-8 where it is valid", "text/plain", [0xc3, 0xa9], "é"],
  ["without a word: windows-1252 where it is not", "text/plain", [0x92, 0xe9], "’é"],
  ["with a charset that nobody knows", "text/plain; charset=klingon", [0xc3, 0xa9], "é"],
])("charset %s", async (_, contentType, bytes, text) => {
  const page = await makePageText({ url: "https://a.org/", bytes: Uint8Array.from(bytes), contentType });
  expect(page.text).toBe(text);
});

test.each([
  ['<meta charset="windows-1251"><p>\u00cc', "М"],
  ['<meta http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>\u00ed', "М"],
  ['<?xml version="1.0" encoding="iso-8859-2"?><html><p>\u00b1', "ą"],
  ["<p>charset=koi8-r \u00e9", "charset=koi8-r é"],
])("charset that a page says of itself: %s", async (html, text) => {
  const bytes = Uint8Array.from(html, (char) => char.charCodeAt(0));
  expect((await makePageText({ url: "https://a.org/", bytes, contentType: "text/html" })).text).toBe(text);
});

test("a PDF is read page by page, with raised figures apart", async () => {
  const bytes = simplePdf([
    ["The first page says", "that tides rise."],
    ["The second has 10", { raised: "3" }, " ships."],
  ]);
  const page = await makePageText({ url: "https://a.org/a.pdf", bytes, contentType: "application/pdf" });
  expect(page.text).toMatch(/^The first page says\s+that tides rise\.\s+The second has 10³ ships\.$/);
  expect(page.pageStarts?.map((start) => page.text.slice(start, start + 10))).toEqual(["The first ", "The second"]);
});

// Each would take minutes, or all of the stack, if it were read in another way.
test.each([
  ["one line of ten million characters", `<p>${"word ".repeat(2_000_000)}`],
  ["deep nesting", `${"<div>".repeat(300_000)}deep`],
  ["deep nesting of what is inline", `${"<b><a href=/x>".repeat(100_000)}deep`],
  ["lists in lists", `${"<ul><li>".repeat(20_000)}deep`],
  ["tables in tables", `${"<table><tr><td>".repeat(20_000)}deep`],
  ["quotations in quotations", `${"<blockquote>".repeat(5_000)}deep`],
  ["tags that do not end", "<a ".repeat(500_000)],
  ["entities", "&amp;".repeat(500_000)],
  ["raised text", `${"<sup>".repeat(50_000)}1`],
  ["attributes", `<p ${"a ".repeat(300_000)}>text`],
])("a page of %s is read", async (_, html) => {
  const text = await textOf(`<p>begin</p>${html}`);
  expect(text).toMatch(/^begin/);
  expect(text.length).toBeLessThanOrEqual(3_100_000);
});
