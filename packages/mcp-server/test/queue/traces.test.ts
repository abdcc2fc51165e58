import { type Span, type Tracer, trace } from "@opentelemetry/api";
import { ResearchError } from "@x/research";
import { afterEach, expect, test } from "vitest";
import { openTracer, traced } from "../../src/queue/traces.js";
import { fakeResearch, searchReport } from "../support/fake-research.js";

/** What was traced, a line each. */
const said: string[] = [];
afterEach(() => {
  said.length = 0;
  trace.disable();
});

/** As far as a tracer is asked for anything. */
function hearSpans(): void {
  const span = {
    addEvent: (name: string) => void said.push(name),
    setAttribute: (name: string, value: unknown) => void said.push(`${name} ${value}`),
    setStatus: ({ code }: { code: number }) => void said.push(`status ${code}`),
    end: () => void said.push("end"),
  } as unknown as Span;
  const startSpan = (name: string, more: object) => {
    said.push(`${name} ${JSON.stringify(more)}`);
    return span;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as unknown as Tracer });
}

async function research(query: string) {
  const fake = fakeResearch();
  const tracer = await openTracer();
  if (tracer === undefined) throw new Error("no tracer");
  const events = traced(fake.ask, tracer)("search", { query, signal: new AbortController().signal } as never);
  const all = (async () => {
    for await (const _ of events);
  })();
  await fake.hasAsked(1);
  return { fake, all };
}

test("a research is a span, with an event for each run and without a word of the question", async () => {
  hearSpans();
  const { fake, all } = await research("a secret question");
  fake.tell({ type: "step", step: { type: "run-start" } } as never);
  fake.finish(searchReport("a secret answer"));
  await all;
  expect(said).toEqual(['research search {"attributes":{"research.tool":"search"}}', "run-start", "end"]);
});

test("one that fails says with what code", async () => {
  hearSpans();
  const { fake, all } = await research("why");
  fake.fail(new ResearchError("QUOTA_EXCEEDED", "too many"));
  await expect(all).rejects.toThrow("too many");
  expect(said.slice(1)).toEqual(["error.type QUOTA_EXCEEDED", "status 2", "end"]);
});

test("where nothing was set up, spans go nowhere", async () => {
  const { fake, all } = await research("why");
  fake.finish(searchReport("because"));
  await all;
  expect(said).toEqual([]);
});
