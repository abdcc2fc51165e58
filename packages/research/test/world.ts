import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type PrewarmRequest,
  RunnerError,
  type RunnerErrorOptions,
  type RunRequest,
  type RunResult,
} from "@x/gemini-runner";
import { onTestFinished } from "vitest";
import type { Prompts, ResearchDeps, ResearchEvent } from "../src/index.js";

/** What the runner says to one request: a text, a result, an error, or what a function makes of the request. */
export type Turn = string | Partial<RunResult> | Error | ((request: RunRequest) => Turn | Promise<Turn>);

/** Prompts of one line, so that a test sees what stands in them. */
const shortPrompts: Prompts = {
  search: "SEARCH {{query}} {{filters}}",
  deepSearch: "DEEP {{query}}",
  verify: "VERIFY {{query}} | {{current_result}} | {{claims}} | {{gaps}}",
  correction: "CORRECT {{file_path}} {{json_example}}",
  research: "RESEARCH {{topic}} {{depth}} {{model}}",
};

/** A runner that answers from a list, in order, and keeps what it was asked. */
function answering(...turns: Turn[]) {
  const requests: RunRequest[] = [];
  const warmed: (PrewarmRequest & { signal?: AbortSignal })[] = [];
  const runner: ResearchDeps["runner"] = {
    async *run(request) {
      requests.push(request);
      yield { type: "run-start", pid: 1, queuedMs: 0, warm: false };
      let turn = turns[requests.length - 1] ?? new Error(`nothing is said to request ${requests.length}`);
      while (typeof turn === "function") turn = await turn(request);
      if (turn instanceof Error) throw turn;
      const said = typeof turn === "string" ? { text: turn } : turn;
      yield { type: "run-end", durationMs: 1 };
      return { ...NOTHING, ...said };
    },
    prewarm: (request = {}) => void warmed.push(request),
  };
  return { runner, requests, warmed };
}

const NOTHING: RunResult = {
  text: "",
  models: [],
  recorded: false,
  queries: [],
  sources: [],
  failures: [],
  attributions: [],
  durationMs: 1,
  queuedMs: 0,
};

/** A run whose searches and pages are known. */
export function recorded(
  text: string,
  sources: RunResult["sources"] = [],
  queries: string[] = ["q"],
): Partial<RunResult> {
  return { text, recorded: true, queries, sources };
}

export const failure = (code: RunnerError["code"], message: string, options?: RunnerErrorOptions) =>
  new RunnerError(code, message, options);

/** An answer of the model, as it should be. */
export function answer(report: string, more: Record<string, unknown> = {}): string {
  return `\`\`\`json\n${JSON.stringify({ success: true, report, ...more })}\n\`\`\``;
}

export const draft = (report: string, more: Record<string, unknown> = {}) =>
  answer(report, { verified: false, ...more });
export const final = (report: string, more: Record<string, unknown> = {}) =>
  answer(report, { verified: true, ...more });

/** A world for research: the turns of its runner, waits that are noted and take no time, a clock that stands. */
export function world(turns: Turn[], more: Partial<ResearchDeps> = {}) {
  const { runner, requests, warmed } = answering(...turns);
  const slept: number[] = [];
  let ids = 0;
  const deps: ResearchDeps = {
    runner,
    prompts: shortPrompts,
    sleep: async (ms) => void slept.push(ms),
    now: () => Date.parse("2026-11-20T12:00:00Z"),
    newId: () => `id-${++ids}`,
    ...more,
  };
  return { deps, requests, warmed, slept, prompts: () => requests.map(({ prompt }) => prompt.trim()) };
}

export interface Drained<R> {
  report: R;
  events: ResearchEvent[];
  logs: string[];
}

/** Reads a run to its end. `logs` are the lines as they go to stderr. */
export async function drain<R>(
  run: AsyncGenerator<ResearchEvent, R, void>,
  onEvent?: (event: ResearchEvent) => void,
): Promise<Drained<R>> {
  const events: ResearchEvent[] = [];
  const logs = () =>
    events.flatMap((event) => (event.type === "log" ? [`[${event.level.toUpperCase()}] ${event.message}`] : []));
  for (;;) {
    const step = await run.next();
    if (step.done) return { report: step.value, events, logs: logs() };
    events.push(step.value);
    onEvent?.(step.value);
  }
}

/** What a run that must fail tells before it does, and its error. */
export async function drainFailing(run: AsyncGenerator<ResearchEvent, unknown, void>) {
  const events: ResearchEvent[] = [];
  try {
    await drain(run, (event) => events.push(event));
  } catch (error) {
    const logs = events.flatMap((event) =>
      event.type === "log" ? [`[${event.level.toUpperCase()}] ${event.message}`] : [],
    );
    return { error: error as Error & { code?: string; details?: string; nextStep?: string }, events, logs };
  }
  throw new Error("The run did not fail.");
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "research-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
