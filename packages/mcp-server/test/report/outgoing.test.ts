import { expect, test } from "vitest";
import { outgoing, outgoingJson } from "../../src/report/outgoing.js";
import { safeMarkdown } from "../../src/report/safe-markdown.js";

/** JSON with this as code in a member, behind one that a backtick opens code in. */
const behindBacktick = (code: string) => outgoingJson(outgoing({ query: "one ` mark", warning: `\`${code}\`` }), 2);

test.each([
  '[x](http://a.example/"onclick="b)',
  "[x](https://a.example/\n)",
  "<https://a.example/x onmouseover=alert(1)>",
  '<https://a.example"onclick="b>',
  "<a@b.example onclick=c>",
  "<mailto:a/onclick=b>",
  "![a](https://a.example/)",
  "<img src=x>",
  "[x](javascript:a)",
  "[x] (javascript:a)",
  "[x]: javascript:a",
])("%j, code in one member, is no text behind another", (code) => {
  const json = behindBacktick(code);
  expect(JSON.parse(json)).toEqual({ query: "one ` mark", warning: `\`${code}\`` });
  expect(json).not.toContain(code);
  // As text, there is nothing left to escape.
  const asText = json.replaceAll("`", "'");
  expect(safeMarkdown(`![h]\n\n${asText}`)).toBe(`&#33;[h]\n\n${asText}`);
});

test.each([
  '[a](https://a.example/x?y=1#z) [b](http://b.example/ "c")',
  "<https://a.example/x> <ada@b.example> <mailto:ada@b.example>",
  "a < b, [1], a[0], !b",
])("%j is as plain in JSON as in Markdown", (text) => {
  expect(outgoingJson(outgoing(text))).toBe(JSON.stringify(text));
});
