import { createHash } from "node:crypto";
import { readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFilePageStore } from "../../src/node/index.js";
import { temporaryFolder } from "../world.js";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
/** A text that cannot be packed much. */
const noise = (seed: string) =>
  Array.from({ length: 200 }, (_, at) => createHash("sha256").update(`${seed}${at}`).digest("base64")).join("");

test("a text is kept once, for its owner alone, and comes back as it was", async () => {
  const directory = join(await temporaryFolder(), "pages");
  const store = createFilePageStore({ directory });
  const text = "Zürich \u{1f30d} 443\u00a0000\n";
  await store.save(hashOf(text), text);
  await store.save(hashOf(text), text);
  expect(await readdir(directory)).toEqual([`${hashOf(text)}.gz`]);
  expect(await store.load(hashOf(text))).toBe(text);
  if (process.platform !== "win32")
    expect((await stat(join(directory, `${hashOf(text)}.gz`))).mode & 0o777).toBe(0o600);
});

test("above the limit the oldest texts go", async () => {
  const directory = await temporaryFolder();
  const texts = ["a", "b", "c", "d"].map(noise);
  const first = createFilePageStore({ directory });
  for (const [age, text] of texts.slice(0, 3).entries()) {
    await first.save(hashOf(text), text);
    const when = new Date(1_000_000_000_000 + age * 1_000);
    await utimes(join(directory, `${hashOf(text)}.gz`), when, when);
  }
  const { size } = await stat(join(directory, `${hashOf(texts[0] ?? "")}.gz`));
  const store = createFilePageStore({ directory, maxBytes: size * 3.5 });
  // Used again: not the oldest any more.
  await store.save(hashOf(texts[0] ?? ""), texts[0] ?? "");
  await store.save(hashOf(texts[3] ?? ""), texts[3] ?? "");
  const left = await Promise.all(texts.map(async (text) => (await store.load(hashOf(text))) !== undefined));
  expect(left).toEqual([true, false, true, true]);
});

test.each([
  ["that was changed", (path: string) => writeFile(path, "no gzip")],
  ["that is another", async (path: string) => writeFile(path, (await import("node:zlib")).gzipSync("another"))],
])("a text %s on the disk is as good as gone", async (_, change) => {
  const directory = await temporaryFolder();
  const store = createFilePageStore({ directory });
  await store.save(hashOf("text"), "text");
  await change(join(directory, `${hashOf("text")}.gz`));
  expect(await store.load(hashOf("text"))).toBeUndefined();
});

test("what is no hash names no file", async () => {
  const store = createFilePageStore({ directory: await temporaryFolder() });
  await expect(store.save("../x", "text")).rejects.toThrow("Not a hash");
  expect(await store.load("../x")).toBeUndefined();
});
