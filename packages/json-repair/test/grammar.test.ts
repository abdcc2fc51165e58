import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROWS } from "../src/repair/grammar.js";
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
