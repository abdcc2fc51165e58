import type { SearchReport } from "@x/research";
import { describe, expect, test } from "vitest";
import { readCitations } from "../../src/report/citations.js";
import { reportPage } from "../../src/report/html/page.js";
import { sampleReport } from "./html/sample-report.js";

const A = "https://a.example/page";
const B = "https://b.example/page";

function report(result: string, more: Partial<SearchReport["metadata"]> = {}): SearchReport {
  return {
    success: true,
    result,
    metadata: { duration_ms: 1, query: "q", model: "m", timestamp: "2026-11-20T00:00:00.000Z", ...more },
  };
}

/** The text with its citations as `{n}`. */
function cited(result: string, more: Partial<SearchReport["metadata"]> = {}) {
  const { blocks, sources } = readCitations(report(result, more));
  const text = (value: unknown): string =>
    JSON.stringify(value, (key, part) => (["raw", "text", "href", "title"].includes(key) ? undefined : part));
  const numbers = [...text(blocks).matchAll(/"type":"citation","numbers":\[([\d,]*)\]/g)].map((match) => match[1]);
  return { numbers, urls: sources.map(({ number, url }) => `${number} ${url}`), blocks, sources };
}

describe("a list of references gives the numbers, and is not shown twice", () => {
  test.each([
    ["an ordered list", `See [2] and [1].\n\n## Quellen\n\n1. [Page A](${A})\n2. [Page B](${B})\n`],
    ["lines in brackets", `See [2] and [1].\n\n**Sources**\n\n[1] Page A ${A}\n[2] Page B: <${B}>\n`],
    ["link definitions", `See [2] and [1].\n\n[1]: ${A} "Page A"\n[2]: ${B} "Page B"\n`],
    ["footnotes", `See [^2] and [^1].\n\n[^1]: Page A - ${A}\n\n[^2]: Page B - ${B}\n`],
    ["entries of two lines", `See [2] and [1].\n\n## Sources\n\n1. Page A\n   ${A}\n2. Page B\n   ${B}\n`],
    ["a list that more text follows", `## Sources\n1. Page A: ${A}\n2. Page B, ${B}\n\nSee [2] and [1].`],
    ["bullets with numbers", `See [2] and [1].\n\n### References\n- [1] [Page A](${A})\n- [2] [Page B](${B})`],
  ])("%s", (_name, text) => {
    const { numbers, urls, blocks, sources } = cited(text);
    expect(numbers).toEqual(["2", "1"]);
    expect(urls).toEqual([`1 ${A}`, `2 ${B}`]);
    expect(sources.map((source) => source.title)).toEqual(["Page A", "Page B"]);
    expect(blocks.map((block) => block.type)).toEqual(["paragraph"]);
  });
});

test.each([
  [`1. Page A, ${A}, 2019`, "Page A, 2019"],
  [`1. Page A - ${A} - 2019`, "Page A - 2019"],
  [`1. Page A, 2019, ${A}`, "Page A, 2019"],
  [`1. A well-known page, of 1990–2000; ${A}`, "A well-known page, of 1990–2000"],
])("%j: the title has no gap where the address stood", (entry, title) => {
  expect(cited(`See [1].\n\n## Sources\n\n${entry}`).sources[0]?.title).toBe(title);
});

test.each([
  ["with gaps", ["1", "3", "6"], ["1", "3", "6"]],
  ["of one number alone", ["1", "1", "1"], ["1", "2", "3"]],
])("an ordered list %s: its numbers are those that the text means", (_what, written, meant) => {
  const addresses = [A, B, "https://c.example/"];
  const list = written.map((number, at) => `${number}. ${addresses[at]}`).join("\n");
  const { numbers, urls } = cited(
    `${meant.map((number) => `It is so [${number}].`).join(" ")}\n\n## Sources\n\n${list}`,
  );
  expect(numbers).toEqual(meant);
  expect(urls).toEqual(meant.map((number, at) => `${number} ${addresses[at]}`));
});

test.each([
  ["its list has an entry without an address", `1. Page A: ${A}\n2. Smith, The Lighthouse, 1998 (print)`],
  ["its list has an entry with two", `1. Page A: ${A}\n2. Page B, ${A} and ${A}?all`],
  ["there is no list", `Page A is at ${A}.`],
])("no source gets a number by which the text cites something else: %s", (_, list) => {
  const { numbers, sources } = cited(`One says [1], one [2]; see ${B}.\n\n## Sources\n\n${list}`);
  expect(sources.slice(0, 2)).toMatchObject([
    { number: 3, url: B },
    { number: 4, url: A },
  ]);
  expect(numbers.slice(0, 2)).toEqual(["3", "4"]);
});

test("several numbers in one bracket, and ranges", () => {
  const list = `\n\n1. ${A}\n2. ${B}\n3. https://c.example/`;
  expect(cited(`x [1, 3] y [1-3] z [9] [0]${list}`).numbers).toEqual(["1,3", "1,2,3"]);
});

test("links in the text are numbered in their order", () => {
  const { numbers, urls } = cited(`[b](${B}) says so, [a](${A}/) too, and [b again](${B}#part). [[1]](${A})`);
  expect(numbers).toEqual(["1", "2", "1", "2"]);
  expect(urls).toEqual([`1 ${B}`, `2 ${A}/`]);
});

test("a closing list of words is no list of references", () => {
  const { blocks, urls } = cited(`Do this:\n\n1. Read [a](${A}).\n2. Sleep.\n`);
  expect(blocks.at(-1)?.type).toBe("list");
  expect(urls).toEqual([`1 ${A}`]);
});

test("a list of links that the text does not cite by number stays where it is", () => {
  expect(cited(`## Steps\n\n1. [a](${A})\n2. [b](${B})\n\n## After\n\nDone.`).blocks[1]?.type).toBe("list");
  expect(cited(`Intro.\n\n## More\n\nSee [a](${A}) for more.`).blocks.at(-1)?.type).toBe("paragraph");
});

test("brackets that mean no source stay text", () => {
  expect(cited("array[1] and [2] of [3]").numbers).toEqual([]);
});

test("sources carry what the evidence says of them", () => {
  const { sources, numberOf } = readCitations(sampleReport);
  expect(sources.map(({ number, status, cited: isCited }) => [number, status, isCited])).toEqual([
    [1, "retrieved", true],
    [2, "retrieved", true],
    [3, "found", true],
    [4, "retrieved", true],
    [5, "found", true],
    [6, "found", true],
    [7, "unseen", true],
    [8, "found", false],
  ]);
  expect(sources[1]?.title).toBe("A global timekeeping problem postponed by global warming, Nature, 2024");
  expect(numberOf("https://www.bipm.org/en/cgpm-2022/resolution-4/")).toBe(1);
});

test("without a record nothing is said about a source", () => {
  expect(cited(`[a](${A})`, { sources_visited: [B] }).sources.map((source) => source.status)).toEqual([
    "listed",
    "listed",
  ]);
});

test("a document of one's own is the source that the report's list names by its bare address", () => {
  const url = "file:///home/me/notes/hall%203.md";
  const { sources, numberOf, blocks } = readCitations(
    report(`It was replaced. [1]\n\n## Sources\n\n1. ${url}`, {
      sources_visited: [url],
      evidence: {
        status: "available",
        sources: [{ url, title: "hall 3.md", status: "quoted", cited: true }],
        claims: [],
        unseen: [],
        citation_accuracy: 1,
        independent_hosts: 1,
        proven: null,
        contradictions: [],
        pages: [],
        unsupported_verifications: [],
      },
    }),
  );
  expect(sources).toEqual([{ number: 1, url, title: "hall 3.md", status: "quoted", cited: true }]);
  expect(numberOf(url)).toBe(1);
  expect(blocks).toEqual([
    {
      type: "paragraph",
      content: [
        { type: "text", text: "It was replaced." },
        { type: "citation", numbers: [1] },
      ],
    },
  ]);
});

test("addresses that are not of the web are no sources", () => {
  const { sources } = cited("[x](javascript:alert(1)) [y](file:///etc/passwd) [z](data:text/html,x)", {
    sources_visited: ["ftp://a.example", "not a url", "https://user:secret@a.example/"],
  });
  expect(sources.map((source) => source.url)).toEqual(["https://a.example/"]);
});

test.each(["1. ", "> ", "- ", "[", "*a ", "**_", "| a "])("thousands of %j break nothing", (piece) => {
  const page = reportPage(report(`${piece.repeat(5_000)}to the end`), { generator: "x" });
  expect(page).toMatch(/<article[^>]*>.*to the end\s*<\/.*<\/article>/s);
  expect(page.endsWith("</html>\n")).toBe(true);
});
