import { execFile } from "node:child_process";
import { rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { Documents } from "../../../src/pages/documents/documents.js";
import { addressOf } from "../../../src/pages/documents/find-documents.js";
import { makePageText } from "../../../src/pages/text/page-text.js";
import { bundled } from "../../real-world.js";
import { folderWith } from "./folder.js";

async function opened(root: string, more: { maxSearched?: number; worker?: URL } = {}) {
  const documents = await Documents.open([{ root }], { texts: { make: makePageText }, ...more });
  onTestFinished(() => documents.close());
  return documents;
}

const WORDS = {
  "tide.md": "# Tides\n\nThe Bay of Fundy has the highest tides.",
  "moon.txt": "The moon pulls the sea.",
  "sub/jp.md": "東京都の人口は約1400万人です。",
};

test.each([
  ["highest tides", "tide.md"],
  ["FUNDY", "tide.md"],
  ["tide", "tide.md"],
  ["moon", "moon.txt"],
  ["東京都", "sub/jp.md"],
])("a collection is searched by words: %s", async (words, name) => {
  const root = await folderWith(WORDS);
  const { passages, searched, of } = await (await opened(root)).find(root, words);
  expect([passages[0]?.url, searched, of]).toEqual([addressOf(join(root, name)), 3, 3]);
});

test("in a thread as well, which ends with the research", async () => {
  const root = await folderWith(WORDS);
  const program = await bundled(
    fileURLToPath(new URL("../../../src/pages/documents/search-worker.ts", import.meta.url)),
  );
  const documents = await opened(root, { worker: new URL(`file://${program}`) });
  expect((await documents.find(root, "moon")).passages).toMatchObject([{ url: addressOf(join(root, "moon.txt")) }]);
  documents.close();
  await expect(documents.find(root, "moon")).rejects.toThrow(/the research is over/);
});

test("a search in a folder gives what is in it, and few passages of each document", async () => {
  const root = await folderWith({
    "a/many.md": "the tide turns\n\n".repeat(1_000),
    "a/one.md": "one tide",
    "b/two.md": "tide",
  });
  const { passages } = await (await opened(root)).find(join(root, "a"), "tide");
  const names = passages.map(({ url }) => url.slice(addressOf(root).length));
  expect(names.toSorted()).toEqual(["/a/many.md", "/a/many.md", "/a/many.md", "/a/one.md"]);
});

test("what is not searched yet is counted", async () => {
  const root = await folderWith(WORDS);
  expect(await (await opened(root, { maxSearched: 10 })).find(root, "tide")).toMatchObject({ searched: 1, of: 3 });
});

test("only documents that were named are read, by any spelling of their address", async () => {
  const root = await folderWith({ "a b.md": "a", "c.md": "c" });
  const documents = await Documents.open([{ root, glob: "a b.md" }], { texts: { make: makePageText } });
  for (const url of [
    addressOf(join(root, "a b.md")),
    `file://${root}/a b.md`,
    `${addressOf(join(root, "a b.md"))}#L3`,
  ]) {
    expect((await documents.read(url)).bytes).toEqual(new Uint8Array([97]));
  }
  for (const url of [
    addressOf(join(root, "c.md")),
    "file:///etc/passwd",
    `file://${root}/../c.md`,
    "file://host/a.md",
    "c.md",
  ]) {
    await expect(documents.read(url)).rejects.toThrow("is none of the documents of this research");
  }
});

test("what was put in the place of a document is not read", async () => {
  const secret = await folderWith({ "secret.md": "secret", "folder/a.md": "secret" });
  const root = await folderWith({ "a.md": "a", "b.md": "b", "deep/a.md": "a", "gone.md": "x" });
  const documents = await opened(root);
  await rm(join(root, "a.md"));
  await symlink(join(secret, "secret.md"), join(root, "a.md"));
  await rm(join(root, "b.md"));
  await promisify(execFile)("mkfifo", [join(root, "b.md")]);
  await rename(join(root, "deep"), join(root, "was"));
  await symlink(join(secret, "folder"), join(root, "deep"));
  await rm(join(root, "gone.md"));
  for (const name of ["a.md", "b.md", "deep/a.md", "gone.md"]) {
    await expect(documents.read(addressOf(join(root, name)))).rejects.toMatchObject({ name: "PageError" });
  }
  await writeFile(join(root, "new.md"), "new");
  await expect(documents.read(addressOf(join(root, "new.md")))).rejects.toThrow("is none of the documents");
});
