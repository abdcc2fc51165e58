/** Made-up values that are near enough to right ones to get past the first check. */
import * as fc from "fast-check";

/** Texts that mean something to a parser, a template, a shell, a path or a terminal. */
const TRAPS = [
  "",
  " ",
  "\0",
  "\n",
  "\r\n",
  "\u2028",
  "\uFEFF",
  "\uD800",
  "\u001B[2J",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "$&",
  "$1",
  "$`",
  "{{query}}",
  "{{current_result}}",
  "{query}",
  "`id`",
  "$(id)",
  "; id",
  "--yolo",
  "-",
  "/quit",
  "@/etc/passwd",
  "../../../etc/passwd",
  "C:\\",
  "file:///etc/passwd",
  "http://[::1",
  "http://169.254.169.254/",
  "```json",
  "```",
  "{",
  '{"a":',
  "]",
  "NaN",
  "-0",
  "1e999",
  "9007199254740993",
  "true",
  "null",
  '{"type":"',
];

export const trap = fc.constantFrom(...TRAPS);

export const words: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 3, arbitrary: trap },
  { weight: 1, arbitrary: fc.array(trap, { maxLength: 6 }).map((parts) => parts.join("")) },
  {
    weight: 1,
    arbitrary: fc.tuple(trap, fc.integer({ min: 1, max: 20_000 })).map(([part, n]) => part.repeat(n).slice(0, 100_000)),
  },
);

export const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  words,
  fc.constantFrom(null, 0, -1, 1.5, 1e308, 2 ** 53, true, false, [], {}),
  fc.dictionary(words, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 }),
  fc.array(words, { maxLength: 5 }),
);

type Edit = { at: number[]; how: "replace" | "delete" | "add" | "repeat"; key: string; value: unknown };

const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    at: fc.array(fc.nat(1_000), { maxLength: 6 }),
    how: fc.constantFrom("replace", "delete", "add", "repeat"),
    key: words,
    value,
  }),
  { minLength: 0, maxLength: 4 },
);

/** This value with some of its parts replaced, taken away, added or repeated. */
export function mutated(whole: unknown): fc.Arbitrary<unknown> {
  return edits.map((list) => list.reduce(edited, structuredClone(whole)));
}

function edited(whole: unknown, { at, how, key, value }: Edit): unknown {
  // A later edit may reach into it.
  const put = structuredClone(value);
  const holder = { whole } as Record<string, unknown>;
  let parent: Record<string, unknown> = holder;
  let name = "whole";
  for (const step of at) {
    const child = parent[name];
    if (typeof child !== "object" || child === null) break;
    const names = Object.keys(child);
    if (names.length === 0) break;
    parent = child as Record<string, unknown>;
    name = names[step % names.length] as string;
  }
  const old = parent[name];
  if (how === "replace") set(parent, name, put);
  else if (how === "delete" && parent !== holder) delete parent[name];
  else if (how === "add" && typeof old === "object" && old !== null) set(old as Record<string, unknown>, key, put);
  else if (how === "repeat" && Array.isArray(parent)) parent.push(structuredClone(old));
  return holder["whole"];
}

/** As `JSON.parse` does it: `__proto__` becomes a key like any other. */
function set(object: Record<string, unknown>, key: string, put: unknown): void {
  Object.defineProperty(object, key, { value: put, configurable: true, enumerable: true, writable: true });
}

/**
 * A text as bytes that were cut off, turned over or added on their way, each byte as the character of its number:
 * `Buffer.from(text, "latin1")` makes them bytes again.
 */
export function garbled(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const damage = fc.array(
    fc.record({ at: fc.nat(100_000), how: fc.constantFrom("cut", "flip", "insert"), byte: fc.nat(255) }),
    { maxLength: 3 },
  );
  return fc.tuple(text, damage).map(([whole, list]) =>
    list.reduce((bytes, { at, how, byte }) => {
      const place = bytes.length === 0 ? 0 : at % bytes.length;
      if (how === "cut") return bytes.slice(0, place);
      return `${bytes.slice(0, place)}${String.fromCharCode(byte)}${bytes.slice(how === "insert" ? place : place + 1)}`;
    }, bytesOf(whole)),
  );
}

/** A text as {@link garbled} gives one, undamaged. */
export function bytesOf(text: string): string {
  return Buffer.from(text).toString("latin1");
}
