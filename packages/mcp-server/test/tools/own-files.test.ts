import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { documentsIn } from "../../src/tools/own-files.js";

/** Two folders that may be read, in one that may not. */
async function rooms() {
  const all = await realpath(await mkdtemp(join(tmpdir(), "own-files-")));
  onTestFinished(() => rm(all, { recursive: true, force: true }));
  const [one, two] = [join(all, "one"), join(all, "two")];
  await mkdir(join(one, "notes"), { recursive: true });
  await mkdir(two);
  for (const path of [join(one, "notes", "a.md"), join(two, "b.md"), join(all, "secret.md"), join(all, "one.md")]) {
    await writeFile(path, "text");
  }
  return { all, one, two };
}

test("names and globs, relative to any of the folders, absolute, or as an address", async () => {
  const { one, two } = await rooms();
  const roots = [one, two];
  expect(await documentsIn(["notes"], roots)).toEqual([{ root: one, glob: "notes" }]);
  expect(await documentsIn(["notes/*.md", "b.md"], roots)).toEqual([
    { root: one, glob: "notes/*.md" },
    { root: two, glob: "b.md" },
  ]);
  expect(await documentsIn(["**/*.md"], roots)).toEqual([
    { root: one, glob: "**/*.md" },
    { root: two, glob: "**/*.md" },
  ]);
  expect(await documentsIn([join(two, "b.md"), pathToFileURL(one).href], roots)).toEqual([
    { root: two, glob: "b.md" },
    { root: one },
  ]);
});

test("a folder that is behind a link is known by both of its names", async () => {
  const { all, one } = await rooms();
  await symlink(one, join(all, "link"));
  expect(await documentsIn([join(one, "notes")], [join(all, "link")])).toEqual([{ root: one, glob: "notes" }]);
});

test.each(["../secret.md", "notes/../../secret.md", "/etc/passwd", "file:///etc/passwd", "/", "../one.md", ".."])(
  "%s is in no folder that may be read",
  async (file) => {
    const { one } = await rooms();
    await expect(documentsIn([file], [one])).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(`is in no folder that may be read: ${one}.`),
    });
  },
);

test.each([
  ["nothing.md", /there is no "nothing\.md" in .*Expected a file, a folder or a glob/],
  ["nowhere/**/*.md", /there is no "nowhere/],
  ["file://host/share/a.md", /is no address of a file on this machine/],
])("%s: %s", async (file, message) => {
  const { one } = await rooms();
  await expect(documentsIn([file], [one])).rejects.toThrow(message);
});

test("where no folder is allowed nothing is read, and the way out is said", async () => {
  await expect(documentsIn(["a.md"], [])).rejects.toThrow(/no folder may be read here.*RESEARCH_ROOTS.*http --files/);
});
