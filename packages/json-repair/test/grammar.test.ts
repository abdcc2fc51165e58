import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Source } from "../src/repair/ahead.js";
import { applyEdits, type Edit, inOrder } from "../src/repair/edits.js";
import { ROWS } from "../src/repair/grammar.js";
import { finish } from "../src/repair/machine.js";
import * as states from "../src/repair/reading.js";
import * as tokens from "../src/repair/tokens.js";

const STATES = [
  "START",
  "FIRST_KEY",
  "KEY",
  "COLON",
  "VALUE",
  "AFTER_MEMBER",
  "FIRST_ITEM",
  "ITEM",
  "AFTER_ITEM",
] as const;
const TOKENS: Readonly<Record<string, string>> = {
  [tokens.TEXT]: '"text"',
  [tokens.KEY_TEXT]: '"text":',
  [tokens.NAME]: "word:",
  [tokens.WORD]: "word",
  [tokens.LITERAL]: "12, true",
  [tokens.ODD]: "another sign",
};

const stateNumbers: Readonly<Record<string, unknown>> = { ...states };

const stateName = (state: number) => STATES.find((name) => stateNumbers[name] === state) ?? String(state);

/** The table in words: a way that JSON itself has costs nothing and is told of nothing. */
function written(): string {
  const lines = ROWS.map(([from, signs, ...ways]) => {
    const said = ways.map(({ act, kind, cost, by, when }) => {
      const what = kind ? `\`${kind}\`${by ? ` (\`${by}\`)` : ""}` : act.name;
      return `${what} ${cost}${when ? ", where it can be" : ""}`;
    });
    const shown = [...signs].map((token) => `\`${TOKENS[token] ?? token}\``);
    return `| ${from.map(stateName).join(", ").toLowerCase()} | ${shown.join(" ")} | ${said.join("; ")} |`;
  });
  return [
    "# The grammar, as a table",
    "",
    "Written by `test/grammar.test.ts` from `src/repair/grammar.ts` (`npx vitest run test/grammar.test.ts -u`). What is awaited, what",
    "stands there, and the ways to go on with the repair that is told and what it costs; [how it works](machine.md).",
    "",
    "| awaited | stands there | ways, and their costs |",
    "|---|---|---|",
    ...lines,
    "",
  ].join("\n");
}

test("the page of the grammar is what the table says", async () => {
  await expect(written()).toMatchFileSnapshot("../docs/grammar.md");
});

test("the page of the machine names files that are there", () => {
  const page = readFileSync(new URL("../docs/machine.md", import.meta.url), "utf8");
  const named = [...page.matchAll(/`([a-z]+\/[a-z-]+)`/g)].map(([, file]) => file);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((file) => !existsSync(new URL(`../src/${file}.ts`, import.meta.url)))).toEqual([]);
});

test("a state and a token have one row", () => {
  const pairs = ROWS.flatMap(([states, tokens]) =>
    states.flatMap((state) => [...tokens].map((token) => `${state} ${token}`)),
  );
  expect(pairs.filter((pair, nth) => pairs.indexOf(pair) !== nth)).toEqual([]);
});

describe("what the machine makes is JSON", () => {
  const TOKENS = [
    ...[
      '{"',
      '["',
      "{",
      "}",
      "[",
      "]",
      "(",
      ")",
      ",",
      ":",
      '"',
      '"a"',
      '"a":',
      '"b": ',
      "'c'",
      "'d':",
      '"],',
      '"},',
      '","',
      '":',
    ],
    ...[
      "1",
      "-2.5",
      ".5",
      "2. ",
      "1,234",
      "true",
      "None",
      "e",
      "f: ",
      "\n",
      "\n  ",
      " ",
      "=>",
      "=",
      "//x\n",
      "/*y*/",
      "...",
      "“q”",
    ],
    ...["、", "：", "|", ";", "#", "*", "- ", "<b>", '"x" + ', '""', '"""', "`", "```"],
  ];

  // The seed is always the same: what is left, one in a million, would be found at times.
  test("of any signs", () => {
    const texts = fc.tuple(fc.constantFrom("{", "["), fc.array(fc.constantFrom(...TOKENS), { maxLength: 12 }));
    const made = fc.property(texts, ([opener, tokens]) => {
      const text = opener + tokens.join("");
      const reading = new states.Reading(new Source(text), 0, text.length, 100);
      const log: Edit[] = [];
      reading.log = log;
      finish(reading, log);
      if (!reading.failure) JSON.parse(applyEdits(inOrder(log), text, 0, reading.pos));
    });
    fc.assert(made, { numRuns: 20_000, seed: 1 });
  });
});
