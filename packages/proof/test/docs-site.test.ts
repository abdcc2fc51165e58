import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { brokenFragments, withOwnFragments } from "../../../docs/site/fragments.mjs";
import { PAGES } from "../../../docs/site/pages.mjs";
import { stage } from "../../../docs/site/stage.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const MANIFEST = JSON.stringify({ repository: { url: "git+https://github.com/OWNER/name.git" } });

async function temporary() {
  const folder = await mkdtemp(join(tmpdir(), "docs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Stages a tree of two pages: `a.md`, and the section `Two` of `docs/b.md`. */
async function staged(files: Record<string, string>) {
  const root = await temporary();
  for (const [name, text] of Object.entries({
    "package.json": MANIFEST,
    "docs/b.md": "# B\n\n## Two\n\ntwo\n",
    ...files,
  })) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const out = join(root, "out");
  const problems = stage(root, out, [
    { path: "a", title: "A", from: "a.md" },
    { path: "deep/two", title: "The second", from: "docs/b.md", section: "Two" },
  ]);
  return { problems, page: (path: string) => readFile(join(out, path), "utf8") };
}

test("every link of every page of the site leads somewhere", async () => {
  expect(stage(ROOT, await temporary(), PAGES)).toEqual([]);
});

test("a link leads to the page that holds the file or the heading, to the repository, or stays", async () => {
  const links =
    "[b](docs/b.md) [two](docs/b.md#two) [whole](https://github.com/OWNER/name/blob/main/docs/b.md#two) [code](src/x.ts) [self](#a) [out](https://example.com) `[no](link.md)`";
  const { problems, page } = await staged({ "a.md": `# A\n\n${links}\n`, "src/x.ts": "" });
  expect(problems).toEqual([]);
  expect(await page("a.md")).toBe(
    "# A\n\n[b](/deep/two) [two](/deep/two) [whole](/deep/two) [code](https://github.com/OWNER/name/blob/main/src/x.ts) [self](#a) [out](https://example.com) `[no](link.md)`\n",
  );
  expect(await page("deep/two.md")).toBe("# The second\n\n\ntwo\n");
});

test("a link to no file, or to no heading, is named", async () => {
  const { problems } = await staged({ "a.md": "# A\n\n[gone](gone.md) [b](docs/b.md#none)\n" });
  expect(problems).toEqual(["a.md: gone.md: there is no such file", "a.md: docs/b.md#none: there is no such heading"]);
});

test("a fragment that is the id of nothing on the built page is named", async () => {
  const site = await temporary();
  await mkdir(join(site, "deep"));
  const links = (...hrefs: string[]) => hrefs.map((href) => `<a class="x" href="${href}">x</a>`).join("");
  await writeFile(
    join(site, "a.html"),
    `<h2 id="one">1</h2>${links("#one", "#two", "/deep/b#three", "https://x.example/#no")}`,
  );
  await writeFile(
    join(site, "deep/b.html"),
    `<h2 id="drei-&amp;-3">3</h2>${links("/site/a#one", "../a#none", "#drei-%26-3")}`,
  );
  expect(brokenFragments(site, "/site/").toSorted()).toEqual([
    "a.html: #two",
    "a.html: /deep/b#three",
    "deep/b.html: ../a#none",
  ]);
});

test("a numbered fragment leads to the one heading of its name, and stays where there are two", () => {
  const text = "## One\n\n## Two\n\n## Two\n\n[a](#one-1) [b](#two-1) [c](#three-1)\n";
  expect(withOwnFragments(text)).toBe(text.replace("#one-1", "#one"));
});
