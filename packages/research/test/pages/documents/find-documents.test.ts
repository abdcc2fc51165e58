import { execFile } from "node:child_process";
import { symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { addressOf, findDocuments } from "../../../src/pages/documents/find-documents.js";
import { folderWith } from "./folder.js";

const namesIn = async (root: string, glob?: string) =>
  (await findDocuments([glob === undefined ? { root } : { root, glob }])).documents.map(({ name }) => name);

test("a file, a folder, a glob", async () => {
  const root = await folderWith({
    "a.md": "a",
    "docs/b.txt": "b",
    "docs/c.png": "c",
    ".env": "KEY=1",
    "[x]{1}.md": "x",
  });
  expect(await namesIn(join(root, "a.md"))).toEqual(["a.md"]);
  expect(await namesIn(root)).toEqual(["[x]{1}.md", "a.md", "docs/b.txt"]);
  expect(await namesIn(root, "**/*.{md,txt}")).toEqual(["[x]{1}.md", "a.md", "docs/b.txt"]);
  expect(await namesIn(root, "docs")).toEqual(["docs/b.txt"]);
  // A name that reads like a glob is that file.
  expect(await namesIn(root, "[x]{1}.md")).toEqual(["[x]{1}.md"]);
  // Who names a hidden file means it; who names a folder does not.
  expect(await namesIn(join(root, ".env"))).toEqual([".env"]);
});

test("each file once, whatever names it", async () => {
  const root = await folderWith({ "a.md": "a" });
  const { documents } = await findDocuments([{ root }, { root, glob: "*.md" }, { root: join(root, "a.md") }]);
  expect(documents).toHaveLength(1);
});

test("links are followed within the folder, never out of it, and circles end", async () => {
  const secret = await folderWith({ "secret.md": "secret" });
  const root = await folderWith({ "a.md": "a", "deep/b.md": "b" });
  await symlink(join(secret, "secret.md"), join(root, "out.md"));
  await symlink(secret, join(root, "outside"));
  await symlink(join(root, "deep", "b.md"), join(root, "inside.md"));
  await symlink(root, join(root, "deep", "again"));
  const { documents, passedOver } = await findDocuments([{ root }]);
  expect(documents.map(({ name }) => name)).toEqual(["a.md", "deep/b.md"]);
  expect(passedOver.toSorted()).toEqual([
    expect.stringMatching(/out\.md leads out of /),
    expect.stringMatching(/outside leads out of /),
  ]);
  await expect(namesIn(root, "out.md")).rejects.toThrow(/leads out of/);
  await expect(namesIn(root, "../a.md")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  await expect(namesIn(root, "outside/secret.md")).rejects.toThrow(/leads out of/);
  // The folder itself may be behind a link.
  await symlink(root, join(secret, "link"));
  expect(await namesIn(join(secret, "link"), "a.md")).toEqual(["a.md"]);
});

test("what is no plain file, empty or larger than can be read is passed over, and said", async () => {
  const root = await folderWith({ "a.md": "a", "empty.md": "" });
  await promisify(execFile)("mkfifo", [join(root, "pipe.md")]);
  await writeFile(join(root, "huge.log"), "");
  await truncate(join(root, "huge.log"), 2 * 1024 ** 3);
  const { documents, passedOver } = await findDocuments([{ root }]);
  expect(documents.map(({ name }) => name)).toEqual(["a.md"]);
  expect(passedOver.toSorted()).toEqual([
    expect.stringMatching(/empty\.md is empty$/),
    expect.stringMatching(/huge\.log is larger than 50 MiB$/),
    expect.stringMatching(/pipe\.md is no plain file$/),
  ]);
  await expect(namesIn(join(root, "pipe.md"))).rejects.toThrow(/No document can be read: .*is no plain file/);
  await expect(namesIn(join(root, "huge.log"))).rejects.toThrow(/larger than 50 MiB\. Expected smaller documents/);
});

test("a file that is named and holds no text is passed over, and said: the bytes count, not the name", async () => {
  const root = await folderWith({ "a.md": "a", "data.bin": "text", blob: "\u0000\u0001\u0002", "photo.md": "a\u0000" });
  expect(await namesIn(join(root, "data.bin"))).toEqual(["data.bin"]);
  await expect(namesIn(join(root, "blob"))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringMatching(
      /No document can be read: .*blob is no text, by what is in it.*\. Expected text or PDF: save office files/,
    ),
  });
  const { documents, passedOver } = await findDocuments([
    { root, glob: "a.md" },
    { root, glob: "photo.md" },
  ]);
  expect(documents.map(({ name }) => name)).toEqual(["a.md"]);
  expect(passedOver).toEqual([expect.stringMatching(/photo\.md is no text, by what is in it$/)]);
});

test("what holds no text is said of a folder and of a glob too", async () => {
  const root = await folderWith({ "a.md": "a", "deep/photo.md": "a\u0000", blob: "\u0000\u0001" });
  for (const glob of [undefined, "**/*"]) {
    const { documents, passedOver } = await findDocuments([glob === undefined ? { root } : { root, glob }]);
    expect(documents.map(({ name }) => name)).toEqual(["a.md"]);
    expect(passedOver.toSorted()).toEqual([
      expect.stringMatching(/blob is no text, by what is in it$/),
      expect.stringMatching(/photo\.md is no text, by what is in it$/),
    ]);
  }
});

test.each([
  ["nothing.md", /cannot be read: it is not there\. Expected a file or a folder/],
  ["*.pdf", /no document matches \*\.pdf in .*Expected the name of a file or folder, or a glob/],
  ["a.md/x", /it is not there/],
])("nothing behind %s: %s", async (glob, message) => {
  const root = await folderWith({ "a.md": "a" });
  await expect(namesIn(root, glob)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringMatching(message),
  });
});

test("more documents than can be read are refused, with what to do", async () => {
  const root = await folderWith({ "a.md": "a", "b.md": "b", "c.md": "c" });
  await expect(findDocuments([{ root }], { maxDocuments: 2 })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "More than 2 documents are meant. Expected a smaller folder, or a narrower glob.",
  });
});

test("no sign of a path ends its address", () => {
  const url = addressOf("/a/it's (1) [x] #2 ?.md");
  expect(url).toBe("file:///a/it%27s%20%281%29%20%5Bx%5D%20%232%20%3F.md");
});
