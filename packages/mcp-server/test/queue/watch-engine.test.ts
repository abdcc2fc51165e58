import { expect, test } from "vitest";
import type { EngineProblem } from "../../src/queue/engine.js";
import { watchEngine } from "../../src/queue/watch-engine.js";

const away = (why: string): EngineProblem => ({ kind: "away", text: `cannot be reached: ${why}` });

test("a queue that goes away and comes back is told of once each time", async () => {
  const ended = new AbortController();
  const seen = [
    away("a"),
    undefined,
    undefined,
    away("b"),
    away("c"),
    { kind: "setup", text: "full" },
    undefined,
    undefined,
  ];
  const lines: string[] = [];
  let begun = 0;
  await watchEngine(
    async () => {
      if (seen.length === 1) ended.abort();
      return seen.shift() as EngineProblem | undefined;
    },
    (level, text) => lines.push(`${level} ${text}`),
    ended.signal,
    async () => void begun++,
    0,
  );
  expect(begun).toBe(1);
  expect(lines).toEqual([
    "error Not ready: cannot be reached: a",
    "info The queue can be used again",
    "error Not ready: cannot be reached: b",
    "error Not ready: full",
    "info The queue can be used again",
  ]);
});

test("what cannot begin is tried again", async () => {
  const ended = new AbortController();
  const lines: string[] = [];
  let tries = 0;
  await watchEngine(
    async () => undefined,
    (level, text) => lines.push(`${level} ${text}`),
    ended.signal,
    async () => {
      if (++tries < 3) throw new Error("it went away");
      ended.abort();
    },
    0,
  );
  expect(tries).toBe(3);
  expect(lines).toEqual(["error Not ready: it went away", "info The queue can be used again"]);
});

test("a queue that does not answer holds up no end", async () => {
  const ended = new AbortController();
  const watching = watchEngine(
    () => new Promise(() => {}),
    () => {},
    ended.signal,
    async () => {},
  );
  ended.abort();
  await watching;
});
