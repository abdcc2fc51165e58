import { expect, test } from "vitest";
import { Turns } from "../../src/jobs/turns.js";

const never = new AbortController().signal;

/** Lets each asker `owner/session` in turn do its work, one after the other; gives the order. */
async function orderOf(askers: readonly string[], turns = new Turns(1)): Promise<string[]> {
  const order: string[] = [];
  const leave = await turns.enter({ owner: "first", session: "" }, never);
  const waiting = askers.map(async (asker) => {
    const [owner = "", session = ""] = asker.split("/");
    const done = await turns.enter({ owner, session }, never);
    order.push(asker);
    done();
  });
  leave();
  await Promise.all(waiting);
  return order;
}

test("however much one session wants, another of its owner comes next, and another owner before that", async () => {
  expect(await orderOf(["a/1", "a/1", "a/1", "a/2", "b/1", "b/1"])).toEqual(["a/1", "b/1", "a/2", "b/1", "a/1", "a/1"]);
});

test("an owner at its limit waits, others pass it, and it goes on when a turn of its own ends", async () => {
  const turns = new Turns(3);
  const limited = { owner: "a", session: "1", limits: { running: 1 } };
  const leaveFirst = await turns.enter(limited, never);
  const order: string[] = [];
  const second = turns.enter(limited, never).then((leave) => {
    order.push("second");
    return leave;
  });
  expect(turns.isFree(limited)).toBe(false);
  expect(turns.waitingOf("a")).toBe(1);
  const leaveOther = await turns.enter({ owner: "b", session: "1" }, never);
  order.push("other");
  // A turn of another's is none of its own.
  leaveOther();
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(["other"]);
  leaveFirst();
  (await second)();
  expect(order).toEqual(["other", "second"]);
  expect(turns.isFree(limited)).toBe(true);
});

test("so many at once and no more, and a turn that is given back is taken", async () => {
  const turns = new Turns(2);
  const asker = { owner: "a", session: "" };
  const [one] = await Promise.all([turns.enter(asker, never), turns.enter(asker, never)]);
  let third = false;
  const waiting = turns.enter(asker, never).then((leave) => {
    third = true;
    return leave;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(third).toBe(false);
  one();
  (await waiting)();
  expect(await orderOf(["a/1", "b/1"], turns)).toEqual(["a/1", "b/1"]);
});

test("who gives up waiting takes no turn, and leaves nobody behind it waiting", async () => {
  const turns = new Turns(1);
  const leave = await turns.enter({ owner: "a", session: "" }, never);
  const gone = new AbortController();
  const first = turns.enter({ owner: "a", session: "1" }, gone.signal);
  const second = turns.enter({ owner: "a", session: "1" }, never);
  gone.abort(new Error("enough"));
  await expect(first).rejects.toThrow("enough");
  leave();
  (await second)();
  await expect(turns.enter({ owner: "a", session: "1" }, gone.signal)).rejects.toThrow("enough");
  expect(await orderOf(["b/1"], turns)).toEqual(["b/1"]);
});

test("who waits for an answer passes those whose clients are gone, three times in a row at most", async () => {
  const turns = new Turns(1);
  const leave = await turns.enter({ owner: "a", session: "first" }, never);
  const order: string[] = [];
  const ask = async (session: string, isAwaited: boolean) => {
    const done = await turns.enter({ owner: "a", session, isAwaited: () => isAwaited }, never);
    order.push(session);
    done();
  };
  const gone = ["gone-1", "gone-2", "gone-3"].map((session) => ask(session, false));
  const there = Array.from({ length: 5 }, () => ask("there", true));
  leave();
  await Promise.all([...gone, ...there]);
  expect(order).toEqual(["there", "there", "there", "gone-1", "there", "there", "gone-2", "gone-3"]);
});
