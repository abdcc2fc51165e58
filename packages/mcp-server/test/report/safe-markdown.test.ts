import { expect, test } from "vitest";
import { safeMarkdown } from "../../src/report/safe-markdown.js";

test.each([
  ["an image", "see ![a map](https://a.example/m.png) here", "see &#33;[a map](https://a.example/m.png) here"],
  ["an image by reference", "![map][1]\n\n[1]: https://a.example/", "&#33;[map][1]\n\n[1]: https://a.example/"],
  ["one that is escaped already", "\\![a](b) \\\\![c](d)", "&#33;[a](b) \\\\&#33;[c](d)"],
  ["HTML", "a <b>c</b> <!-- d --> <?e?>", "a &lt;b>c&lt;/b> &lt;!-- d --> &lt;?e?>"],
  ["a script", "<script>\nalert(1)\n</script>", "&lt;script>\nalert(1)\n&lt;/script>"],
  ["HTML behind an address", "https://a.example/<img>", "https://a.example/&lt;img>"],
  ["a script's address", "[x](javascript:alert(1))", "[x]\\(javascript:alert(1))"],
  ["one that is written in another way", "[x]( <JAVA&#115;cript:alert(1)>)", "[x]\\( &lt;JAVA&#115;cript:alert(1)>)"],
  ["data", "[x](data:text/html,y) [z](DATA:a)", "[x]\\(data:text/html,y) [z]\\(DATA:a)"],
  [
    "a definition that leads nowhere good",
    "[x][a]\n\n[a]: javascript:alert(1) 'y'",
    "[x][a]\n\n[a]\\: javascript:alert(1) 'y'",
  ],
  [
    "an image in a footnote",
    "tides[^1]\n\n[^1]: ![a](https://a.example/m.png)",
    "tides[^1]\n\n[^1]: &#33;[a](https://a.example/m.png)",
  ],
  ["an address of another kind in angles", "<javascript:alert(1)>", "&lt;javascript:alert(1)>"],
])("%s", (_what, text, safe) => {
  expect(safeMarkdown(text)).toBe(safe);
  expect(safeMarkdown(safe)).toBe(safe);
});

test.each([
  [
    "a link in a footnote",
    "tides[^1]\n\n[^1]: [a](javascript:alert(1))",
    "tides[^1]\n\n[^1]: [a]\\(javascript:alert(1))",
  ],
  [
    "what only some take for a definition",
    '[a]: {["![b](https://a.example/m.png)](javascript:x)#',
    '[a]\\: {["&#33;[b](https://a.example/m.png)]\\(javascript:x)#',
  ],
])("%s", (_what, text, safe) => {
  expect(safeMarkdown(text)).toBe(safe);
  expect(safeMarkdown(safe)).toBe(safe);
});

test.each([
  [
    "links and citations",
    "[a](https://a.example/) [1] <https://b.example/> [m](mailto:a@b.example) [p](#part) [r](page.html)",
  ],
  ["signs of comparison", "a < b, 1<2, x <- y"],
  ["code", "`<b>` ``a ` ![x](y)``\n\n```html\n<script>![a](b)</script>\n```\n\n- item\n\n  ~~~\n  <i>\n  ~~~"],
  ["code in a table", "| a | b |\n|---|---|\n| `<td>` | x |"],
  [
    "code at the top, and in items",
    "Steps:\n1. Do `Map<string>`\n   ```ts\n   x<y>\n\n   ```\n\n- **a**\n  ~~~\n  <i>\n  ~~~\n```md\n![a](b)\n```",
  ],
  ["code with a bar", "`Map<string> | undefined` and [a](https://a.example/)\n\n[b]: # 'c'"],
  [
    "addresses in angles",
    "<https://a.example/?x=y> <a@b.example> <mailto:a@b.example> [m](<mailto:a@b.example>) [s](<https://a.example/x y>)",
  ],
  ["definitions and footnotes", '[a]: https://a.example/ "t"\n[^1]: Source: (tides) a.html\nSources [1]:\n\n- a'],
])("%s stay as they are", (_what, text) => {
  expect(safeMarkdown(text)).toBe(text);
});

test.each([
  ["```html\n<b>", "```html\n<b>\n```"],
  ["~~~~\n![a](b)\n\n", "~~~~\n![a](b)\n\n~~~~\n"],
  ["- a\n  ``` html \n  <b>\n  ````  \n", "- a\n  ```html\n  <b>\n  ```\n"],
])("a fence is written as all readers know it: %j", (text, safe) => {
  expect(safeMarkdown(text)).toBe(safe);
  expect(safeMarkdown(safe)).toBe(safe);
});

test("a quotation mark behind a link is none in its address", () => {
  const text = '"[a](https://a.example/b_(c))" ["d"](https://a.example/ "e") ("[f](#g)") ![h]';
  expect(safeMarkdown(text)).toBe(text.replace("![h]", "&#33;[h]"));
});

test("what is indented is code for some readers and HTML for others", () => {
  expect(safeMarkdown("a\n\n    <indented>")).toBe("a\n\n    &lt;indented>");
});

test("a backtick of one block or one cell does not hide what stands in the next", () => {
  expect(safeMarkdown("a `b\n\n<img src=x> `")).toBe("a `b\n\n&lt;img src=x> `");
  expect(safeMarkdown("| ` | <img src=x> ` |\n|---|---|")).toBe("| ` | &lt;img src=x> ` |\n|---|---|");
  expect(safeMarkdown('<b x="`"> `<img src=x>`')).toBe('&lt;b x="`"> `&lt;img src=x>`');
  expect(safeMarkdown("[a](b)]: javascript:x\n\n[a]: b\n    [c]: javascript:x")).toBe(
    "[a](b)]\\: javascript:x\n\n[a]: b\n    [c]\\: javascript:x",
  );
  expect(safeMarkdown('[a]: javascript:x "`"\nb ` <img src=x> `')).toBe(
    '[a]\\: javascript:x "`"\nb ` &lt;img src=x> `',
  );
  expect(safeMarkdown("[a https://b](javascript:x) https://a>\\` `<img>`")).toBe(
    "[a https://b]\\(javascript:x) https://a>\\` `&lt;img>`",
  );
  expect(safeMarkdown("`a\n<div>` <b>")).toBe("`a\n&lt;div>` &lt;b>");
  expect(safeMarkdown("https://a.example/` <img src=x> `")).toBe("https://a.example/` &lt;img src=x> `");
});

test("a path in angles, which could be a tag, goes without them", () => {
  expect(safeMarkdown("[x](<a b.md>) [y](</c (d).md> 't')\n\n[z]: <e f.md>")).toBe(
    "[x](a%20b.md) [y](/c%20%28d%29.md 't')\n\n[z]: e%20f.md",
  );
});

test.each([
  [
    "a lazy line behind a definition",
    "- [a]: /b\nlazy\n   ```\n![i](u) <img src=x>",
    "- [a]: /b\nlazy\n   ```\n&#33;[i](u) &lt;img src=x>",
  ],
  ["a definition whose label goes on", "[a\n<div>\n]: x:y", "[a\n&lt;div>\n]\\: x:y"],
  ["a heading in a label", "[<img src=x>\n=\n]: x:y", "[&lt;img src=x>\n=\n]\\: x:y"],
  ["a label over a fence", "[\n```\n]: x\n![i](u)", "[\n```\n]\\: x\n&#33;[i](u)"],
  ["a title over a fence", '[a]: x "\n```\n"\n<b>', '[a]\\: x "\n```\n"\n<b>\n```'],
  ["what is indented behind a blank line", "- a\n      b `\n\n      `<b>`", "- a\n      b `\n\n      `&lt;b>`"],
  ["an item behind indented code", "    a\n2) ```<img src=x>", "    a\n2) ```&lt;img src=x>"],
  ["a fence that only some close", "```\n```~\n<b>", "```\n```~\n&lt;b>"],
  ["a fence in another one", "```md\n![a](b)\n```js\n```", "```md\n&#33;[a](b)\n```js\n```"],
  ["a fence that a line with text closes", "```\na\n``` b\n<i>\n```", "```\na\n``` b\n&lt;i>\n```"],
  ["a fence with more than a word behind it", "``` a b\n<i>\n```", "``` a b\n&lt;i>\n```"],
  ["a quotation mark behind a fence", '```"onclick="alert(1)\na\n```', "```&quot;onclick=&quot;alert(1)\na\n```"],
  [
    "a quotation mark behind a fence in an item, in a quote, and behind a word",
    '- ```"onclick="x\n  a\n\n> ~~~x"onclick="y\n> a\n\n   ```js a" onclick="z\nb',
    "- ```&quot;onclick=&quot;x\n  a\n\n> ~~~x&quot;onclick=&quot;y\n> a\n\n   ```js a&quot; onclick=&quot;z\nb",
  ],
  [
    "blanks of other kinds in an address",
    '[a](https://b.example/\u00a0"onclick="c) [d](https://e.example/\u3000"onclick="f)',
    '[a]\\(https://b.example/\u00a0"onclick="c) [d]\\(https://e.example/\u3000"onclick="f)',
  ],
  ["an address that goes on in the next line", "[a](java\nscript:alert(1))", "[a]\\(java\nscript:alert(1))"],
  ["blanks behind a label", "[a] \t(javascript:alert(1)) [1] (see b)", "[a] \t\\(javascript:alert(1)) [1] (see b)"],
  [
    "a quotation mark in an address",
    '[a](https://b.example/"onclick="alert(1)) [c](<https://d" onclick="e>)\n\n[f]: https://g/"onclick="h',
    '[a]\\(https://b.example/"onclick="alert(1)) [c]\\(&lt;https://d" onclick="e>)\n\n[f]\\: https://g/"onclick="h',
  ],
  ["blanks in an address in an address", "[^1]: :](<b c>", "[^1]\\: :](b%20c"],
  ["a link in an address in angles", "\\<https://a/](javascript:x)>", "\\<https://a/]\\(javascript:x)>"],
  ["text at an address in angles", '[a]: <b>(c"d)', '[a]\\: &lt;b>(c"d)'],
  [
    "attributes in an address in angles",
    '<https://a onclick=b> <https://a"onclick="b> <a@b.example onclick=c> <mailto:a/onclick=b> <https://a/onclick=b>',
    '&lt;https://a onclick=b> &lt;https://a"onclick="b> &lt;a@b.example onclick=c> &lt;mailto:a/onclick=b> &lt;https://a/onclick=b>',
  ],
  ["a fence in an item that is left", "- a\n  ```\nb\n  ```\n<b>", "- a\n  ```\nb\n  ```\n&lt;b>"],
  ["an address in the next line of a quote", "> [a](\n> javascript:x)", "> [a]\\(\n> javascript:x)"],
])("readers do not agree on %s", (_what, text, safe) => {
  expect(safeMarkdown(text)).toBe(safe);
  expect(safeMarkdown(safe)).toBe(safe);
});
