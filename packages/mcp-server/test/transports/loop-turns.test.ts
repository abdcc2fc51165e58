import { setImmediate as turnOfLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { LoopTurns } from "../../src/transports/loop-turns.js";

test("what many want at once is done in turns of their own, in order, and others come between", async () => {
  const turns = new LoopTurns();
  const done: number[] = [];
  const all = [0, 1, 2, 3].map((which) => turns.next().then(() => done.push(which)));
  for (let before = 0; done.length < 4; before = done.length) {
    await turnOfLoop();
    expect(done.length - before).toBeLessThanOrEqual(1);
  }
  await Promise.all(all);
  expect(done).toEqual([0, 1, 2, 3]);
  await turns.next();
});
