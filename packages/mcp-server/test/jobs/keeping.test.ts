import { describe, expect, test } from "vitest";
import { type KeepLimits, type Kept, tooMany } from "../../src/jobs/keeping.js";

const limits: KeepLimits = { keepMs: 100, most: 3, mostBytes: 1_000, always: 1 };
const file = (more: Partial<Kept> & { name?: string } = {}) => ({ ageMs: 0, bytes: 1, owner: "a", ...more });

describe("what is kept no longer", () => {
  test("is past its time, but for the last of its owner", () => {
    const [last, old, other] = [file({ ageMs: 200 }), file({ ageMs: 300 }), file({ ageMs: 300, owner: "b" })];
    expect(tooMany([last, old, other], limits)).toEqual([old]);
  });

  test("is more than so many of one owner, the oldest first", () => {
    const files = Array.from({ length: 5 }, (_, i) => file({ name: `${i}` }));
    expect(tooMany([...files, file({ owner: "b" })], limits)).toEqual(files.slice(3));
  });

  test("is more than so many bytes of one owner; the last stays, however long it is", () => {
    const [long, short] = [file({ bytes: 2_000 }), file({ bytes: 1 })];
    expect(tooMany([long, short], limits)).toEqual([short]);
    expect(tooMany([file({ bytes: 600 }), file({ bytes: 600 }), file({ bytes: 300 })], limits)).toEqual([
      file({ bytes: 600 }),
    ]);
  });
});
