import { getHeapStatistics } from "node:v8";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type RunEvent, type RunRequest, type RunResult, resultOf } from "@x/gemini-runner";
import type { PageSession, Pages, ResearchDeps, RunReads, RunStore } from "@x/research";
import { createFilePageStore, createFileRunStore, createUrlResolver } from "@x/research/node";
import { askWith } from "./isolation/ask.js";
import { fromPlainError, toPlainError } from "./isolation/error-text.js";
import type { FromWorker, GrantedAccess, MainCall, ToWorker, WorkerSettings } from "./isolation/messages.js";
import type { Task } from "./isolation/offload.js";

/*
 * Runs beside the main thread, so that a text of a model may take long without anybody else waiting, and can be ended.
 * What starts processes stays in the main thread.
 */

interface CallOptions {
  signal?: AbortSignal;
  onEvent?: (event: RunEvent) => void;
}

interface PendingCall extends Pick<CallOptions, "onEvent"> {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const port = parentPort as MessagePort;
const post = (message: FromWorker) => port.postMessage(message);
const calls = new Map<number, PendingCall>();
let lastCall = 0;
let aborting = new AbortController();

/** Has the main thread do something. */
function call(wanted: MainCall, { signal, onEvent }: CallOptions = {}): Promise<unknown> {
  lastCall += 1;
  const id = lastCall;
  return new Promise((resolve, reject) => {
    calls.set(id, { resolve, reject, ...(onEvent && { onEvent }) });
    post({ type: "call", call: id, wanted });
    const abort = () => post({ type: "abort-call", call: id });
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** A run of the CLI in the main thread. */
async function* run({ signal, ...request }: RunRequest): AsyncGenerator<RunEvent, RunResult, void> {
  const events: RunEvent[] = [];
  let wake = () => {};
  let isOver = false;
  const left = new AbortController();
  const options = {
    signal: signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]),
    onEvent(event: RunEvent) {
      events.push(event);
      wake();
    },
  };
  const result = call({ name: "run", request }, options).finally(() => {
    isOver = true;
    wake();
  });
  result.catch(() => {});
  try {
    for (;;) {
      const event = events.shift();
      if (event !== undefined) yield event;
      else if (isOver) return (await result) as RunResult;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    // Where nobody reads on, the run is ended and waited for.
    left.abort();
    await result.catch(() => {});
  }
}

/** Pages that the main thread reads. */
const pages: Pages = {
  async open(scope = {}) {
    const documents = (await call({ name: "open-pages", scope })) as PageSession["documents"];
    return {
      documents,
      offer: ({ records }) => void call({ name: "offer-pages", records }).catch(() => {}),
      async access() {
        const { access, mcpServers } = (await call({ name: "page-access" })) as GrantedAccess;
        return {
          mcpServers,
          called: ({ tool, urls = [] }) => void call({ name: "page-called", access, tool, urls }).catch(() => {}),
          spend: (characters) => void call({ name: "page-spend", access, characters }).catch(() => {}),
          reads: () => call({ name: "page-reads", access }) as Promise<RunReads>,
          close: () => void call({ name: "close-access", access }).catch(() => {}),
        };
      },
      // The main thread knows when the research is over.
      close() {},
    };
  },
};

const { maxRounds, roundsDir, roundsKeepMs, pagesDir, readsPages, ...settings } = workerData as WorkerSettings;
const deps: ResearchDeps = {
  ...settings,
  runner: {
    run,
    prewarm: ({ signal: _, ...request } = {}) => post({ type: "prewarm", request }),
  },
  tempFiles: {
    write: (text) => call({ name: "write-file", text }) as Promise<string>,
    remove: async (path) => void (await call({ name: "remove-file", path })),
  },
  store: createFileRunStore({ directory: roundsDir, keepMs: roundsKeepMs }),
  ...(readsPages && { pages }),
  pageStore: createFilePageStore({ directory: pagesDir }),
  resolveUrl: createUrlResolver(),
};
const ask = askWith(deps, maxRounds);

/** The rounds of a research whose store is in the main thread. */
const roundsInMain: RunStore = {
  load: (id) => call({ name: "load-rounds", id }),
  save: async (id, state) => void (await call({ name: "save-rounds", id, state })),
  list: async () => [],
  remove: async () => {},
};

/** One piece of work, and how it ended. */
async function work(what: () => Promise<unknown>): Promise<void> {
  aborting = new AbortController();
  try {
    const value = await what();
    post({ type: "done", value, heapBytes: getHeapStatistics().total_heap_size });
  } catch (error) {
    post({ type: "failed", error: toPlainError(error), heapBytes: getHeapStatistics().total_heap_size });
  }
}

port.on("message", (message: ToWorker) => {
  switch (message.type) {
    case "research":
      void work(() => {
        const store = message.hasOwnStore ? { store: roundsInMain } : {};
        const run = ask(message.tool, { ...message.request, ...store, signal: aborting.signal });
        return resultOf(run, (event) => post({ type: "event", event }));
      });
      break;
    case "task":
      void work(async () => {
        // A research needs none of it.
        const { TASKS } = await import("./tools/index.js");
        return (TASKS as Record<string, Task>)[message.name]?.(message.input as never);
      });
      break;
    case "abort":
      aborting.abort();
      break;
    case "ping":
      post({ type: "pong" });
      break;
    case "run-event":
      calls.get(message.call)?.onEvent?.(message.event);
      break;
    case "called":
      calls.get(message.call)?.resolve(message.value);
      calls.delete(message.call);
      break;
    case "call-failed":
      calls.get(message.call)?.reject(fromPlainError(message.error));
      calls.delete(message.call);
      break;
  }
});
