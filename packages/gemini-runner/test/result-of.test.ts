import { expect, test } from "vitest";
import { resultOf } from "../src/index.js";

test("gives the events and then what the generator returned", async () => {
  async function* run() {
    yield 1;
    yield 2;
    return "end";
  }
  const events: number[] = [];
  expect(await resultOf(run(), (event) => events.push(event))).toBe("end");
  expect(events).toEqual([1, 2]);
});
