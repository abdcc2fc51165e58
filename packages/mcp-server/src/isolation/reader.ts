import { Worker } from "node:worker_threads";
import { fromPlainError } from "./error-text.js";
import type { FromWorker, ToWorker, Work, WorkerSettings } from "./messages.js";

/** How long a worker may be deaf: it reads a text, and nothing that anybody writes takes so long to read. */
const DEAF_MS = 10_000;
const PING_MS = 1_000;
/** An aborted research may take so long to clean up. */
const ABORTED_MS = 2_000;
/** This thread was held up or asleep for the rest: what the worker said meanwhile has not been read yet. */
const MOST_BETWEEN_LOOKS_MS = 2 * PING_MS;
/** A worker that uses no processor may take this many times as long: the machine may be busy. */
const UNSERVED = 5;
/** So many times as long may one take that has not loaded yet. */
const UNLOADED = 30;
/** Of JavaScript in one worker: the costliest text of 3 MB that is known takes 100 to read. */
const HEAP_MB = 128;
const YOUNG_MB = 8;
/** A heap that has grown does not shrink: such a worker is not used again. */
const GROWN_BYTES = 64 * 1024 * 1024;

export interface ReaderOptions {
  /** The worker's program. */
  file: URL;
  settings: WorkerSettings;
  /** Default 10 s. */
  deafMs?: number;
}

/** What is done with what a worker says while it works. */
export interface WorkOptions {
  signal?: AbortSignal | undefined;
  onMessage?(message: FromWorker): void;
}

/** One worker thread: reads texts of models one after the other, and is ended when one takes too long. */
export class Reader {
  readonly #worker: Worker;
  readonly #deafMs: number;
  /** Set when it is of no more use, and why. */
  #over: Error | undefined;
  #isGrown = false;
  /** It hears nothing before. */
  #isLoaded = false;
  #failing = (_: Error) => {};

  constructor({ file, settings, deafMs = DEAF_MS }: ReaderOptions) {
    this.#deafMs = deafMs;
    this.#worker = new Worker(file, {
      workerData: settings,
      // What it prints must not reach the protocol, and it needs no secrets.
      stdout: true,
      stderr: true,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#worker.unref();
    this.#worker.on("error", (error) => this.#end(brokenBy(error)));
    this.#worker.on("exit", () => this.#end(tooHard("the thread that read it ended")));
  }

  get isUsable(): boolean {
    return this.#over === undefined && !this.#isGrown;
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Resolves with what came of it; rejects with its error, or with why the worker is no more. */
  async work(what: Work, { signal, onMessage }: WorkOptions = {}): Promise<unknown> {
    if (this.#over !== undefined) throw this.#over;
    this.#worker.ref();
    let heard = new Since();
    let aborted: Since | undefined;
    let stop = () => {};
    try {
      return await new Promise((resolve, reject) => {
        this.#failing = reject;
        const hear = (message: FromWorker) => {
          heard = new Since();
          this.#isLoaded = true;
          if ("heapBytes" in message && (message.heapBytes ?? 0) > GROWN_BYTES) this.#isGrown = true;
          if (message.type === "done") resolve(message.value);
          else if (message.type === "failed") reject(fromPlainError(message.error));
          else onMessage?.(message);
        };
        let lookedMs = performance.now();
        const look = () => {
          const tookMs = performance.now() - lookedMs;
          lookedMs += tookMs;
          for (const since of [heard, aborted]) since?.add(Math.min(tookMs, MOST_BETWEEN_LOOKS_MS));
          this.post({ type: "ping" });
          if (tookMs > MOST_BETWEEN_LOOKS_MS) return;
          if (heard.isLonger(this.#isLoaded ? this.#deafMs : UNLOADED * this.#deafMs))
            void this.close(tooHard(`it took more than ${heard.seconds} s`));
          if (aborted?.isLonger(ABORTED_MS)) void this.close(tooHard("it was stopped"));
        };
        const ping = setInterval(look, PING_MS);
        const abort = () => {
          aborted = new Since();
          this.post({ type: "abort" });
        };
        stop = () => {
          clearInterval(ping);
          this.#worker.off("message", hear);
          signal?.removeEventListener("abort", abort);
        };
        this.#worker.on("message", hear);
        // It answers when it has loaded, before it begins.
        this.post({ type: "ping" });
        this.post(what);
        if (signal?.aborted) abort();
        else signal?.addEventListener("abort", abort, { once: true });
      });
    } finally {
      stop();
      this.#worker.unref();
      this.#failing = () => {};
    }
  }

  /** Ends the thread, whatever it does. */
  async close(why: Error = tooHard("the server ends")): Promise<void> {
    this.#end(why);
    await this.#worker.terminate();
  }

  #end(why: Error): void {
    this.#over ??= why;
    this.#failing(this.#over);
  }
}

/** Measures how long something takes: in time that this thread was awake, and by the processor time of this process. */
class Since {
  #tookMs = 0;
  readonly #cpu = process.cpuUsage();

  add(tookMs: number): void {
    this.#tookMs += tookMs;
  }

  isLonger(limitMs: number): boolean {
    const { user, system } = process.cpuUsage(this.#cpu);
    return this.#tookMs > limitMs && ((user + system) / 1_000 > limitMs || this.#tookMs > UNSERVED * limitMs);
  }

  get seconds(): number {
    return Math.round(this.#tookMs / 1_000);
  }
}

function tooHard(why: string): Error {
  const error = new Error(`The model's answer could not be read: ${why}.`);
  return Object.assign(error, { name: "ReadingError", code: "EXECUTION_ERROR", reason: "reading" });
}

function brokenBy(error: unknown): Error {
  const { code, message } = error as { code?: unknown; message?: string };
  return tooHard(code === "ERR_WORKER_OUT_OF_MEMORY" ? "it needs too much memory" : String(message ?? error));
}
