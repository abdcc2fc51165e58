import { setTimeout as delay, setImmediate as nextLook } from "node:timers/promises";
import { expect, test } from "vitest";
import { Heartbeat } from "../../src/process/heartbeat.js";

test("what was held up itself does not take the other for dead", async () => {
  let hung = false;
  const heartbeat = new Heartbeat({
    hangMs: 400,
    // As an answer that comes through a pipe: it is read in the next look at what has come.
    ask: () => void setImmediate(() => heartbeat.answered()),
    onHang: () => {
      hung = true;
    },
  });
  heartbeat.start();
  await nextLook();
  for (let i = 0; i < 3; i++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    await delay(1);
  }
  heartbeat.stop();
  expect(hung).toBe(false);
});

test("what does not answer is told, once", async () => {
  let asked = 0;
  let hangs = 0;
  await new Promise<void>((resolve) => {
    const heartbeat = new Heartbeat({
      hangMs: 40,
      ask: () => void asked++,
      onHang: () => {
        hangs++;
        resolve();
      },
    });
    heartbeat.start();
  });
  await delay(100);
  expect([asked, hangs]).toEqual([4, 1]);
});
