import { expect, test } from "vitest";
import { cutToWidth, layOut, NO_BREAK } from "../../../src/cli/terminal/layout.js";

const bold = (text: string) => `<b>${text}</b>`;

test.each([
  ["words", "one two three four", 9, ["one two", "three", "four"]],
  ["a word that is too long", "a verylongword b", 8, ["a", "verylong", "word b"]],
  ["what has no blanks", "說明很長的句子", 6, ["說明很", "長的句", "子"]],
  ["line ends of the text", "a\nb\n\nc", 20, ["a", "b", "", "c"]],
  ["several blanks, not at a line's edge", "a  b   cccccc", 7, ["a  b", "cccccc"]],
  ["what must stay together", `see${NO_BREAK}[1] here`, 8, ["see [1]", "here"]],
  ["nothing", "", 20, [""]],
])("%s", (_what, text, columns, lines) => {
  expect(layOut(text, { columns })).toEqual(lines);
});

test("a path that is to be copied stays whole, and what has no blanks by nature does not", () => {
  expect(layOut("see /a/very/long/path now", { columns: 8, wholeWords: true })).toEqual([
    "see",
    "/a/very/long/path",
    "now",
  ]);
  expect(layOut("說明很長的句子", { columns: 6, wholeWords: true })).toEqual(["說明很", "長的句", "子"]);
});

test("a word of several pieces is not broken between them; each keeps its look on every line", () => {
  expect(layOut(["an un", { text: "usual wor", style: bold }, "d"], { columns: 9 })).toEqual([
    "an",
    "un<b>usual</b>",
    "<b>wor</b>d",
  ]);
  expect(layOut({ text: "one two three", style: bold }, { columns: 8 })).toEqual(["<b>one two</b>", "<b>three</b>"]);
});

test("what hangs on a word that is broken all the same goes on the next line whole", () => {
  const pieces = ["see ", "https://long", { text: `${NO_BREAK}[`, style: bold }, "1", "]."];
  expect(layOut(pieces, { columns: 13 })).toEqual(["see", "https://long", "<b>[</b>1]."]);
  expect(layOut(pieces, { columns: 17 })).toEqual(["see", "https://long<b> [</b>1]."]);
});

test("the first line and the others begin as they are told", () => {
  expect(layOut("one two three", { columns: 9, first: "* " })).toEqual(["* one two", "  three"]);
  expect(layOut("one two three", { columns: 9, first: "* ", indent: "" })).toEqual(["* one two", "three"]);
});

test("a character is not torn from its accent or its colour", () => {
  for (const character of ["e\u0301", "👩\u200d👩", "👍🏽"]) {
    for (const line of layOut(character.repeat(9), { columns: 5 })) expect(line.replaceAll(character, "")).toBe("");
  }
});

test.each([
  ["short", 10, "short"],
  ["a longer text", 9, "a longer…"],
  ["說明很長", 6, "說明…"],
])("%s in %i cells: %s", (text, columns, cut) => {
  expect(cutToWidth(text, columns)).toBe(cut);
});
