import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Heartbeat } from "../../src/process/heartbeat.js";
import { processorWaitMs } from "../../src/process/processor-wait.js";

const ASK_MS = 2_000;
const HANG_MS = 4 * ASK_MS;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A heartbeat of something that has been held up for so long, as told before each question. */
function world({ heldUpMs }: { heldUpMs: () => number | undefined }) {
  const seen = { asked: 0, hangs: 0 };
  const heartbeat = new Heartbeat({
    hangMs: HANG_MS,
    ask: () => void seen.asked++,
    heldUpMs,
    onHang: () => void seen.hangs++,
  });
  heartbeat.start();
  return { seen, heartbeat };
}

test("what was held up itself does not take the other for dead", async () => {
  vi.useRealTimers();
  let hung = false;
  const heartbeat = new Heartbeat({
    hangMs: 400,
    // As an answer that comes through a pipe: it is read in the next look at what has come.
    ask: () => void setImmediate(() => heartbeat.answered()),
    heldUpMs: () => 0,
    onHang: () => {
      hung = true;
    },
  });
  heartbeat.start();
  await new Promise(setImmediate);
  for (let i = 0; i < 3; i++) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  heartbeat.stop();
  expect(hung).toBe(false);
});

test("what does not answer is told, once", () => {
  const { seen } = world({ heldUpMs: () => 0 });
  vi.advanceTimersByTime(HANG_MS - 1);
  expect(seen).toEqual({ asked: 4, hangs: 0 });
  vi.advanceTimersByTime(10 * HANG_MS);
  expect(seen).toEqual({ asked: 4, hangs: 1 });
});

test("the time for which it was held up since the question does not count, and what was before does", () => {
  let heldUpMs = 60_000;
  const { seen, heartbeat } = world({ heldUpMs: () => heldUpMs });
  vi.advanceTimersByTime(3 * ASK_MS);
  heartbeat.answered();
  // Nine tenths of the time somebody else has the processor.
  for (let beat = 0; beat < 39; beat++) {
    vi.advanceTimersByTime(ASK_MS);
    heldUpMs += 0.9 * ASK_MS;
  }
  expect(seen.hangs).toBe(0);
  vi.advanceTimersByTime(HANG_MS);
  expect(seen.hangs).toBe(1);
});

test("one that is held up for ever and one that then goes on are told apart", () => {
  let heldUpMs = 0;
  const { seen, heartbeat } = world({ heldUpMs: () => heldUpMs });
  for (let beat = 0; beat < 1_000; beat++) {
    heldUpMs += ASK_MS;
    vi.advanceTimersByTime(ASK_MS);
  }
  expect(seen.hangs).toBe(0);
  heartbeat.answered();
  vi.advanceTimersByTime(2 * HANG_MS);
  expect(seen.hangs).toBe(1);
});

test("where nobody knows whether it was held up, it has four times as long", () => {
  const { seen } = world({ heldUpMs: () => undefined });
  vi.advanceTimersByTime(4 * HANG_MS - 1);
  expect(seen.hangs).toBe(0);
  vi.advanceTimersByTime(ASK_MS + 1);
  expect(seen.hangs).toBe(1);
});

test.runIf(process.platform === "linux")("the system says how long a process has waited for a processor", () => {
  const [, waitedNs] = readFileSync("/proc/self/schedstat", "utf8").split(" ").map(Number);
  expect(processorWaitMs(process.pid)).toBeGreaterThanOrEqual((waitedNs ?? 0) / 1e6);
  expect(processorWaitMs(2 ** 30)).toBeUndefined();
});
