import { copyWith, isContainer, isObject, type JsonObject, type KeyPath } from "../decode/strict.js";
import type { Coercion } from "./fit.js";

/** Which names are spelled alike, and which keys a schema has left out. */

/** Blanks and strokes; but one before a number, between two, or at the end is a sign. */
const STROKES = /(?!(?<=(?:^|\d)\s{0,9})[_-](?=\s{0,9}\d)|-\s{0,9}$)[\s_-]/g;
const plain = (text: string) => text.toLowerCase().replace(STROKES, "");

/** The words of a list, or the keys of an object, by how they are written plainly: a schema names one list at all places. */
export type Alike = WeakMap<object, Map<string, Set<string>>>;

/** The one word of a list, or of an object's keys, like a text: `In progress` is like `in_progress`; `A` and `A-`, `1` and `-1`, `12` and `1-2` are not alike. */
export function like(text: string, known: Alike, of: object, words: () => readonly unknown[]): string[] {
  const alike = known.get(of) ?? new Map<string, Set<string>>();
  if (!known.has(of))
    for (const word of words())
      if (typeof word === "string") alike.set(plain(word), (alike.get(plain(word)) ?? new Set()).add(word));
  known.set(of, alike);
  const same = [...(alike.get(plain(text)) ?? [])];
  return same.length === 1 ? same : [];
}

/** In the ways that keys are written: `firstName`, `FirstName`, `first_name`, `first-name`, `first name`, `FIRST_NAME`, `firstname`. */
function stylesOf(key: string): string[] {
  const words = (key.replace(/([a-z\d])([A-Z])/g, "$1 $2").match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.toLowerCase(),
  );
  const capital = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const camel = [...words.slice(0, 1), ...capital.slice(1)].join("");
  const [snake, plainly] = [words.join("_"), words.join("")];
  const styles = [camel, capital.join(""), snake, words.join("-"), words.join(" "), snake.toUpperCase(), plainly];
  return [...new Set(styles)].filter((style) => style !== "" && style !== key && style !== "__proto__");
}

/** So many values are looked through, and so many keys are told. */
const [MAX_VALUES, MAX_LOST] = [100_000, 1_000];

/** The keys of objects that are not in what a schema has made of these. */
function lostKeys(before: unknown, after: unknown): { path: KeyPath; key: string; of: JsonObject }[] {
  const lost: { path: KeyPath; key: string; of: JsonObject }[] = [];
  const pairs: { path: KeyPath; one: unknown; made: unknown }[] = [{ path: [], one: before, made: after }];
  for (const { path, one, made } of pairs) {
    if (!isContainer(one) || !isContainer(made) || Array.isArray(one) !== Array.isArray(made)) continue;
    for (const [key, value] of Object.entries(one)) {
      const at = Array.isArray(one) ? Number(key) : key;
      if (Object.hasOwn(made, key)) pairs.push({ path: [...path, at], one: value, made: (made as JsonObject)[key] });
      else if (isObject(one)) lost.push({ path, key, of: one });
      if (pairs.length > MAX_VALUES || lost.length > MAX_LOST) return [];
    }
  }
  return lost;
}

/** Keys in another style of members that may be missing: the schema leaves them out without a word. `wrongIn`: the places where it has something against a value. */
export function inItsStyle(
  value: unknown,
  made: unknown,
  wrongIn: (value: unknown) => ReadonlyMap<string, unknown>,
): Coercion[] {
  const lost = lostKeys(value, made).map(({ path, key, of }) => {
    const styles = stylesOf(key).filter((style) => !Object.hasOwn(of, style));
    return { key, by: of[key], paths: styles.map((style) => [...path, style]) };
  });
  if (lost.every(({ paths }) => paths.length === 0)) return [];
  // It refuses a function where it asks for something.
  const asked = lost.flatMap(({ paths }) => paths.map((path) => ({ path, by: stylesOf })));
  const wrong = wrongIn(copyWith(value, asked));
  const known = lost.map(({ paths }) => paths.filter((path) => wrong.has(JSON.stringify(path))));
  const all = known.flat().map((path) => JSON.stringify(path));
  return lost.flatMap(({ key, by }, nth) => {
    const [path, ...others] = known[nth] ?? [];
    const isOne = path && others.length === 0 && all.filter((one) => one === JSON.stringify(path)).length === 1;
    return isOne ? [{ path, by, sure: true, from: key }] : [];
  });
}
