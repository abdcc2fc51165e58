import { execFile } from "node:child_process";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { startModelServer } from "@x/gemini-runner/testing";
import { expect, onTestFinished, test } from "vitest";
import { HTML, PAGE, quoting, startWebsite } from "../../../../research/test/pages/lake.js";
import { HOST } from "../../../../research/test/pages/servers.js";
import { main } from "../../../src/cli/main.js";
import { newPlace } from "../../support/place.js";
import { fakeIo } from "../fake-io.js";

const SETTINGS = {
  GEMINI_RESEARCH_USER_AGENT: "AdasReader/1.0",
  GEMINI_RESEARCH_ROBOTS: "false",
  GEMINI_RESEARCH_ARCHIVE: `http://${HOST}/available`,
};
const COPY = `http://${HOST}/2026/lake`;

/** Commands in one home, with the real CLI and a website behind a proxy. */
async function person(page: (path: string) => string) {
  const place = newPlace();
  const website = await startWebsite(page);
  const model = await startModelServer({ scenario: quoting });
  onTestFinished(async () => {
    await model.close();
    place.remove();
  });
  const run = async (...args: string[]) => runIn({}, ...args);
  const runIn = async (window: Pick<Parameters<typeof fakeIo>[0], "tty" | "columns">, ...args: string[]) => {
    const { io, out, err } = fakeIo({
      ...window,
      home: place.home,
      env: { ...place.env, ...model.env, ...website.env, ...SETTINGS },
    });
    return { code: await main(args, io), out: out(), err: err() };
  };
  return { run, runIn, home: place.home, site: website.site };
}

test("the evidence of a research is written, checked without a network, and compared with the pages of today", async () => {
  let page = HTML;
  const archived = JSON.stringify({ archived_snapshots: { closest: { available: true, url: COPY } } });
  const { run, runIn, home, site } = await person((path) => (path.startsWith("/available?") ? archived : page));
  expect(await run("search", "How large is Lake Vessin?", "--require-evidence", "100")).toMatchObject({ code: 0 });
  const { out: ids } = await run("list", "--ids");
  const file = join(home, "evidence.gz");
  const written = await run("evidence", ids.trim(), "--out", file);
  expect(written).toMatchObject({ code: 0, err: expect.stringMatching(/ \(\d,\d{3} bytes\)/) });
  const piped = await run("evidence", ids.trim(), "--out", "-");
  expect(piped).toMatchObject({ code: 0, err: "", out: expect.stringContaining("\u001f") });
  expect(await runIn({ tty: ["stdout"] }, "evidence", ids.trim(), "--out", "-")).toMatchObject({
    code: 2,
    err: expect.stringContaining("nothing for a terminal"),
    out: "",
  });

  const checked = await run("verify", file);
  expect(checked).toMatchObject({ code: 0, out: expect.stringContaining("100 % of 1 claim proven, 1 page.") });
  expect(await run("verify", file, "--online")).toMatchObject({
    code: 0,
    out: expect.stringContaining(`✓ stands at ${PAGE}: "Lake Vessin covers`),
  });
  const narrow = await runIn({ tty: ["stdout"], columns: 40 }, "verify", file, "--online");
  const lines = stripVTControlCharacters(narrow.out).split("\n");
  expect(lines.filter((line) => line.length > 40 && line.trim().includes(" "))).toEqual([]);
  expect(lines).toContain("✓ All stands as it was computed: 100 %");
  page = HTML.replace("212", "219");
  expect(await run("verify", file, "--online")).toMatchObject({
    code: 1,
    out: expect.stringMatching(new RegExp(`✗ changed at ${PAGE}.*\\n +a copy of then: ${COPY}\\n$`)),
  });
  // Each read is ours by its name, and asks for no rules where none are wanted.
  expect(new Set(site.headers.map((headers) => headers["user-agent"]))).toEqual(new Set(["AdasReader/1.0"]));
  expect(site.asked).not.toContain("/robots.txt");

  const text = gunzipSync(await readFile(file)).toString("utf8");
  await writeFile(file, gzipSync(text.replaceAll("212\u00a0square", "222\u00a0square")));
  expect(await run("verify", file)).toMatchObject({
    code: 1,
    out: expect.stringContaining(`the text of ${PAGE} was altered`),
  });
}, 300_000);

test("what is not there, or is no evidence file, is told", async () => {
  const { run, home } = await person(() => HTML);
  expect(await run("evidence", "search-0000000000", "--out", "x.gz")).toMatchObject({
    code: 2,
    err: expect.stringContaining("There is no research"),
  });
  expect(await run("verify", "gone.gz")).toMatchObject({ code: 2, err: expect.stringContaining("gone.gz") });
  const file = join(home, "notes.txt");
  await writeFile(file, "hello");
  expect(await run("verify", file)).toMatchObject({ code: 2, err: expect.stringContaining("no evidence file") });
  await truncate(file, 2 ** 31);
  expect(await run("verify", file)).toMatchObject({
    code: 2,
    err: expect.stringContaining("larger than any evidence file"),
  });
});

test.runIf(process.platform !== "win32")("a device or a pipe, which has no end, is not read", async () => {
  const { run, home } = await person(() => HTML);
  const pipe = join(home, "pipe");
  await promisify(execFile)("mkfifo", [pipe]);
  for (const file of ["/dev/null", pipe]) {
    expect(await run("verify", file)).toMatchObject({ code: 2, err: expect.stringContaining("a file is expected") });
  }
});
