import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type PageBytes, type PageText, UnreadablePageError } from "./text/page-bytes.js";

/** What the thread is asked; `leave`: to end by itself. */
export type Asked = { id: number; page: PageBytes } | "leave";

/** What the thread answers. */
export type Made = { id: number; text: PageText } | { id: number; message: string };

/** How texts are made. */
export interface TextMakerOptions {
  /** The program of the thread. Default: the one beside this file; where there is none, texts are made without a thread. */
  worker?: URL;
  /** Milliseconds for one page. Default 15,000. */
  timeoutMs?: number;
  /** Memory of the thread, in MiB. Default 768. */
  maxMemoryMb?: number;
  /** Milliseconds after which an unused thread is ended. Default 30,000. */
  idleMs?: number;
}

interface Waiting {
  page: PageBytes;
  resolve: (text: PageText) => void;
  reject: (error: unknown) => void;
}

/** Makes texts of pages one after the other, in a thread that is started with the first and ended when it takes too long. */
export class TextMaker {
  readonly #worker: URL | undefined;
  readonly #timeoutMs: number;
  readonly #maxMemoryMb: number;
  readonly #idleMs: number;
  readonly #queue: Waiting[] = [];
  #thread: Worker | undefined;
  #isUsed = false;
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;
  #id = 0;

  constructor({ worker, timeoutMs = 15_000, maxMemoryMb = 768, idleMs = 30_000 }: TextMakerOptions = {}) {
    const beside = new URL("./page-worker.js", import.meta.url);
    this.#worker = worker ?? (existsSync(beside) ? beside : undefined);
    this.#timeoutMs = timeoutMs;
    this.#maxMemoryMb = maxMemoryMb;
    this.#idleMs = idleMs;
  }

  /** Starts the thread, for pages that will come: it takes as long as they do. */
  prepare(): void {
    if (this.#worker === undefined || this.#current !== undefined) return;
    this.#start();
    this.#endWhenIdle();
  }

  /** Ends a thread that was prepared in vain: no page will come for now. */
  rest(): void {
    if (!this.#isUsed) this.#end();
  }

  /** Makes the text of a page. Rejects with an {@link UnreadablePageError}. */
  make(page: PageBytes): Promise<PageText> {
    if (this.#worker === undefined) return import("./text/page-text.js").then(({ makePageText }) => makePageText(page));
    return new Promise((resolve, reject) => {
      this.#queue.push({ page, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread; what waits is rejected. */
  close(): void {
    this.#end(new UnreadablePageError("was not read: the program ended"));
    for (const { reject } of this.#queue.splice(0)) reject(new UnreadablePageError("was not read: the program ended"));
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#queue.shift();
    clearTimeout(this.#timer);
    if (this.#current === undefined) {
      this.#endWhenIdle();
      return;
    }
    const thread = this.#start();
    this.#isUsed = true;
    thread.ref();
    const { page } = this.#current;
    // A copy, which a slice of a buffer is not: what is handed over is gone here.
    const bytes = new Uint8Array(page.bytes);
    const asked: Asked = { id: ++this.#id, page: { ...page, bytes } };
    thread.postMessage(asked, [bytes.buffer]);
    this.#timer = setTimeout(() => {
      this.#end(new UnreadablePageError(`takes longer than ${this.#timeoutMs / 1_000} s to read as text`));
    }, this.#timeoutMs);
  }

  #endWhenIdle(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), this.#idleMs).unref();
  }

  #start(): Worker {
    if (this.#thread !== undefined) return this.#thread;
    const thread = new Worker(this.#worker as URL, {
      resourceLimits: { maxOldGenerationSizeMb: this.#maxMemoryMb },
      env: {},
      stdout: true,
      stderr: true,
    });
    thread.on("message", (made: Made) => {
      if (thread === this.#thread && made.id === this.#id) this.#done(made);
    });
    // Out of memory, or a fault of a library.
    thread.on("error", () => {
      if (thread === this.#thread)
        this.#end(new UnreadablePageError("cannot be read as text: it takes too much memory"));
    });
    thread.unref();
    this.#thread = thread;
    this.#isUsed = false;
    return thread;
  }

  #done(made: Made): void {
    const current = this.#current;
    this.#current = undefined;
    this.#thread?.unref();
    if ("text" in made) current?.resolve(made.text);
    else current?.reject(new UnreadablePageError(made.message));
    this.#next();
  }

  #end(error?: UnreadablePageError): void {
    clearTimeout(this.#timer);
    const [thread, current] = [this.#thread, this.#current];
    this.#thread = undefined;
    this.#current = undefined;
    // One that is ended while it loads its libraries leaves their files open.
    if (this.#isUsed) void thread?.terminate();
    else thread?.postMessage("leave" satisfies Asked);
    if (error !== undefined) current?.reject(error);
    if (this.#queue.length > 0) this.#next();
  }
}
