import { type DeepSearchReport, ResearchError, type ResearchEvent, type SearchReport } from "@x/research";
import type { Research } from "../../src/research.js";

/** A research that says what the test tells it, step by step. */
export interface FakeResearch extends Pick<Research, "ask"> {
  /** What was asked, with the id that was to be resumed. */
  asked: { tool: string; request: Record<string, unknown>; resume?: string | undefined }[];
  /** Lets the oldest unfinished research go on with an event or an end. */
  tell(...events: ResearchEvent[]): void;
  finish(report?: object): void;
  fail(error: Error): void;
  /** Researches that have not ended. */
  readonly running: number;
  /** Resolves when `n` researches have been asked for. */
  hasAsked(n: number): Promise<void>;
}

type Step = { event: ResearchEvent } | { report: object } | { error: Error };

export function fakeResearch(): FakeResearch {
  const asked: FakeResearch["asked"] = [];
  const open: Feed[] = [];
  const hearers = new Set<() => void>();
  const current = () => {
    const feed = open[0];
    if (feed === undefined) throw new Error("no research is running");
    return feed;
  };

  async function* run<R>(
    tool: string,
    { signal, resume, ...request }: { signal?: AbortSignal; resume?: string | undefined },
  ): AsyncGenerator<ResearchEvent, R, void> {
    const feed = new Feed(signal);
    open.push(feed);
    asked.push({ tool, request: request as Record<string, unknown>, resume });
    for (const hear of hearers) hear();
    try {
      yield { type: "research-start", id: resume ?? `research-${asked.length}` };
      for (;;) {
        const step = await feed.next();
        if ("error" in step) throw step.error;
        if ("report" in step) return step.report as R;
        yield step.event;
      }
    } finally {
      open.splice(open.indexOf(feed), 1);
    }
  }

  return {
    asked,
    ask: (tool, request) => run(tool, request),
    tell: (...events) => current().push(...events.map((event) => ({ event }))),
    finish: (report = searchReport()) => current().push({ report }),
    fail: (error) => current().push({ error }),
    get running() {
      return open.length;
    },
    hasAsked: (n) =>
      new Promise((resolve) => {
        const check = () => {
          if (asked.length < n) return;
          hearers.delete(check);
          resolve();
        };
        hearers.add(check);
        check();
      }),
  };
}

class Feed {
  #steps: Step[] = [];
  #wake: (() => void) | undefined;
  constructor(signal: AbortSignal | undefined) {
    const stop = () => this.push({ error: new ResearchError("CANCELLED", "cancelled") });
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
  }
  push(...steps: Step[]): void {
    this.#steps.push(...steps);
    this.#wake?.();
  }
  async next(): Promise<Step> {
    for (;;) {
      const step = this.#steps.shift();
      if (step !== undefined) return step;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

const metadata = {
  duration_ms: 1200,
  query: "why is the sky blue",
  model: "gemini-2.5-pro",
  timestamp: "2026-11-20T09:00:00.000Z",
  sources_visited: ["https://example.org/sky"],
  search_queries_used: ["sky blue cause"],
};

export function searchReport(result = "Rayleigh scattering [1]."): SearchReport {
  return { success: true, result, metadata };
}

export function deepReport(result = "Rayleigh scattering [1]."): DeepSearchReport {
  return {
    success: true,
    result,
    verified: true,
    metadata: {
      ...metadata,
      iterations: 2,
      rounds: [
        {
          round_number: 1,
          sources_visited: ["https://example.org/sky"],
          search_queries: ["sky"],
          intermediate_result_summary: "first",
        },
        { round_number: 2, sources_visited: [], search_queries: [], intermediate_result_summary: "second" },
      ],
    },
  };
}
