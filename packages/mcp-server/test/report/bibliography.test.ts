import { createRequire } from "node:module";
import type { SearchReport } from "@x/research";
import { expect, test } from "vitest";
import { toBibtex, toCsl, toRis } from "../../src/report/bibliography.js";
import { sampleReport } from "./html/sample-report.js";

/*
 * The plugins add themselves to the library that they find with require(). A module that is imported is not always the
 * one that require() finds: after some other tests in the same worker there are two of it.
 */
const require = createRequire(import.meta.url);
const { Cite } = require("@citation-js/core") as typeof import("@citation-js/core");
require("@citation-js/plugin-bibtex");
require("@citation-js/plugin-ris");

interface Item {
  id: string;
  type: string;
  title: string;
  "container-title"?: string;
  URL: string;
  accessed?: { "date-parts": number[][] };
  note?: string;
}

/** What the library reads, but for how it came to it. */
function read(text: string): Item[] {
  return (new Cite(text).data as (Item & { _graph?: unknown })[]).map(({ _graph: _, ...item }) => item);
}

const own = (report = sampleReport as SearchReport) => JSON.parse(toCsl([report])) as Item[];
const HOSTILE = "“B” & c_d {e} 50% #1 $x$ ~ ^ \\input{/etc/passwd} é";

/** A report that cites one source with a title of these words. */
function citing(title: string, url = "https://a.example/x_y?z=1&b=%20~#f"): SearchReport {
  return {
    success: true,
    result: `So it is [1].\n\n1. [${title.replaceAll("\\", "\\\\")}](${url})`,
    metadata: { duration_ms: 1, query: "q", model: "m", timestamp: "2026-11-02T08:00:00.000Z" },
  };
}

/** A report that cites one document of the person's own. */
function citingOwn(url: string): SearchReport {
  const report = citing("", url);
  const evidence: NonNullable<SearchReport["metadata"]["evidence"]> = {
    ...{ status: "available", claims: [], unseen: [], citation_accuracy: 1, independent_hosts: 1, proven: null },
    ...{ contradictions: [], pages: [], unsupported_verifications: [] },
    sources: [{ url, title: "notes.md", status: "quoted", cited: true }],
  };
  const metadata = { ...report.metadata, sources_visited: [url], evidence };
  return { ...report, result: `So it is [1].\n\n## Sources\n\n1. ${url}`, metadata };
}

test.each([
  ["a list of numbers without end", `[${"1,".repeat(2_500_000)}1]`],
  ["one that is not closed", `[${"1,".repeat(2_500_000)}`],
])("%s is no citation, and no error", (_, result) => {
  const report = { ...(sampleReport as SearchReport), result };
  expect(own(report).length).toBeGreaterThan(0);
});

test("the sources that a report cites, by its own numbers, with the day and what was seen of them", () => {
  const items = own();
  expect(items.map(({ id }) => id)).toEqual([
    "source1",
    "source2",
    "source3",
    "source4",
    "source5",
    "source6",
    "source7",
  ]);
  expect(items[6]).toMatchObject({ type: "webpage", note: "Named by the model, never seen by the research" });
  expect(items[0]?.accessed).toEqual({ "date-parts": [expect.arrayContaining([2026, 11])] });
});

const REPORTS = [
  ["the sample", sampleReport as SearchReport],
  ["a hostile title", citing(HOSTILE)],
  ["a document of one's own", citingOwn("file:///home/me/notes.md")],
] as const;

test.each(REPORTS)("%s: citation-js reads CSL without loss", (_what, report) => {
  expect(own(report).length).toBeGreaterThan(0);
  expect(read(toCsl([report]))).toEqual(own(report));
});

test.each(REPORTS)("%s: citation-js reads RIS without loss, but for the day of the visit", (_what, report) => {
  // A document of one's own is a page too: RIS's type for any other document is a journal's article to Zotero.
  const expected = own(report).map(({ accessed: _, ...item }) => ({ ...item, type: "webpage" }));
  expect(expected.length).toBeGreaterThan(0);
  expect(read(toRis([report]))).toEqual(expected);
});

test("every record of RIS has the day of the visit and the site, in the tags that Zotero reads them from", () => {
  const records = toRis([sampleReport])
    .split("ER  - \r\n\r\n")
    .filter((text) => text !== "");
  const tagged = records.map((record) => Object.fromEntries(record.split("\r\n").map((line) => line.split("  - "))));
  expect(tagged.map(({ TY, ID, T2, Y2 }) => ({ TY, ID, T2, Y2 }))).toEqual(
    own().map((item) => ({
      TY: "ELEC",
      ID: item.id,
      T2: item["container-title"],
      Y2: item.accessed?.["date-parts"][0]?.map((part) => String(part).padStart(2, "0")).join("/"),
    })),
  );
});

test("BibLaTeX is read with the same titles and addresses, and none of it is a command", () => {
  const found = read(toBibtex([sampleReport])).map(({ id, title, URL }) => ({ id, title, URL }));
  expect(found).toEqual(own().map(({ id, title, URL }) => ({ id, title, URL })));
  expect(toBibtex([citing(HOSTILE)])).toContain(
    "title = {{“B” \\& c\\_d \\{e\\} 50\\% \\#1 \\$x\\$ \\textasciitilde{} \\textasciicircum{} \\textbackslash{}input\\{/etc/passwd\\} é}}",
  );
});

test("a title cannot end its line or its record", () => {
  const report = citing("A\u2028ER  - \u0007B");
  expect(toRis([report])).toContain("TI  - A ER - B\r\n");
  expect(read(toRis([report]))).toHaveLength(1);
});

test("no sources: an empty list, in each form", () => {
  const { result: _, ...none } = citing("x");
  const report = { ...none, result: "Nothing." } as SearchReport;
  expect([toCsl([report]), toRis([report]), toBibtex([report])]).toEqual(["[]\n", "", ""]);
});
