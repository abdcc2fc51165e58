#!/usr/bin/env node
// Which test shows which scenario of `docs/scenarios.json`: a test names it in its title, as `[search/success]`.
//   scenarios.mjs            writes the table into the README of this package
//   scenarios.mjs --check    exit 1 when a scenario has no test, a title names none, or the table is stale
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const readme = new URL("../README.md", import.meta.url);
const PLACE = /(<!-- scenarios -->\n)[\s\S]*(<!-- \/scenarios -->)/;
const MARK = /\[((?:search|deep-search|design)\/[a-z-]+)\]/g;

/** @returns {{ id: string, capability: string, requirement: string, title: string }[]} */
export function scenarios() {
  return JSON.parse(readFileSync(new URL("../../../docs/scenarios.json", import.meta.url), "utf8"));
}

/** The titles in a folder of tests that name a scenario. `folder` ends with a slash. */
export function marksIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts"))
    .flatMap((file) => {
      const source = readFileSync(new URL(file, folder), "utf8");
      return [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].flatMap(([, text]) => {
        const title = text
          .replace(MARK, "")
          .replace(/\s*: %s$/, "")
          .replace(/%[sj]/g, "…")
          .replace(/\s+/g, " ")
          .trim();
        return [...text.matchAll(MARK)].map(([, id]) => ({ id, title, file }));
      });
    });
}

export function tableOf(list, marks) {
  const rows = list.map(({ id, capability, title }) => {
    const tests = marks
      .filter((mark) => mark.id === id)
      .map((mark) => [mark.title.replaceAll("|", "\\|"), `\`test/${mark.file}\``].filter(Boolean).join(" "));
    return `| ${capability}: ${title} | ${[...new Set(tests)].join("<br>")} |`;
  });
  return ["| scenario | shown by |", "|---|---|", ...rows, ""].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const list = scenarios();
  const marks = marksIn(new URL("../test/", import.meta.url));
  const text = readFileSync(readme, "utf8");
  const next = text.replace(PLACE, (_, before, after) => `${before}\n${tableOf(list, marks)}\n${after}`);
  if (process.argv.includes("--check")) {
    const known = new Set(list.map(({ id }) => id));
    const problems = [
      ...list.filter(({ id }) => !marks.some((mark) => mark.id === id)).map(({ id }) => `${id}: no test shows it`),
      ...marks.filter(({ id }) => !known.has(id)).map(({ id, file }) => `${file}: there is no scenario ${id}`),
      ...(next === text ? [] : ["README.md: the table is stale, run `node scripts/scenarios.mjs`"]),
    ];
    for (const problem of problems) console.error(problem);
    process.exitCode = problems.length > 0 ? 1 : 0;
  } else writeFileSync(readme, next);
}
