import { expect, test } from "vitest";
import { type Asker, Turns } from "../../src/jobs/turns.js";

/** Puts jobs of these askers, `owner/session`, into the line; each is named by its asker and its place. */
function join(turns: Turns, askers: readonly string[]): void {
  for (const [at, asker] of askers.entries()) {
    const [owner = "", session = ""] = asker.split("/");
    turns.join(`${asker} ${at}`, { owner, session });
  }
}

/** Gives every job that waits its turn, one after the other. */
function orderOf(turns: Turns): string[] {
  const order: string[] = [];
  for (let id = turns.next(); id !== undefined; id = turns.next()) {
    order.push(id);
    turns.leave(id);
  }
  return order;
}

test("however much one session wants, another of its owner comes next, and another owner before that", () => {
  const turns = new Turns(1);
  join(turns, ["a/1", "a/1", "a/1", "a/2", "b/1", "b/1"]);
  expect(orderOf(turns)).toEqual(["a/1 0", "b/1 4", "a/2 3", "b/1 5", "a/1 1", "a/1 2"]);
});

test("an owner at its limit waits, others pass it, and it goes on when a turn of its own ends", () => {
  const turns = new Turns(3);
  const limited: Asker = { owner: "a", session: "1", limits: { running: 1 } };
  turns.join("first", limited);
  expect(turns.next()).toBe("first");
  expect(turns.isFree(limited)).toBe(false);
  turns.join("second", limited);
  expect(turns.waitingOf("a")).toBe(1);
  turns.join("other", { owner: "b", session: "1" });
  expect(turns.next()).toBe("other");
  // A turn of another's is none of its own.
  turns.leave("other");
  expect(turns.next()).toBeUndefined();
  turns.leave("first");
  expect(turns.next()).toBe("second");
  turns.leave("second");
  expect(turns.isFree(limited)).toBe(true);
});

test("so many at once and no more, and a turn that is given back is taken", () => {
  const turns = new Turns(2);
  join(turns, ["a/1", "a/1", "a/1"]);
  expect([turns.next(), turns.next(), turns.next()]).toEqual(["a/1 0", "a/1 1", undefined]);
  turns.leave("a/1 0");
  expect([turns.next(), turns.next()]).toEqual(["a/1 2", undefined]);
  turns.atOnce = 3;
  join(turns, ["b/1"]);
  expect(turns.next()).toBe("b/1 0");
});

test("who gives up waiting takes no turn, and leaves nobody behind it waiting", () => {
  const turns = new Turns(1);
  join(turns, ["a/1", "a/1", "a/1"]);
  expect(turns.leave("a/1 0")).toEqual({ owner: "a", session: "1" });
  expect(turns.leave("nobody")).toBeUndefined();
  expect(orderOf(turns)).toEqual(["a/1 1", "a/1 2"]);
});

test("who waits for an answer passes those whose clients are gone, three times in a row at most", () => {
  const turns = new Turns(1);
  const ask = (id: string, session: string, isAwaited: boolean) =>
    turns.join(id, { owner: "a", session, isAwaited: () => isAwaited });
  for (const id of ["gone-1", "gone-2", "gone-3"]) ask(id, id, false);
  for (const id of ["there-1", "there-2", "there-3", "there-4", "there-5"]) ask(id, "there", true);
  const order = orderOf(turns).map((id) => id.replace(/^there.*/, "there"));
  expect(order).toEqual(["there", "there", "there", "gone-1", "there", "there", "gone-2", "gone-3"]);
});

test("a job that is to have its turn again comes first, before all owners and sessions", () => {
  const turns = new Turns(1);
  join(turns, ["a/1", "a/2", "b/1"]);
  turns.join("again", { owner: "a", session: "2" }, "first");
  expect(orderOf(turns)).toEqual(["again", "b/1 2", "a/1 0", "a/2 1"]);
});
