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

const take = (places: Places, answer: Answer, owner = "a") => places.take(answer as unknown as ServerResponse, owner);

test("whoever reads nothing yields to a newcomer, and nobody else does", async () => {
  const places = new Places(2, 2, new Readers({ lookMs: 5_000, stalledMs: 50_000 }));
  const [reads, stalled, newcomer] = [new Answer(), new Answer(6_000), new Answer()];
  expect([reads, stalled, newcomer].map((each) => take(places, each))).toEqual(["taken", "taken", "taken"]);
  expect([reads.destroyed, stalled.destroyed]).toEqual([false, true]);
  expect(take(places, new Answer())).toBe("full");
  // Its end comes later, and frees no second place.
  await Promise.resolve();
  expect(take(places, new Answer())).toBe("full");
  newcomer.destroy();
  await Promise.resolve();
  expect(take(places, new Answer())).toBe("taken");
});

test("one owner takes no more than its share, and its own places yield for it", () => {
  const places = new Places(4, 2, new Readers({ lookMs: 5_000, stalledMs: 50_000 }));
  const [stalled, other] = [new Answer(6_000), new Answer(6_000)];
  expect([take(places, other, "b"), take(places, stalled), take(places, new Answer())]).toEqual(Array(3).fill("taken"));
  expect(take(places, new Answer())).toBe("taken");
  expect([stalled.destroyed, other.destroyed]).toEqual([true, false]);
  expect(take(places, new Answer())).toBe("enough");
  expect(take(places, new Answer(), "b")).toBe("taken");
});
