import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { Places } from "../../src/transports/places.js";
import { SlowReaders } from "../../src/transports/slow-readers.js";

/** An answer of which nothing has been read for so long. */
class Answer {
  destroyed = false;
  readonly stalledMs: number;
  #closed = () => {};
  constructor(stalledMs = 0) {
    this.stalledMs = stalledMs;
  }
  once(_event: "close", closed: () => void) {
    this.#closed = closed;
  }
  destroy() {
    this.destroyed = true;
    queueMicrotask(this.#closed);
  }
}

class Readers extends SlowReaders {
  override stalledMs(response: ServerResponse): number {
    return (response as unknown as Answer).stalledMs;
  }
}

const take = (places: Places, answer: Answer) => places.take(answer as unknown as ServerResponse);

test("whoever reads nothing yields to a newcomer, and nobody else does", async () => {
  const places = new Places(2, new Readers({ lookMs: 5_000, stalledMs: 50_000 }));
  const [reads, stalled, newcomer] = [new Answer(), new Answer(6_000), new Answer()];
  expect([take(places, reads), take(places, stalled), take(places, newcomer)]).toEqual([true, true, true]);
  expect([reads.destroyed, stalled.destroyed]).toEqual([false, true]);
  expect(take(places, new Answer())).toBe(false);
  // Its end comes later, and frees no second place.
  await Promise.resolve();
  expect(take(places, new Answer())).toBe(false);
  newcomer.destroy();
  await Promise.resolve();
  expect(take(places, new Answer())).toBe(true);
});
