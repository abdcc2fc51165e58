import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FORMAT_NAMES } from "../../../src/cli/research/export-research.js";
import { loadDocx } from "../../../src/cli/research/load-docx.js";
import { sampleReport } from "../../report/html/sample-report.js";
import { keepIn } from "../../support/kept.js";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const keep = () => keepIn(place.home, { report: sampleReport });

test.each([
  ["md", /^# \S/],
  ["html", /^<!doctype html>/],
  ["json", /^\{\n {2}"success": true/],
  ["ris", /^TY {2}- ELEC\r\n/],
  ["bibtex", /^@online\{source1,/],
  ["csl", /^\[\n {2}\{\n {4}"id": "source1"/],
])("as %s, printed and into a file", async (format, start) => {
  await keep();
  const { code, out } = await place.run(["export", "--last", "--format", format]);
  expect(code).toBe(0);
  const written = await place.run(["export", "0000", "--format", format, "--out", "made"]);
  expect(written).toMatchObject({ code: 0, out: "", err: `✓ Wrote ${join(place.home, "made")}\n` });
  expect(readFileSync(join(place.home, "made"), "utf8")).toBe(out);
  expect(out).toMatch(start);
});

test("`-` is stdout, as for every command", async () => {
  await keep();
  const { code, out } = await place.run(["export", "--last", "-o", "-"]);
  expect({ code, out }).toEqual({ code: 0, out: (await place.run(["export", "--last"])).out });
  expect(existsSync(join(place.home, "-"))).toBe(false);
});

test("the name of the file says the format; --help names them all", async () => {
  await keep();
  await place.run(["export", "--last", "-o", "sources.bib"]);
  expect(readFileSync(join(place.home, "sources.bib"), "utf8")).toMatch(/^@online/);
  await place.run(["export", "--last", "-o", "report"]);
  expect(readFileSync(join(place.home, "report"), "utf8")).toMatch(/^# /);
  const { out } = await place.run(["export", "--help"]);
  for (const format of FORMAT_NAMES) expect(out).toContain(`"${format}"`);
});

test("a file that is there stays, unless --force is given; a folder is none", async () => {
  await keep();
  writeFileSync(join(place.home, "report.md"), "mine");
  mkdirSync(join(place.home, "folder"));
  const refused = await place.run(["export", "--last", "-o", "report.md"]);
  expect(refused.code).toBe(2);
  expect(refused.err.replaceAll(/\s+/g, " ")).toContain("it is there already; --force writes over it");
  expect(readFileSync(join(place.home, "report.md"), "utf8")).toBe("mine");
  expect((await place.run(["export", "--last", "-o", "report.md", "--force"])).code).toBe(0);
  for (const target of ["folder", "nowhere/report.md"])
    expect((await place.run(["export", "--last", "-o", target])).code).toBe(2);
});

test.each(["ris", "bibtex", "csl"])("%s of a report without sources says so", async (format) => {
  const { evidence: _, ...metadata } = sampleReport.metadata;
  await keepIn(place.home, {
    report: { ...sampleReport, result: "Nobody knows.", metadata: { ...metadata, sources_visited: [] } },
  });
  const { code, err } = await place.run(["export", "--last", "--format", format]);
  expect({ code, err }).toEqual({ code: 0, err: "! The report has no sources: there is nothing to list.\n" });
});

test("a file of evidence does not go over another one, nor into a folder", async () => {
  writeFileSync(join(place.home, "mine"), "mine");
  mkdirSync(join(place.home, "folder"));
  for (const [name, why] of [
    ["mine", "it is there already; --force writes over it"],
    ["folder", "this is a folder"],
  ] as const) {
    const { code, err } = await place.run(["evidence", "--last", "-o", name]);
    expect({ code, err: err.replaceAll(/\s+/g, " ") }).toEqual({ code: 2, err: expect.stringContaining(why) });
  }
  expect(readFileSync(join(place.home, "mine"), "utf8")).toBe("mine");
});

test("what is not there, or has no report", async () => {
  await keepIn(place.home, { state: "interrupted" });
  expect((await place.run(["export", "nothing"])).code).toBe(2);
  expect((await place.run(["export", "--last"])).code).toBe(1);
  const { code, err } = await place.run(["evidence", "--last", "-o", "a.evidence"]);
  expect(code).toBe(1);
  expect(err).toMatch(/No report: the research is interrupted\.\n +Go on with: x-research resume /);
  expect((await place.run(["export", "--last", "--format", "bibtx"])).err).toContain("Did you mean bibtex?");
});

test("no browser prints: said, with what to do", async () => {
  await keep();
  const { code, err } = await place.run(["export", "--last", "-o", "a.pdf"], {
    env: { PRINT_BROWSER: "/nowhere/chrome" },
  });
  expect(code).toBe(1);
  expect(err.replaceAll(/\s+/g, " ")).toMatch(/There is no browser here that prints.* PRINT_BROWSER/);
  expect(existsSync(join(place.home, "a.pdf"))).toBe(false);
  const broken = await place.run(["export", "--last", "-o", "a.pdf"], { env: { PRINT_BROWSER: "/bin/false" } });
  expect(broken.err).toContain("/bin/false could not print the page");
});

test.skipIf(CHROMIUM === undefined)(
  "as PDF, printed by the browser that is there",
  async () => {
    await keep();
    const { code, err } = await place.run(["export", "--last", "-o", "report.pdf"], {
      env: { PRINT_BROWSER: CHROMIUM },
    });
    expect({ code, err }).toEqual({ code: 0, err: `✓ Wrote ${join(place.home, "report.pdf")}\n` });
    expect(readFileSync(join(place.home, "report.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
  },
  60_000,
);

test("as DOCX, with headings, lists and links of its own", async () => {
  await keep();
  const { code, err } = await place.run(["export", "--last", "-o", "report.docx"]);
  expect({ code, err }).toEqual({ code: 0, err: `✓ Wrote ${join(place.home, "report.docx")}\n` });
  const { default: zip } = await import("jszip");
  const parts = await zip.loadAsync(readFileSync(join(place.home, "report.docx")));
  const xml = (await parts.file("word/document.xml")?.async("text")) ?? "";
  expect(xml).toContain('<w:pStyle w:val="Heading1"/>');
  expect(xml).toContain("Leap seconds are being retired");
  expect(xml).toContain("<w:hyperlink");
  expect(await parts.file("word/_rels/document.xml.rels")?.async("text")).toContain("https://www.bipm.org/");
});

test("without its package DOCX says how to come by it", async () => {
  const missing = async () => {
    throw Object.assign(new Error("Cannot find package 'docx'"), { code: "ERR_MODULE_NOT_FOUND" });
  };
  await expect(loadDocx(missing)).rejects.toMatchObject({
    message: "DOCX needs the package docx, which is not installed.",
    details: expect.stringContaining("npm install -g docx"),
  });
});
