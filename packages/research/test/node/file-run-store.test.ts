import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFileRunStore } from "../../src/node/file-run-store.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "rounds-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Saves records of 1,000 characters; the first one was saved the longest time ago. */
async function filled(ids: readonly string[], maxBytes: number) {
  const store = createFileRunStore({ directory, maxBytes });
  for (const [at, id] of ids.entries()) {
    await store.save(id, "x".repeat(998));
    const seconds = Date.now() / 1_000 - 100 + at;
    // What is looked for next may have removed it already.
    try {
      utimesSync(join(directory, `${id}.json`), seconds, seconds);
    } catch {}
  }
  return store;
}

test("above so many bytes the oldest records go, without anybody asking for the list", async () => {
  const store = await filled(["a", "b", "c", "d", "e"], 3_000);
  expect(
    await Promise.all(["a", "b", "c", "d", "e"].map((id) => store.load(id).then((kept) => kept !== undefined))),
  ).toEqual([false, false, true, true, true]);
});

test("one that is longer than all may be stays as long as it is the last", async () => {
  const store = await filled(["a", "b"], 500);
  expect(await store.list()).toEqual(["b"]);
});
