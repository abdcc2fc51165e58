/** What the queue costs a call, and what more workers bring. */
import { median } from "../../measure/statistics.mjs";
import type { Caller } from "../caller.js";
import type { Part } from "../part.js";
import { watchProcessors } from "../processors.js";
import { ask } from "../question.js";
import { inParallel, must } from "./common.js";

const LIMIT_MS = 60_000;
const ADDED_MS = { redis: 30, postgres: 60, files: 0 };
const CALL_MS = 100;
const THROUGHPUT_MS = 400;
/** Another worker brings more, unless there is no more to be had. */
const GROWTH = 1.2;
const CPU_FULL = 0.85;

export const LATENCY: Part = {
  name: "latency",
  withinMs: () => 240_000,
  async play({ open, close, options, row }) {
    const [queue, files] = [
      await open({ fronts: 1, workers: 1 }),
      await open({ engine: "files", fronts: 1, workers: 0 }),
    ];
    await Promise.all([queue.startAll(), files.startAll()]);
    const callers = { queue: await queue.caller("one"), files: await files.caller("one") };
    const times = { queue: [] as number[], files: [] as number[] };
    const timed = async (caller: Caller): Promise<number> => {
      const { query, tool } = ask("one", { ms: CALL_MS });
      const from = performance.now();
      const answer = await caller.call(tool, { query, wait_seconds: 30 });
      must(answer.success && answer.status !== "running", `a call failed: ${answer.code} ${answer.message}`);
      return performance.now() - from;
    };
    // The first ones load what is loaded once.
    for (const caller of Object.values(callers)) for (let i = 0; i < 3; i++) await timed(caller);
    for (let i = 0; i < (options.quick ? 15 : 60); i++) {
      for (const how of ["queue", "files"] as const) times[how].push(await timed(callers[how]));
    }
    const [with_, without] = [median(times.queue), median(times.files)];
    const added = ADDED_MS[options.engine];
    row(
      "what the queue adds to a call",
      `median at most ${added} ms`,
      `${(with_ - without).toFixed(0)} ms: ${with_.toFixed(0)} ms with, ${without.toFixed(0)} ms without, ${times.queue.length} calls each in turn`,
      with_ - without <= added,
    );
    await close(queue);
    await close(files);
  },
};

export const THROUGHPUT: Part = {
  name: "throughput",
  withinMs: () => 300_000,
  async play({ open, close, options, row }) {
    let before: number | undefined;
    for (let workers = 1; workers <= options.workers; workers++) {
      const world = await open({ workers });
      await world.startAll();
      const caller = await world.caller("one");
      const count = (options.quick ? 10 : 25) * workers * options.concurrency;
      const asked = Array.from({ length: count }, () => ask("one", { ms: THROUGHPUT_MS }));
      const busy = watchProcessors();
      const outcomes = await inParallel(asked, count, ({ query, tool }) =>
        caller.finish(tool, { query, wait_seconds: 0 }, LIMIT_MS * 2),
      );
      const used = busy();
      const failed = outcomes.find(({ answer }) => !answer.success || answer.status === "running");
      const runs = await world.log.runs();
      const span = Math.max(...runs.map(({ end = 0 }) => end)) - Math.min(...runs.map(({ start }) => start));
      const perSecond = count / (span / 1_000);
      const grown = before === undefined || perSecond >= before * GROWTH;
      row(
        `jobs a second with ${workers} worker${workers > 1 ? "s" : ""} × ${options.concurrency}`,
        before === undefined
          ? "measured"
          : `at least × ${GROWTH} of ${workers - 1}, unless ${CPU_FULL * 100} % of the processors are in use`,
        `${perSecond.toFixed(1)}, processors ${(used * 100).toFixed(0)} %, ${count} jobs of ${THROUGHPUT_MS} ms${failed ? `; ${failed.answer.code} ${failed.answer.message}` : ""}`,
        failed === undefined && (grown || used >= CPU_FULL),
      );
      before = perSecond;
      await close(world);
    }
  },
};
