import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SlowReaders } from "../../src/transports/slow-readers.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An answer of which so many bytes wait to be read. */
class Answer {
  destroyed = false;
  readonly socket = null;
  writableLength: number;
  #closed = () => {};
  constructor(waiting: number) {
    this.writableLength = waiting;
  }
  on() {}
  once(_event: "close", closed: () => void) {
    this.#closed = closed;
  }
  destroy() {
    this.destroyed = true;
    this.#closed();
  }
}

function watched(readers: SlowReaders, ...waiting: number[]): Answer[] {
  const answers = waiting.map((bytes) => new Answer(bytes));
  for (const answer of answers) readers.watch(answer as unknown as ServerResponse);
  return answers;
}

test("when more waits to be read than there may be, those with most lose their connection, and no others", () => {
  const readers = new SlowReaders({ lookMs: 5_000, stalledMs: 50_000, mostWaiting: 100 });
  const answers = watched(readers, 40, 0, 50, 30, 20);
  vi.advanceTimersByTime(1_000);
  expect(answers.map(({ destroyed }) => destroyed)).toEqual([false, false, true, false, false]);
  for (const answer of answers) answer.destroy();
  expect(vi.getTimerCount()).toBe(0);
});

test("one answer alone may be as long as it is", () => {
  const readers = new SlowReaders({ lookMs: 5_000, stalledMs: 50_000, mostWaiting: 100 });
  const [answer] = watched(readers, 500, 0);
  vi.advanceTimersByTime(1_000);
  expect(answer?.destroyed).toBe(false);
});
