import { once } from "node:events";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import { z } from "zod";
import {
  type AcceptedAnswer,
  type AttemptEvent,
  type AttemptOptions,
  generateJson,
  JsonExtractError,
  jsonAttempts,
} from "../src/index.js";

const Shape = z.object({ report: z.string() });
type Shape = z.infer<typeof Shape>;

async function run<T, E = never>(options: AttemptOptions<T, E>) {
  const events: (E | AttemptEvent)[] = [];
  const attempts = jsonAttempts(options);
  try {
    for (;;) {
      const step = await attempts.next();
      if (step.done) return { events, value: step.value };
      events.push(step.value);
    }
  } catch (error) {
    return { events, error };
  }
}

const answers =
  (...texts: string[]) =>
  async () =>
    texts.shift() ?? "";
const instant = { sleep: async () => {} };
const types = (events: unknown[]) => events.map((event) => (event as { type: string }).type);

test("waits 1 s, then 2 s, between three attempts", async () => {
  const slept: number[] = [];
  const value = await generateJson({
    schema: Shape,
    generate: answers("no", "no", '{"report":"x"}'),
    sleep: async (ms) => void slept.push(ms),
  });
  expectTypeOf(value).toEqualTypeOf<Shape>();
  expect(value).toEqual({ report: "x" });
  expect(slept).toEqual([1_000, 2_000]);
});

test("the last delay repeats", async () => {
  const slept: number[] = [];
  const sleep = async (ms: number) => void slept.push(ms);
  await run({ schema: Shape, generate: answers(), attempts: 6, sleep });
  expect(slept).toEqual([1_000, 2_000, 5_000, 5_000, 5_000]);
});

test("the events of generate and correct come among the loop's own", async () => {
  const { events, value } = await run<Shape, { type: "said"; text: string }>({
    ...instant,
    schema: Shape,
    async *generate({ attempt }) {
      yield { type: "said", text: `attempt ${attempt}` };
      return "nothing";
    },
    async *correct({ text, error }) {
      yield { type: "said", text: `${error.code}: ${text}` };
      return text === "nothing" ? '{"report": "mended"}' : "";
    },
  });
  expect(value).toEqual({ report: "mended" });
  expect(types(events)).toEqual(["attempt-start", "said", "attempt-failed", "correction-start", "said"]);
  expect(events.at(-1)).toEqual({ type: "said", text: "not-found: nothing" });
});

test("the answer that was taken is heard with its text and how it was read", async () => {
  const accepted: AcceptedAnswer<Shape>[] = [];
  await run({ schema: Shape, generate: answers('{"report": "cut'), onAccepted: (answer) => accepted.push(answer) });
  expect(accepted).toMatchObject([
    { value: { report: "cut" }, text: '{"report": "cut', complete: false, attempt: 1, corrected: false },
  ]);
});

describe("after the last attempt", () => {
  test("the error holds every attempt, with its correction", async () => {
    let n = 0;
    const { error, events } = await run({
      ...instant,
      schema: Shape,
      generate: async () => `text ${++n}`,
      correct: async ({ attempt }) => {
        if (attempt === 2) throw new Error("the runner broke");
        return `correction ${attempt}`;
      },
    });
    expect(error).toBeInstanceOf(JsonExtractError);
    expect(error).toMatchObject({
      code: "exhausted",
      message: expect.stringContaining("3 attempts and 3 corrections"),
      attempts: [
        { attempt: 1, text: "text 1", error: { code: "not-found" }, correction: { text: "correction 1" } },
        { attempt: 2, text: "text 2", correction: { error: new Error("the runner broke") } },
        { attempt: 3, text: "text 3" },
      ],
    });
    expect(events.filter((event) => event.type === "correction-failed").map((event) => event.reason)).toContain(
      "the runner broke",
    );
  });

  test("a wrong shape keeps its issues", async () => {
    const { error } = await run({ ...instant, schema: Shape, generate: answers('{"report": [1]}'), attempts: 1 });
    expect(error).toMatchObject({ code: "exhausted", issues: [{ path: ["report"] }], closest: { report: [1] } });
  });
});

describe("what generate throws", () => {
  test("goes up at once", async () => {
    const broken = new Error("not signed in");
    const { error, events } = await run({ schema: Shape, generate: () => Promise.reject(broken) });
    expect(error).toBe(broken);
    expect(types(events)).toEqual(["attempt-start"]);
  });

  test("is tried again when shouldRetry says so", async () => {
    let n = 0;
    const { value, events } = await run({
      ...instant,
      schema: Shape,
      shouldRetry: () => true,
      generate: async () => {
        if (++n < 3) throw new Error("reset");
        return '{"report": "x"}';
      },
    });
    expect(value).toEqual({ report: "x" });
    expect(types(events)).toEqual([
      "attempt-start",
      "attempt-failed",
      "wait",
      "attempt-start",
      "attempt-failed",
      "wait",
      "attempt-start",
    ]);
  });
});

describe("repeats", () => {
  test("two corrections that end in the same text stop the loop", async () => {
    const { error, events } = await run({
      ...instant,
      schema: Shape,
      generate: answers("a", "b"),
      correct: async () => "same",
    });
    expect(error).toMatchObject({ code: "exhausted", message: expect.stringContaining("repeat") });
    expect(events.filter((event) => event.type === "attempt-start")).toHaveLength(2);
  });

  test("two corrections that give back their text stop the loop", async () => {
    const { events } = await run({
      ...instant,
      schema: Shape,
      generate: answers("a", "b"),
      correct: async ({ text }) => text,
    });
    expect(events.filter((event) => event.type === "attempt-start")).toHaveLength(2);
  });

  test("stopOnRepeat: false keeps all attempts", async () => {
    const { events } = await run({
      ...instant,
      schema: Shape,
      generate: answers("a", "a"),
      correct: async () => "same",
      stopOnRepeat: false,
    });
    expect(events.filter((event) => event.type === "attempt-start")).toHaveLength(3);
  });
});

describe("stopping", () => {
  test("an aborted signal ends the wait, with what was tried", async () => {
    const controller = new AbortController();
    const attempts = jsonAttempts({ schema: Shape, generate: answers("no"), signal: controller.signal });
    for (;;) {
      const step = await attempts.next();
      if (!step.done && (step.value as AttemptEvent).type === "wait") break;
    }
    const rest = attempts.next();
    controller.abort(new Error("enough"));
    await expect(rest).rejects.toMatchObject({
      code: "aborted",
      cause: new Error("enough"),
      attempts: [{ text: "no" }],
    });
  });

  test("generate gets the signal, and what it throws when aborted goes up", async () => {
    const controller = new AbortController();
    const stopped = new Error("stopped");
    const { error } = await run({
      schema: Shape,
      signal: controller.signal,
      shouldRetry: () => true,
      generate: async ({ signal }) => {
        controller.abort();
        expect(signal?.aborted).toBe(true);
        throw stopped;
      },
    });
    expect(error).toBe(stopped);
  });

  test("a correction that throws because of the abort goes up", async () => {
    const controller = new AbortController();
    const { error } = await run({
      schema: Shape,
      signal: controller.signal,
      generate: answers("no"),
      correct: async () => {
        controller.abort();
        throw new Error("killed");
      },
    });
    expect(error).toEqual(new Error("killed"));
  });

  test("no attempt starts after the deadline", async () => {
    let time = 0;
    const { error, events } = await run({
      schema: Shape,
      generate: answers(),
      deadlineMs: 2_500,
      now: () => time,
      sleep: async (ms) => {
        time += ms;
      },
    });
    expect(error).toMatchObject({ code: "aborted", message: expect.stringContaining("2500 ms"), attempts: [{}, {}] });
    expect(events.filter((event) => event.type === "attempt-start")).toHaveLength(2);
  });

  test("the deadline aborts a run that takes longer", async () => {
    const { error } = await run({
      schema: Shape,
      deadlineMs: 5,
      // Only the timer counts.
      now: () => 0,
      generate: ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    });
    expect(error).toMatchObject({ name: "TimeoutError" });
  });

  test("nothing of the deadline is left once the loop has ended, however it did", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const limited = (text: string | Error, deadlineMs = 200) => ({
      ...{ schema: Shape, attempts: 1, deadlineMs, now: () => 0 },
      generate: async ({ signal }: { signal: AbortSignal | undefined }) => {
        signals.push(signal);
        if (text instanceof Error) throw text;
        return text;
      },
    });
    await run(limited('{"report":"x"}'));
    await run(limited("no"));
    await run(limited(new Error("killed")));
    const left = jsonAttempts(limited("no"));
    for await (const { type } of left) if (type === "attempt-failed") break;
    // Timers of one length end in the order in which they were started.
    await once(AbortSignal.timeout(200), "abort");
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false, false, false]);
  });

  test("a deadline that no timer can hold is none before its time", async () => {
    const { value } = await run({
      ...{ schema: Shape, deadlineMs: Number.POSITIVE_INFINITY },
      generate: async ({ signal }) => {
        await once(AbortSignal.timeout(5), "abort");
        return JSON.stringify({ report: String(signal?.aborted) });
      },
    });
    expect(value).toEqual({ report: "false" });
  });

  test.each([-1, Number.NaN])("a deadline of %s is refused before the first attempt", async (deadlineMs) => {
    const { error, events } = await run({ schema: Shape, generate: answers("{}"), deadlineMs });
    expect(error).toMatchObject({ code: "invalid-options" });
    expect(error).toMatchObject({ message: `options.deadlineMs must be a number from 0, got ${deadlineMs}` });
    expect(events).toEqual([]);
  });

  test("ending the loop ends the run in progress", async () => {
    let ended = false;
    const attempts = jsonAttempts<Shape, string>({
      schema: Shape,
      async *generate() {
        try {
          yield "one";
          return "";
        } finally {
          ended = true;
        }
      },
    });
    await attempts.next();
    await attempts.next();
    await attempts.return({ report: "" });
    expect(ended).toBe(true);
  });
});

test.each([
  ["a schema that is none", { schema: {} }, /options\.schema must be a Standard Schema/],
  ["a wrong option of the extraction", { extract: { prefer: "x" } }, /options\.prefer must be/],
  ["a generate that is none", { generate: "x" }, /options\.generate must be a function, got "x"/],
  ["a correct that is none", { correct: null }, /options\.correct must be a function, got null/],
])("%s is said before the first call, and not tried again", async (_, options, message) => {
  let calls = 0;
  const generate = async () => {
    calls++;
    return "{}";
  };
  const { error, events } = await run({ generate, shouldRetry: () => true, ...options } as never);
  expect(error).toMatchObject({ code: "invalid-options", message: expect.stringMatching(message) });
  expect([calls, events]).toEqual([0, []]);
});

test.each([
  ["a promise of nothing", async () => undefined],
  ["nothing", () => undefined],
  ["null", () => null],
])("a generate that gives no text is a failed attempt that says so: %s", async (_, generate) => {
  const { error } = await run({ ...instant, generate: generate as never, correct: answers("{}"), attempts: 2 });
  const message = expect.stringMatching(/generate must give a text as a string, got (?:undefined|null)$/);
  expect(error).toMatchObject({
    code: "exhausted",
    message,
    attempts: [{ error: { message } }, { error: { message } }],
  });
});

test("a correct that gives no text is a failed correction", async () => {
  const { events } = await run({ ...instant, generate: answers("no"), correct: (async () => 5) as never, attempts: 1 });
  const reason = "correct must give a text as a string, got 5";
  expect(events.at(-1)).toMatchObject({ type: "correction-failed", reason });
});

test.each([
  ["attempts", 0],
  ["attempts", 1.5],
  ["delaysMs", null],
  ["delaysMs", [Number.NaN]],
  ["shouldRetry", "x"],
  ["sleep", 5],
  ["signal", "no"],
  ["extract", "abc"],
])("%s: %j is a mistake of the program, told before the first call", async (name, value) => {
  const generate = vi.fn(answers());
  const error = await generateJson({ schema: Shape, generate, [name]: value } as never).catch((error) => error);
  expect(error).toMatchObject({ code: "invalid-options", message: expect.stringContaining(`options.${name} must be`) });
  expect(generate).not.toHaveBeenCalled();
});
