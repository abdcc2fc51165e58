import { expect, test } from "vitest";
import { safeMarkdown } from "../../src/report/safe-markdown.js";

test.each([
  ["an image", "see ![a map](https://a.example/m.png) here", "see &#33;[a map](https://a.example/m.png) here"],
  ["an image by reference", "![map][1]\n\n[1]: https://a.example/", "&#33;[map][1]\n\n[1]: https://a.example/"],
  ["one that is escaped already", "\\![a](b) \\\\![c](d)", "\\![a](b) \\\\&#33;[c](d)"],
  ["HTML", "a <b>c</b> <!-- d --> <?e?>", "a &lt;b>c&lt;/b> &lt;!-- d --> &lt;?e?>"],
  ["a script", "<script>\nalert(1)\n</script>", "&lt;script>\nalert(1)\n&lt;/script>"],
  ["HTML behind an address", "https://a.example/<img>", "https://a.example/&lt;img>"],
  ["a script's address", "[x](javascript:alert(1))", "[x]\\(javascript:alert(1))"],
  ["one that is written in another way", "[x]( <JAVA&#115;cript:alert(1)>)", "[x]\\( &lt;JAVA&#115;cript:alert(1)>)"],
  ["data", "[x](data:text/html,y) [z](DATA:a)", "[x]\\(data:text/html,y) [z]\\(DATA:a)"],
  ["a definition that leads nowhere good", "[x][a]\n\n[a]: javascript:alert(1) 'y'", "[x][a]\n\n[a]: # ''"],
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
    '[a]: {["&#33;[b](https://a.example/m.png)]\\(javascript:x)#',
  ],
])("%s", (_what, text, safe) => {
  expect(safeMarkdown(text)).toBe(safe);
});

test.each([
  [
    "links and citations",
    "[a](https://a.example/) [1] <https://b.example/> [m](mailto:a@b.example) [p](#part) [r](page.html)",
  ],
  ["signs of comparison", "a < b, 1<2, x <- y"],
  ["code", "`<b>` ``a ` ![x](y)``\n\n```html\n<script>![a](b)</script>\n```\n\n- item\n\n  ~~~\n  <i>\n  ~~~"],
  ["code in a table", "| a | b |\n|---|---|\n| `<td>` | x |"],
  ["addresses in angles", "<https://a.example/?x=y> <a@b.example>"],
])("%s stay as they are", (_what, text) => {
  expect(safeMarkdown(text)).toBe(text);
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
  expect(safeMarkdown('[a]: javascript:x "`"\nb ` <img src=x> `')).toBe("[a]: # ''\nb ` <img src=x> `");
  expect(safeMarkdown("[a https://b](javascript:x) https://a>\\` `<img>`")).toBe(
    "[a https://b]\\(javascript:x) https://a>\\` `<img>`",
  );
  expect(safeMarkdown("`a\n<div>` <b>")).toBe("`a\n&lt;div>` &lt;b>");
  expect(safeMarkdown("https://a.example/` <img src=x> `")).toBe("https://a.example/\\` &lt;img src=x> `");
});
