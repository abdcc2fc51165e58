import { expect, test } from "vitest";
import { damaged } from "../bench/damage.mjs";
import { PieceRepair, repairJson } from "../src/repair-json.js";

/** So small that a text of some thousand characters is parted many times. */
const SMALL = { atOnce: 3_000, ahead: 1_500, before: 600, apart: 700 };

function inPieces(text: string, step = 997) {
  const long = new PieceRepair(SMALL);
  const pieces = [];
  for (let at = 0; at < text.length; at += step) pieces.push(long.push(text.slice(at, at + step)) ?? []);
  const all = [...pieces.flat(), long.end()];
  return {
    count: all.length,
    text: all.map((one) => one.text).join(""),
    repairs: all.flatMap((one) => one.repairs.map(({ sure: _, ...told }) => told)),
    complete: all.at(-1)?.complete,
  };
}

/** Twenty values, one in four with a slip, in a list, in lists of an object, or as members. */
function textOf(nth: number): { text: string; value: unknown } {
  const parts = [];
  for (let at = 100 * nth; parts.length < 20; at++) parts.push(damaged(at, 1) ?? []);
  const values = parts.flat();
  const [texts, sound] = [values.map((one, at) => (at % 4 ? one.json : one.text)), values.map((one) => one.json)];
  const layouts = [
    (all: string[]) => `[${all.join(",")}]`,
    (all: string[]) => `{"a": {"b": [[${all.join(",\n")}], [${all.slice(0, 3).join(", ")}]]}}`,
    (all: string[]) => `{${all.map((one, at) => `"k${at}": ${one}`).join(",\n")}}`,
  ];
  const laidOut = layouts[nth % layouts.length] ?? String;
  return { text: laidOut(texts), value: JSON.parse(laidOut(sound)) };
}

test("what is read rightly as a whole is read in the same way in pieces", () => {
  let [right, parted, others] = [0, 0, 0];
  for (let nth = 1; nth <= 300; nth++) {
    const { text, value } = textOf(nth);
    let whole: ReturnType<typeof repairJson>;
    try {
      whole = repairJson(text);
    } catch {
      continue;
    }
    if (JSON.stringify(whole.value) !== JSON.stringify(value)) continue;
    const { count, ...found } = inPieces(text);
    // What is JSON so far stays as it is, so that the columns of lines tell nothing there.
    if (found.text !== whole.text && whole.repairs.some(({ kind }) => kind === "missing-closer") && ++others) continue;
    const repairs = whole.repairs.map(({ sure: _, ...told }) => told);
    expect(found, text).toEqual({ text: whole.text, repairs, complete: whole.complete });
    right++;
    if (count > 1) parted++;
  }
  expect(right).toBeGreaterThan(100);
  expect(others).toBeLessThan(3);
  expect(parted).toBeGreaterThan(50);
});

const ROW = '{"id": 1, name: "some words", "tags": ["a", "b",]}';
const rows = (count: number) => Array.from({ length: count }, () => ROW).join(",\n");

test("what is JSON stays as it is, up to a fault and behind it", () => {
  const odd = '{"“No”: that was all": ["the list (“a”, “b”)", "C:\\\\tmp"], "b": {"c": "\\"x\\", "}}';
  const sound = `[${Array.from({ length: 300 }, () => odd).join(",\n  ")}]`;
  expect(inPieces(` ${sound}\n`)).toMatchObject({ text: sound, repairs: [], complete: true });
  const damaged = inPieces(`${sound.slice(0, -1)}, {a: 1}, ${sound.slice(1)}`);
  expect(damaged.text).toBe(`${sound.slice(0, -1)}, {"a": 1}, ${sound.slice(1)}`);
  expect(damaged.count).toBeGreaterThan(4);
});

test("comments before and behind the value may be long", () => {
  const comment = `/* ${"words ".repeat(3_000)}*/`;
  expect(inPieces(`${comment}\n[${rows(200)}]${comment}`)).toMatchObject({ complete: true });
});

test("what breaks off is closed, and what stands around the value is told", () => {
  const cut = inPieces(`// rows\n[${rows(200)}, {"id": "tw`);
  expect(JSON.parse(cut.text)).toHaveLength(201);
  expect(cut).toMatchObject({ complete: false });
  expect(cut.count).toBeGreaterThan(2);
  expect(cut.repairs[0]).toEqual({ kind: "comment", at: 0, line: 1 });
  expect(cut.repairs.at(-1)).toMatchObject({ kind: "unclosed", line: 201 });
});

test.each([
  ["another value behind it", `[${rows(200)}]\n[${rows(200)}]`, "something else follows the JSON"],
  ["prose", "I am sorry. ".repeat(2_000), "the text does not start with a bracket; extractJson finds JSON among words"],
  ["more levels than are allowed", `[${rows(200)}, ${"[".repeat(4_000)}`, "the JSON cannot be read, even repaired"],
])("%s is an error", (_, text, message) => {
  expect(() => inPieces(text)).toThrow(message);
});
