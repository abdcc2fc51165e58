import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeOut } from "../../../src/cli/research/write-out.js";
import { newPlace } from "../../support/place.js";

async function* endingEarly() {
  yield "half of it";
  throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
}

function folder(): string {
  const { home, remove } = newPlace();
  onTestFinished(remove);
  return home;
}

test("a file that cannot be written to its end is not there", async () => {
  const home = folder();
  await expect(writeOut(join(home, "a.md"), endingEarly())).rejects.toMatchObject({ code: "ENOSPC" });
  expect(readdirSync(home)).toEqual([]);
});

test("one that is there is written over, or stays as it is", async () => {
  const file = join(folder(), "a.md");
  await writeOut(file, "first");
  await expect(writeOut(file, "second", { mayExist: false })).rejects.toMatchObject({ code: "EEXIST" });
  expect(readFileSync(file, "utf8")).toBe("first");
  await writeOut(file, "third");
  expect(readFileSync(file, "utf8")).toBe("third");
});

test("one that cannot be written over to its end stays as it was", async () => {
  const home = folder();
  const file = join(home, "a.md");
  await writeOut(file, "first");
  await expect(writeOut(file, endingEarly())).rejects.toMatchObject({ code: "ENOSPC" });
  expect(readFileSync(file, "utf8")).toBe("first");
  expect(readdirSync(home)).toEqual(["a.md"]);
});

test("one that is written over keeps its rights, and a link to it stays a link", async () => {
  const home = folder();
  writeFileSync(join(home, "a.md"), "first");
  chmodSync(join(home, "a.md"), 0o666);
  symlinkSync("a.md", join(home, "link.md"));
  await writeOut(join(home, "link.md"), "second");
  expect(readFileSync(join(home, "a.md"), "utf8")).toBe("second");
  expect(statSync(join(home, "a.md")).mode & 0o777).toBe(0o666);
  expect(
    readdirSync(home, { withFileTypes: true })
      .find(({ name }) => name === "link.md")
      ?.isSymbolicLink(),
  ).toBe(true);
});

test.runIf(process.platform !== "win32")("a device stays one", async () => {
  await writeOut("/dev/null", "gone");
  expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
});
