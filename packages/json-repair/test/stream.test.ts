import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { createPartialParser, extractJson, type Path, type StandardSchemaV1 } from "../src/index.js";
import heldOut, { type Case } from "./corpus/held-out.js";
import { HINTS } from "./corpus/score.js";

type AnyCase = Pick<Case, "id" | "input" | "schemaHint"> & {
  /** Of the blind sets: one of the known shapes, or a JSON Schema. */
  schema?: keyof typeof HINTS | Record<string, unknown>;
};

const read = (name: string): AnyCase[] =>
  readFileSync(new URL(`corpus/${name}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

function at(value: unknown, path: Path): unknown {
  let part = value;
  for (const key of path) part = Object.getOwnPropertyDescriptor(part ?? {}, key)?.value;
  return part;
}

/** Pieces of all lengths, the same for a text every time. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0, step = 1 + (text.length % 7); from < text.length; from += step, step = (step * 5) % 61 || 1)
    pieces.push(text.slice(from, from + step));
  return pieces;
}

const LONGEST = 4_000;

const BLIND = readdirSync(new URL("corpus", import.meta.url)).filter((name) => /^blind-\d+\.jsonl$/.test(name));

function schemaOf({ schemaHint, schema = schemaHint }: AnyCase): StandardSchemaV1 | undefined {
  return typeof schema === "string" ? HINTS[schema] : schema && z.fromJSONSchema(schema);
}

/** All of them take longer than one test may on a busy machine. */
function parts(name: string, count: number, cases: readonly AnyCase[]): [string, AnyCase[]][] {
  return Array.from({ length: count }, (_, part) => [
    `${name} (${part + 1} of ${count})`,
    cases.filter((_, nth) => nth % count === part),
  ]);
}

test.each<[string, AnyCase[]]>([
  ["the published", read("public.jsonl")],
  ["our own", heldOut],
  ...parts("the varied", 4, read("varied.jsonl")),
  ...parts("the blind", 20, BLIND.flatMap(read)),
])("%s cases in pieces are complete and end as the whole text, and what was finished stays", (_, cases) => {
  for (const one of cases) {
    const { id, input } = one;
    if (input.length > LONGEST) continue;
    for (const schema of new Set([undefined, schemaOf(one)])) {
      const options = schema ? { schema } : {};
      const parser = createPartialParser<unknown>(options);
      const finished = new Map<string, { path: Path; json: string }>();
      let text = "";
      for (const [nth, piece] of piecesOf(input).entries()) {
        text += piece;
        const update = parser.push(piece);
        if (update.restarted) finished.clear();
        for (const path of update.finished)
          finished.set(JSON.stringify(path), { path, json: JSON.stringify(at(update.value, path)) });
        // Only what differs is told: a million of expectations take longer than all the reading.
        for (const { path, json } of finished.values()) {
          const now = JSON.stringify(at(update.value, path));
          if (now !== json) expect(now, `${id}: ${path.join(".")} of ${text}`).toBe(json);
        }
        if (update.complete && !schema) {
          const whole = extractJson(text);
          const said = whole.ok && [JSON.stringify(whole.value), whole.complete];
          expect(said, `${id}: ${text}`).toEqual([JSON.stringify(update.value), true]);
        }
        if (nth % 24 === 23 || text.length === input.length) {
          const [ended, whole] = [parser.end(), extractJson(text, options)];
          expect(JSON.stringify(ended), `${id}: ${text}`).toBe(JSON.stringify(whole));
        }
      }
      expect(parser.text).toBe(input);
    }
  }
});

const Rows = z.object({ rows: z.array(z.object({ id: z.number(), ok: z.boolean() })), note: z.string() });

test("the items of a list can be used one by one, and are coerced as they end", () => {
  const parser = createPartialParser({ schema: Rows });
  const used: unknown[] = [];
  for (const piece of piecesOf(
    'Here: {"rows": [{"id": "1", "ok": "true"}, {"id": 2, "ok": false}], "note": "done"} Bye',
  )) {
    const { value, finished } = parser.push(piece);
    for (const path of finished) if (path.length === 2) used.push(at(value, path));
  }
  expect(used).toEqual([
    { id: 1, ok: true },
    { id: 2, ok: false },
  ]);
  expect(parser.complete).toBe(true);
  expect(parser.value).toEqual({ rows: used, note: "done" });
});

test("a value that has ended and does not fit is given up for one that does, and that is told", () => {
  const parser = createPartialParser({ schema: Rows });
  const first = parser.push('{"tool": "search", "n": 1}\n');
  expect(first.restarted).toBe(true);
  expect(parser.push('{"rows": [], "note": "x"}')).toMatchObject({ value: { rows: [], note: "x" }, complete: true });
});

test("a string is not finished before the text has gone on behind it", () => {
  const parser = createPartialParser();
  const told = ['{"a": "the "', 'big" one", "b": 1', "}"].flatMap((piece) => parser.push(piece).finished);
  expect(told).toEqual([]);
  expect(parser.value).toEqual({ a: 'the "big" one', b: 1 });
});

test("what no schema accepts in its parts does not stop the stream", () => {
  const parser = createPartialParser({ schema: z.object({ n: z.number() }) });
  expect(parser.push('{"n": "many", "x": 1,').value).toEqual({ n: "many", x: 1 });
  expect(parser.push('"y": 2}').restarted).toBe(true);
  expect(parser.end()).toMatchObject({ ok: false });
});

test("a key that comes twice takes back what was told of the first one", () => {
  const parser = createPartialParser();
  expect(parser.push('{"name": 1, "b": 2, "c": 3,').finished).toContainEqual(["name"]);
  const updates = [' "na', 'me": ', '"x', 'yz"}'].map((chunk) => parser.push(chunk));
  expect(updates.map(({ restarted }) => restarted)).toContain(true);
  expect(updates.at(-1)).toMatchObject({ value: { name: "xyz", b: 2, c: 3 }, complete: true });
});

test("a damaged text of some length is shown soon after it has come, and its end is found once", () => {
  const rows = Array.from({ length: 250 }, (_, id) => ({ id, title: `Entry number ${id} of the list`, ok: true }));
  const text = JSON.stringify({ rows }).replaceAll('"', "'");
  const parser = createPartialParser();
  let changedAt = 0;
  for (let from = 0, shown = 0; from < text.length; from += 5) {
    const { length } = JSON.stringify(parser.push(text.slice(from, from + 5)).value) ?? "";
    if (length !== shown) changedAt = from;
    shown = length;
    expect(from - changedAt, `at ${from} of ${text.length}`).toBeLessThan(20 + from / 6);
  }
  expect(parser.complete).toBe(true);
  const result = parser.end();
  expect(result.ok && result.value).toBe(parser.value);
  expect(result).toEqual(extractJson(text));
});

test.each([
  'function add(a, b) { return a + b; }\n{"out": "x", "code": 1,}',
  '```json\n[\n  "one",\n ] "two",\n  "three"\n]\n```',
  `{"note": "a { that stays open", 'n': [1, 2]}`,
  `${"f(a[0]) { ".repeat(20)}\n{'a': {'b': 1}}`,
])("brackets that are content do not hide the end of a short text: %s", (text) => {
  for (let step = 1; step <= 40; step++) {
    const parser = createPartialParser();
    for (let from = 0; from < text.length; from += step) parser.push(text.slice(from, from + step));
    const whole = extractJson(text);
    expect({ step, complete: parser.complete, value: parser.value }).toEqual({
      step,
      complete: whole.ok && whole.complete,
      value: whole.ok && whole.value,
    });
  }
});
