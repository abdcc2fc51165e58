import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TenantLimits } from "../../src/access/principal.js";
import { watchTenants } from "../../src/access/watch.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("who came, went or has other limits is told of, until it was heard", async () => {
  let present: [string, TenantLimits][] | undefined = [
    ["ann", { running: 1 }],
    ["bob", {}],
  ];
  let hears = true;
  const told: [string, TenantLimits | undefined][][] = [];
  const stop = watchTenants({
    owners: async () => [],
    tenants: async () => {
      if (present === undefined) throw new Error("half-written");
      return new Map(present);
    },
    tell: async (changes) => {
      if (!hears) throw new Error("away");
      told.push([...changes]);
    },
    log: () => {},
  });
  const look = () => vi.advanceTimersByTimeAsync(1_000);
  await look();
  expect(told.splice(0)).toEqual([present]);
  await look();
  expect(told).toEqual([]);
  // What cannot be read says of nobody that they went.
  present = undefined;
  await look();
  present = [
    ["ann", { running: 2 }],
    ["cleo", {}],
  ];
  hears = false;
  await look();
  expect(told).toEqual([]);
  hears = true;
  await look();
  expect(told.splice(0)).toEqual([
    [
      ["ann", { running: 2 }],
      ["cleo", {}],
      ["bob", undefined],
    ],
  ]);
  stop();
  present = [];
  await look();
  expect(told).toEqual([]);
});

test("of who went while nobody looked, and has researches yet, is told at the first look", async () => {
  const present = ["tenant:ann", {}] as const;
  const researches = ["tenant:ann", "tenant:bob", "tenant:oauth:cleo-0123456789", "person", "token-0123"];
  let isAway = true;
  let hears = false;
  const told: [string, TenantLimits | undefined][][] = [];
  const stop = watchTenants({
    tenants: async () => new Map([present]),
    async owners() {
      if (isAway) throw new Error("away");
      return researches;
    },
    async tell(changes) {
      if (!hears) throw new Error("away");
      told.push([...changes]);
    },
    log: () => {},
  });
  const look = () => vi.advanceTimersByTimeAsync(1_000);
  await look();
  isAway = false;
  await look();
  hears = true;
  await look();
  expect(told.splice(0)).toEqual([[[...present], ["tenant:bob", undefined]]]);
  await look();
  expect(told).toEqual([]);
  stop();
});
