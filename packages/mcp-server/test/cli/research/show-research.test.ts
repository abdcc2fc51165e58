import { chmodSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleReport } from "../../report/html/sample-report.js";
import { keepIn, recordsIn } from "../../support/kept.js";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();

test("show prints the kept report as any command does, by the beginning of an id or --last", async () => {
  await keepIn(place.home, { report: sampleReport });
  const { code, out } = await place.run(["show", "0000"]);
  expect(code).toBe(0);
  expect(out).toContain("## Sources visited");
  expect(JSON.parse((await place.run(["show", "--last", "--json"])).out)).toMatchObject({ status: "completed" });
});

test("with prices, a report in a terminal ends with its tokens and what they cost", async () => {
  const { model, usage } = sampleReport.metadata;
  expect(usage).toMatchObject({ input_tokens: 91_000, total_tokens: 98_300 });
  await keepIn(place.home, { report: sampleReport });
  const shown = async (env: Record<string, string>) => {
    const { out } = await place.run(["show", "--last"], { tty: ["stdout"], env: { NO_COLOR: "1", ...env } });
    return out.trimEnd().replaceAll(/\s+/g, " ");
  };
  // 91,000 at $1 for a million, and 7,300 at $8.
  const priced = await shown({ RESEARCH_PRICES: `${model}=1/8, *=100/100` });
  expect(priced).toMatch(/ · 98,300 tokens · about \$0\.15$/);
  expect(await shown({})).toBe(priced.replace(" · about $0.15", ""));
});

test("show starts nothing: a research without a report says how far it is, and how to go on", async () => {
  await keepIn(
    place.home,
    { state: "interrupted" },
    { state: "failed", failure: { code: "QUOTA_EXCEEDED", message: "The quota is used up." } },
    {
      state: "cancelled",
      failure: { code: "CANCELLED", message: "The research was cancelled.", details: "Ask the same question again." },
    },
  );
  const stopped = await place.run(["show", "0000000000"]);
  expect(stopped).toMatchObject({ code: 1, out: "" });
  expect(stopped.err).toBe(
    "✗ No report: the research is interrupted.\n  Go on with: x-research resume deep-search-0000000000\n",
  );
  const cancelled = await place.run(["show", "0000000002"]);
  expect(cancelled.err).toBe("■ The research was cancelled.\n  Go on with: x-research resume deep-search-0000000002\n");
  const failed = await place.run(["show", "0000000001", "--json"]);
  expect(failed.code).toBe(5);
  expect(JSON.parse(failed.out)).toMatchObject({ success: false, error: { code: "QUOTA_EXCEEDED" } });
  expect((await place.run(["show", "nothing"])).code).toBe(2);
});

/** A browser that notes what it was asked to open. */
function browser(): { BROWSER: string; opened: () => string } {
  const program = join(place.home, "browser");
  const note = join(place.home, "opened");
  writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > "${note}"\n`);
  chmodSync(program, 0o755);
  return { BROWSER: program, opened: () => readFileSync(note, "utf8") };
}

test("open makes the page and shows it in the browser; pages go with their reports' time", async () => {
  await keepIn(place.home, { report: sampleReport });
  const { BROWSER, opened } = browser();
  expect((await place.run(["open", "--last"], { env: { BROWSER } })).code).toBe(0);
  const page = join(recordsIn(place.home), "../pages/deep-search-0000000000.html");
  expect(opened()).toBe(`file://${page}`);
  expect(readFileSync(page, "utf8")).toContain("<!doctype html>");
  expect(statSync(page).mode & 0o777).toBe(0o600);
  const old = join(page, "../deep-search-1111111111.html");
  writeFileSync(old, "");
  utimesSync(old, 1, 1);
  await place.run(["show", "--last", "--open"], { env: { BROWSER } });
  expect(() => statSync(old)).toThrow("ENOENT");
});

test.each([
  ["none is known", {}],
  ["it is not there", { BROWSER: "/nowhere/browser" }],
  ["it fails", { BROWSER: "/bin/false" }],
])("no browser, since %s: the page is named", async (_why, env) => {
  await keepIn(place.home, { report: sampleReport });
  const { code, err } = await place.run(["open", "--last"], { env });
  expect(code).toBe(1);
  expect(err).toContain("No browser could be started here. The page is file://");
});
