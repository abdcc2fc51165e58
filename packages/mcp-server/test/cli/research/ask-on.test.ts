import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainGemini, printing, promptsOf, scriptGemini } from "../../support/place.js";
import { inOwnHome } from "../commands.js";

const place = inOwnHome();

const area = (number: number) => `Lake Vessin covers an area of ${number} square kilometres.`;
const saying = (report: string, ...claims: string[]) => ({
  success: true,
  report,
  metadata: { sources_visited: [] },
  claims: claims.map((text) => ({ text, sources: [], status: "supported" })),
});

/** One command with a program that answers so. */
async function ask(answer: object, ...argv: string[]) {
  return place.run([...argv, "--quiet"], { env: { GEMINI_CLI_PATH: plainGemini(place, answer) } });
}

async function ids(): Promise<string[]> {
  return (await place.run(["list", "--ids"])).out.trim().split("\n");
}

test("ask begins with what was found out before, and says what it contradicts", async () => {
  expect((await ask(saying("212 km².", area(212)), "search", "How large is Lake Vessin?")).code).toBe(0);
  const [id = ""] = await ids();
  const { code, out } = await ask(saying("221 km².", area(221)), "ask", id.slice(-10, -4), "Is that", "still so?");
  expect(code).toBe(0);
  expect(out).toContain(`The earlier report said otherwise: "${area(212)}" Now: "${area(221)}"`);
  expect(out).toContain("asked on from: How large is Lake Vessin?");
  const [, prompt = ""] = promptsOf(place);
  for (const part of ["Is that still so?", "How large is Lake Vessin?", "212 km²."]) expect(prompt).toContain(part);
  expect((await ids())[0]).toMatch(/^search-/);
});

test("--last is the last one, --as says how it is researched, and stdin is material for the question", async () => {
  await ask(saying("212 km²."), "search", "How large is Lake Vessin?");
  const gemini = scriptGemini(place, printing(place, { ...saying("41 m."), verified: true }));
  const args = ["ask", "--last", "And its depth?", "--as", "deep-search", "--quiet", "--json"];
  const { code, out } = await place.run(args, { env: { GEMINI_CLI_PATH: gemini }, stdin: "A note." });
  expect(code).toBe(0);
  const answer = JSON.parse(out);
  expect(answer).toMatchObject({ job_id: expect.stringMatching(/^deep-search-/), metadata: { iterations: 1 } });
  expect(answer.metadata.query).toMatch(/^And its depth\?[\s\S]*A note\./);
  expect(answer.metadata.follow_up).toMatchObject({ of: (await ids())[1], query: "How large is Lake Vessin?" });
});

test("a search that could not begin is not the last one to ask on from, but is begun again by --last", async () => {
  await ask(saying("212 km²."), "search", "How large is Lake Vessin?");
  const failed = await ask(saying("41 m."), "search", "What do my notes say?", "--file", "nowhere.md");
  expect(failed.code).toBe(2);
  const { code, out } = await ask(saying("41 m."), "ask", "--last", "And how deep?");
  expect(code).toBe(0);
  expect(out).toContain("asked on from: How large is Lake Vessin?");
  await ask(saying("41 m."), "search", "What do my notes say?", "--file", "elsewhere.md");
  await writeFile(join(place.home, "notes.md"), "Nothing of it.");
  const again = await ask(saying("Nothing."), "again", "--last", "--file", "notes.md", "--json");
  expect(JSON.parse(again.out)).toMatchObject({ metadata: { query: "What do my notes say?" } });
});

test("a thread is listed by any of its researches, and shown as one document, the oldest first", async () => {
  await ask(saying("Another."), "search", "Something else?");
  await ask(saying("212 km²."), "search", "How large is Lake Vessin?");
  await ask(saying("41 m."), "ask", "--last", "And how deep?");
  const [last = "", first = ""] = await ids();
  const listed = await place.run(["list", "--thread", first]);
  expect(listed.out).toMatch(/↳ And how deep\?\n.* How large is Lake Vessin\?\n$/);
  expect(JSON.parse((await place.run(["list", "--thread", last, "--json"])).out)).toMatchObject([
    { job_id: last, follow_up_of: first },
    { job_id: first },
  ]);
  expect(await place.run(["list", "--thread", "--last", "--ids"])).toEqual({
    code: 0,
    out: `${last}\n${first}\n`,
    err: "",
  });
  for (const id of [first, last]) {
    const { code, out } = await place.run(["show", id, "--thread", "--out", "thread.md"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^# How large is Lake Vessin\?\n\n212 km²\.[\s\S]*\n---\n\n# And how deep\?\n\n41 m\./);
    expect(await readFile(join(place.home, "thread.md"), "utf8")).toBe(out);
  }
  const page = await place.run(["show", last, "--thread", "--html", "thread.html"]);
  expect(page.code).toBe(0);
  const html = await readFile(join(place.home, "thread.html"), "utf8");
  expect(html).toMatch(/<h1[^>]*>How large is Lake Vessin\?<[\s\S]*<h1[^>]*>And how deep\?</);
  const exported = await place.run(["export", first, "--thread", "--format", "html"]);
  expect(exported.out).toBe(html);
  expect(JSON.parse((await place.run(["export", last, "--thread", "--format", "json"])).out)).toMatchObject([
    { job_id: first },
    { job_id: last },
  ]);
  const terminal = await place.run(["show", "--last", "--thread"], { tty: ["stdout"], env: { NO_COLOR: "1" } });
  expect(terminal.out).toMatch(/▌ .*How large is Lake Vessin\?[\s\S]*▌ .*And how deep\?/);
  expect(JSON.parse((await place.run(["show", last, "--thread", "--json"])).out)).toHaveLength(2);
});

test("refresh asks the same anew and says what has changed: in the report, in the JSON, on the page", async () => {
  const before = saying("212 km².", area(212), "The ferry runs in summer.", "It has three islands.");
  await ask(before, "search", "What is known of Lake Vessin?", "--language", "German");
  const now = saying("221 km².", area(221), "It has three islands.", "A dam is planned.");
  const { code, out } = await ask(now, "refresh", "--last", "--recency", "year", "--html", "page.html");
  expect(code).toBe(0);
  expect(out).toMatch(/## What has changed since \d{4}-\d\d-\d\d: 1 changed, 1 new, 1 gone, 1 as before\n/);
  expect(out).toContain(`- **changed:** ${area(221)} (before: ${area(212)})`);
  expect(out).toContain("- **new:** A dam is planned.");
  expect(out).toContain("- **gone:** The ferry runs in summer.");
  expect(await readFile(join(place.home, "page.html"), "utf8")).toContain("<b>gone:</b> The ferry runs in summer.");
  const [id = "", first = ""] = await ids();
  const shown = await place.run(["show", id, "--json"]);
  expect(JSON.parse(shown.out).metadata.changes).toMatchObject({ of: first, same: 1 });
  const terminal = await place.run(["show", id], { tty: ["stdout"], env: { NO_COLOR: "1" } });
  expect(terminal.out).toContain("~ Lake Vessin covers an area of 221 square kilometres.");
  const [, prompt = ""] = promptsOf(place);
  for (const part of ["German", "The ferry runs in summer.", "from pages as they are today"])
    expect(prompt).toContain(part);
  expect((await place.run(["list"])).out).toContain("↻ What is known of Lake Vessin?");
});

test("a refresh that changes nothing says so", async () => {
  const answer = saying("212 km².", area(212), "It has three islands.");
  await ask(answer, "search", "What is known of Lake Vessin?");
  const { code, out } = await ask(answer, "refresh", "--last", "--html", "page.html");
  expect(code).toBe(0);
  const same = /What has changed since \d{4}-\d\d-\d\d: 0 changed, 0 new, 0 gone, 2 as before/;
  expect(out).toMatch(same);
  const page = await readFile(join(place.home, "page.html"), "utf8");
  expect(page).toMatch(same);
  expect(page).not.toContain("<ul></ul>");
});

test.each([
  [["ask", "--last", "And?"], "No research is kept yet"],
  [["ask", "nothing", "And?"], 'There is no research "nothing"'],
  [["ask", "search-0000000000", "And?"], 'There is no research "search-0000000000"'],
  [["refresh"], "Which research?"],
  [["refresh", "search-0000000000"], 'There is no research "search-0000000000"'],
  [["show", "search-0000000000", "--thread"], 'There is no research "search-0000000000"'],
  [["export", "search-0000000000", "--thread"], 'There is no research "search-0000000000"'],
  [["list", "--thread"], "Which research?"],
  [["list", "--last"], "--last says whose thread is listed: --thread --last"],
  [["list", "--thread", "search-0000000000", "--last"], "Give an id or --last, not both."],
  [["list", "--thread", "search-0000000000"], 'There is no research "search-0000000000"'],
])("%j: wrong usage in words", async (argv, message) => {
  const { code, err } = await place.run(argv);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test.each([[["search-0000000000"]], [["And how deep is it?"]]])(
  "ask %j: that a research or a question is missing, and how to say both",
  async (words) => {
    const { code, err } = await place.run(["ask", ...words]);
    expect(code).toBe(2);
    expect(err.replace(/\s+/g, " ")).toContain("Which research, and what is the question?");
  },
);

test("who forgets the id is told how to ask on from the last one", async () => {
  const { code, err } = await place.run(["ask", "And", "how", "deep", "is", "it?"]);
  expect(code).toBe(2);
  expect(err).toContain('✗ There is no research "And"; `x-research list` shows them.\n');
  expect(err).toContain('\n  To ask on from the last one: x-research ask --last "…"\n');
});

test("of a research that failed there is nothing to ask on from", async () => {
  await place.run(["search", "Is it so?"], { env: { GEMINI_CLI_PATH: "/nowhere/gemini" } });
  const { code, err } = await place.run(["ask", "--last", "And?"]);
  expect(code).toBe(2);
  expect(err).toMatch(/The research search-\w+ failed: it has no report to ask on from\./);
  expect(err).toMatch(/Go on with: x-research resume search-\w+\n/);
});
