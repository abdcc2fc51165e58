import { readdirSync, readFileSync } from "node:fs";
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
