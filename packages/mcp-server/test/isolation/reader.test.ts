import { afterEach, expect, test } from "vitest";
import type { Work, WorkerSettings } from "../../src/isolation/messages.js";
import { Reader } from "../../src/isolation/reader.js";
import { Readers } from "../../src/isolation/readers.js";

const options = { file: new URL("./worker.mjs", import.meta.url), settings: {} as WorkerSettings, deafMs: 1_500 };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function reader(deafMs = options.deafMs): Reader {
  const made = new Reader({ ...options, deafMs });
  closing.push(() => made.close());
  return made;
}

const task = (name: string, input?: unknown) => ({ type: "task", name, input }) as const;

test("does one task after the other, and gives what came of it", async () => {
  const worker = reader();
  expect(await worker.work(task("echo", { a: ["x".repeat(100_000)] }))).toEqual({ a: ["x".repeat(100_000)] });
  expect(await worker.work(task("echo", 2))).toBe(2);
  expect(worker.isUsable).toBe(true);
});

test.each([
  ["forever", /could not be read: it took more than \d+ s/],
  ["memory", /could not be read: it needs too much memory/],
  ["throw", /could not be read: it threw/],
])(
  "a worker that does %s is ended, its work fails with the reason, and this thread goes on meanwhile",
  async (name, reason) => {
    // To fill the memory may take a while.
    const worker = reader(name === "forever" ? 1_500 : 30_000);
    const other = new Promise((resolve) => setTimeout(resolve, 20));
    const failing = worker.work(task(name)).catch((thrown: Error) => thrown);
    if (name === "forever") expect(await Promise.race([other.then(() => "others"), failing])).toBe("others");
    const error = await failing;
    expect(error).toMatchObject({ code: "EXECUTION_ERROR", reason: "reading" });
    expect((error as Error).message).toMatch(reason);
    expect(worker.isUsable).toBe(false);
    await expect(worker.work(task("echo"))).rejects.toThrow("could not be read");
  },
);

test("a worker that waits for a processor is not ended for it", async () => {
  const worker = reader(800);
  // Longer than it may be deaf, with at least one look at it meanwhile.
  await worker.work(task("starve", 1_800));
  expect(worker.isUsable).toBe(true);
});

test("a worker is not ended for what this thread has not heard, since it was held up or asleep", async () => {
  const worker = reader(1_500);
  const stop = new AbortController();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const failing = worker
    .work({ type: "research", tool: "search", request: { query: "wait" }, hasOwnStore: false } as Work, {
      signal: stop.signal,
      onMessage: begin,
    })
    .catch((error: Error) => error);
  await begun;
  // More than five times as long as it may be deaf.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8_000);
  // The timers that are due come first.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  stop.abort();
  expect(await failing).toMatchObject({ message: "stopped", code: "CANCELLED" });
  expect(worker.isUsable).toBe(true);
});

test("a worker that is still loading is not deaf", async () => {
  const file = new URL("data:text/javascript,for(const end=Date.now()+4e3;Date.now()<end;);");
  const worker = new Reader({ ...options, file, deafMs: 300 });
  closing.push(() => worker.close());
  // It ends when it has loaded, for want of a listener.
  await expect(worker.work(task("echo"))).rejects.toThrow("the thread that read it ended");
});

test("a worker that loads for ever is ended", async () => {
  const file = new URL("data:text/javascript,for(;;);");
  const worker = new Reader({ ...options, file, deafMs: 20 });
  closing.push(() => worker.close());
  await expect(worker.work(task("echo"))).rejects.toThrow("it took more than");
});

test("workers are used again, and one that was ended is not", async () => {
  const readers = new Readers(options);
  closing.push(() => readers.close());
  const first = readers.take();
  readers.give(first);
  expect(readers.take()).toBe(first);
  await first.close();
  readers.give(first);
  expect(readers.take()).not.toBe(first);
});

test("many tasks at once are all done, two at a time", async () => {
  const readers = new Readers(options);
  closing.push(() => readers.close());
  const answers = Array.from({ length: 20 }, (_, i) => readers.task("echo", i));
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  await expect(readers.task("throw", 0)).rejects.toThrow("it threw");
  expect(await readers.task("echo", 1)).toBe(1);
});

test("tasks that wait keep so much text and no more; what they share counts once", async () => {
  const readers = new Readers(options);
  closing.push(() => readers.close());
  const ask = (of: unknown) =>
    readers.task("echo", 1, { of, length: 5_000_000 }).catch(({ message }: Error) => message);
  const same = await Promise.all(Array.from({ length: 100 }, () => ask("one")));
  expect(new Set(same)).toEqual(new Set([1]));
  const others = await Promise.all(Array.from({ length: 100 }, (_, i) => ask(i)));
  // One is done, four wait.
  expect(others.filter((each) => each === 1)).toHaveLength(5);
  expect(new Set(others)).toEqual(new Set([1, "too many tasks wait"]));
  expect(await ask("next")).toBe(1);
});

test("tasks of one long report do not keep those of others waiting, and two long ones are not done at once", async () => {
  const readers = new Readers(options);
  closing.push(() => readers.close());
  const done: string[] = [];
  let atWork = 0;
  const take = readers.take.bind(readers);
  readers.take = () => {
    atWork += 1;
    return take();
  };
  const most: number[] = [];
  const ask = async (of: string, length: number) => {
    await readers.task("echo", 1, { of, length });
    most.push(atWork);
    atWork -= 1;
    done.push(of);
  };
  const many = Array.from({ length: 50 }, () => ask("one", 5_000_000));
  await ask("another", 5_000_000);
  expect(done.length).toBeLessThan(5);
  await Promise.all(many);
  expect(Math.max(...most)).toBe(1);
  await Promise.all(Array.from({ length: 10 }, (_, i) => ask(`short ${i}`, 100_000)));
  expect(Math.max(...most)).toBe(2);
});

test("a worker whose heap has grown is not used again", async () => {
  const readers = new Readers(options);
  closing.push(() => readers.close());
  const first = readers.take();
  await first.work(task("echo"));
  readers.give(first);
  expect(readers.take()).toBe(first);
  await first.work(task("grow"));
  readers.give(first);
  expect(readers.take()).not.toBe(first);
});
