import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Hit, WordSearch } from "./word-search.js";

/** What the thread is asked. */
export type Asked = { type: "add"; document: number; name: string; text: string } | { type: "search"; words: string };

/** Of the thread: a collection of this package's limits takes about a third of it. */
const MEMORY_MB = 1_024;

/** Searches the texts of documents by words, in a thread that is started with the first and ended with `close`. */
export class DocumentSearch {
  readonly #worker: URL | undefined;
  readonly #waiting = new Map<number, { resolve: (hits: Hit[]) => void; reject: (error: Error) => void }>();
  #here: Promise<WordSearch> | undefined;
  #thread: Worker | undefined;
  #problem: Error | undefined;
  #id = 0;

  /** @param worker The program of the thread. Default: the one beside this file; where there is none, all is done here. */
  constructor(worker?: URL) {
    const beside = new URL("./search-worker.js", import.meta.url);
    this.#worker = worker ?? (existsSync(beside) ? beside : undefined);
  }

  async add(document: number, name: string, text: string): Promise<void> {
    await this.#ask({ type: "add", document, name, text });
  }

  /** The passages that hold the most of the words, the best first. Rejects when the thread is no more. */
  search(words: string): Promise<Hit[]> {
    return this.#ask({ type: "search", words });
  }

  close(): void {
    this.#end(new Error("the research is over"));
  }

  async #ask(what: Asked): Promise<Hit[]> {
    if (this.#problem !== undefined) throw this.#problem;
    if (this.#worker === undefined) return this.#askHere(what);
    const thread = this.#start(this.#worker);
    return new Promise((resolve, reject) => {
      this.#waiting.set(++this.#id, { resolve, reject });
      thread.ref();
      thread.postMessage({ id: this.#id, what });
    });
  }

  async #askHere(what: Asked): Promise<Hit[]> {
    this.#here ??= import("./word-search.js").then(({ WordSearch }) => new WordSearch());
    const search = await this.#here;
    if (what.type === "search") return search.search(what.words);
    search.add(what.document, what.name, what.text);
    return [];
  }

  #start(program: URL): Worker {
    if (this.#thread !== undefined) return this.#thread;
    const thread = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      env: {},
      stdout: true,
      stderr: true,
    });
    thread.on("message", ({ id, hits }: { id: number; hits: Hit[] }) => {
      this.#waiting.get(id)?.resolve(hits);
      this.#waiting.delete(id);
      // A program that waits for nothing else may end.
      if (this.#waiting.size === 0) thread.unref();
    });
    thread.on("error", () => this.#end(new Error("they are more than can be held in memory")));
    this.#thread = thread;
    return thread;
  }

  #end(problem: Error): void {
    this.#problem ??= problem;
    const thread = this.#thread;
    this.#thread = undefined;
    for (const { reject } of this.#waiting.values()) reject(this.#problem);
    this.#waiting.clear();
    void thread?.terminate();
  }
}
