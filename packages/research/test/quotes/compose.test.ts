import { expect, test } from "vitest";
import { compose } from "../../src/quotes/compose.js";

/** Letters, marks of several scripts, parts of syllables, second names of letters, pairs, halves of pairs. */
const ALPHABET = [
  ..."aeoA \n",
  ..."\u0301\u0323\u0308\u0327\u05bc\u064b\u094d\u3099",
  ..."\u1100\u1161\u11a8",
  ..."\u212b\u2126\uf900\u0958\u05d1\u304b",
  ...["\u{1f600}", "\u{11099}", "\u{110ba}", "\u{1d165}", "\ud800", "\udc00"],
];

test.each(Array.from({ length: 20 }, (_, seed) => seed + 1))(
  "what is composed is NFC, and the place of each unit is known (seed %i)",
  (seed) => {
    let state = seed;
    const next = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < 300; round++) {
      const original = Array.from({ length: 1 + next(30) }, () => ALPHABET[next(ALPHABET.length)]).join("");
      const { text, from } = compose(original);
      expect(text).toBe(original.normalize("NFC"));
      if (from === undefined) continue;
      expect(from).toHaveLength(text.length);
      for (let at = 0; at < text.length; at++) {
        const [place, before] = [from[at] as number, at === 0 ? 0 : (from[at - 1] as number)];
        expect(place).toBeGreaterThanOrEqual(before);
        // What is no part of a cluster stands where it stood.
        if (/[aeoA \n]/.test(text[at] as string)) expect(original[place]).toBe(text[at]);
      }
    }
  },
);

test("entities are decoded, and what they stood for is found at their place", () => {
  const { text, from } = compose("caf&eacute; &amp;amp; e&#x301; &zzz; &#1234567;");
  expect(text).toBe("café & é &zzz; \ufffd");
  expect(Array.from(from ?? []).slice(3, 7)).toEqual([3, 11, 12, 21]);
});
