#!/usr/bin/env node
// Which passed test of which package shows which scenario of `docs/scenarios.json`: a test names it in its title, as
// `[search/success]`. Reads the reports of the last `npm test`.
//   spec-coverage.mjs [ROOT]    writes docs/spec-coverage.md
//   spec-coverage.mjs --check [ROOT]
//                               exit 1 when a scenario has no passed test, a title names none or too many, or the page is stale
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { sep } from "node:path";
import { pathToFileURL } from "node:url";

const folder = process.argv.slice(2).find((argument) => argument !== "--check");
const root = folder === undefined ? new URL("../", import.meta.url) : pathToFileURL(`${folder}/`);
const page = new URL("docs/spec-coverage.md", root);

/** @type {{ id: string, capability: string, requirement: string, title: string }[]} */
const scenarios = JSON.parse(readFileSync(new URL("docs/scenarios.json", root), "utf8"));
const capabilities = [...new Set(scenarios.map(({ capability }) => capability))];
const mark = new RegExp(`\\[((?:${capabilities.join("|")})/[a-z0-9-]+)\\]`, "g");

const problems = [];
const shown = readdirSync(new URL("packages/", root)).flatMap(marksOf);
const known = new Set(scenarios.map(({ id }) => id));
for (const { id } of scenarios) {
  const tests = shown.filter((test) => test.id === id);
  if (!tests.some(({ status }) => status === "passed")) problems.push(`${id}: no passed test shows it`);
}
// A title that names many says of none what it shows.
const MOST_MARKS = 2;
for (const { id, file, title, status, marks } of shown) {
  if (marks > MOST_MARKS)
    problems.push(`${file}: "${title}" names ${marks} scenarios, at most ${MOST_MARKS} are meant`);
  if (!known.has(id)) problems.push(`${file}: there is no scenario ${id}`);
  if (status !== "passed") problems.push(`${file}: "${title}" shows ${id}, but it ${status}`);
}

const text = pageOf(shown.filter(({ status }) => status === "passed"));
if (process.argv.includes("--check")) {
  if (!existsSync(page) || readFileSync(page, "utf8") !== text) {
    problems.push("docs/spec-coverage.md is stale: run `node scripts/spec-coverage.mjs`");
  }
} else writeFileSync(page, text);
for (const problem of new Set(problems)) console.error(problem);
const covered =
  scenarios.length - scenarios.filter(({ id }) => problems.some((line) => line.startsWith(`${id}:`))).length;
console.log(
  `${covered} of ${scenarios.length} scenarios are shown by ${new Set(shown.map(({ key }) => key)).size} tests`,
);
process.exitCode = problems.length > 0 ? 1 : 0;

/** The tests of a package that name a scenario, as its last run reported them. */
function marksOf(name) {
  const folder = new URL(`packages/${name}/`, root);
  const { scripts } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  if (scripts?.test === undefined) return [];
  const report = new URL(".turbo/vitest.json", folder);
  if (!existsSync(report)) {
    problems.push(`packages/${name}: no test report, run \`npm test\` first`);
    return [];
  }
  return JSON.parse(readFileSync(report, "utf8")).testResults.flatMap(({ name: path, assertionResults }) => {
    // The report may come from a cache that another checkout filled.
    const file = `packages/${name}/${path.split(sep).join("/").split(`/packages/${name}/`).at(-1)}`;
    return assertionResults.flatMap(({ fullName, status }) => {
      const title = fullName
        .replace(mark, "")
        .replace(/\s+/g, " ")
        .replace(/\s*:?\s*$/, "")
        .trim();
      const ids = [...fullName.matchAll(mark)].map(([, id]) => id);
      return ids.map((id) => ({ id, status, title, file, key: `${file} ${fullName}`, marks: ids.length }));
    });
  });
}

function pageOf(tests) {
  const parts = [
    "# Scenarios and the tests that show them",
    "Written by `node scripts/spec-coverage.mjs` from the reports of `npm test`; `.ci/run` fails when a scenario has no passed test. A test names its scenarios at the end of its title.",
  ];
  for (const capability of capabilities) {
    const own = scenarios.filter((scenario) => scenario.capability === capability);
    const rows = own.map(({ id, requirement, title }) => {
      const links = tests
        .filter((test) => test.id === id)
        .map((test) => `[${test.file.split("/")[1]}](../${test.file}): ${test.title}`)
        .sort();
      return [`\`${id}\``, requirement, title, [...new Set(links)].join("<br>")].map((cell) =>
        cell.replaceAll("|", "\\|"),
      );
    });
    parts.push(
      `## ${capability}`,
      [
        "| id | requirement | scenario | shown by |",
        "|---|---|---|---|",
        ...rows.map((row) => `| ${row.join(" | ")} |`),
      ].join("\n"),
    );
  }
  return `${parts.join("\n\n")}\n`;
}
