import type { GeminiRunner, PrewarmRequest, RunEvent, RunRequest, RunResult } from "@x/gemini-runner";
import type {
  PageAccess,
  PageSession,
  PageStore,
  Pages,
  ReadingScope,
  ResearchEvent,
  RunStore,
  TempFiles,
} from "@x/research";
import type { Ask, AskRequest, Report } from "./ask.js";
import { toPlainError } from "./error-text.js";
import { KINDS } from "./kinds.js";
import type { FromWorker, GrantedAccess, MainCall } from "./messages.js";
import type { Reader } from "./reader.js";
import type { Readers } from "./readers.js";

export interface IsolatedAskOptions {
  readers: Readers;
  runner: Pick<GeminiRunner, "run" | "prewarm">;
  tempFiles: TempFiles;
  /** Reads pages for the runs. */
  pages?: Pages | undefined;
  /** Where the texts of pages are kept. */
  pageStore: PageStore;
  /** Whether Gemini CLI may read pages beside `pages`. */
  webFetch: boolean;
  /** Characters that all runs of one research may say together. Default: 128 MiB. */
  mostCharacters?: number;
}

/** Two runs at the limit that one has, and far more than all rounds of a research need. */
const MOST_CHARACTERS = 128 * 1024 * 1024;
/** A longer answer waits for its turn to be read. Models write far less. */
const LONG_ANSWER = 1_000_000;

/** The same researches, with all that is done to a model's text in a worker; processes and files stay in this thread. */
export function isolatedAsk(options: IsolatedAskOptions): Ask {
  return async function* ask(tool, { signal, store, ...request }: AskRequest) {
    const { readers } = options;
    const { planOnly } = request;
    const reader = readers.take();
    const main = new MainThread(options, reader, store);
    const events: ResearchEvent[] = [];
    let wake = () => {};
    const onMessage = (message: FromWorker) => {
      if (message.type === "event") events.push(message.event);
      else main.hear(message);
      wake();
    };
    // The CLI takes longer to start than the worker.
    if (request["resume"] === undefined)
      main.prewarm(firstRunOf(request), KINDS[tool].keepsEvidence && !planOnly ? scopeIn(request) : undefined);
    let outcome: { report: Report } | { error: unknown } | undefined;
    const work = reader
      .work({ type: "research", tool, request, hasOwnStore: store !== undefined }, { signal, onMessage })
      .then(
        (report) => {
          outcome = { report: report as Report };
          wake();
        },
        (error: unknown) => {
          outcome = { error };
          wake();
        },
      );
    try {
      for (;;) {
        const event = events.shift();
        if (event !== undefined) yield event;
        else if (outcome === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else if ("error" in outcome) throw outcome.error;
        else return outcome.report;
      }
    } finally {
      if (outcome === undefined) {
        // Nobody reads on.
        reader.post({ type: "abort" });
        await work;
      }
      await main.close();
      readers.give(reader);
    }
  };
}

/** The model of the first run, and its tools where they are not those of a research. */
function firstRunOf({ model, planOnly }: AskRequest): Pick<PrewarmRequest, "model" | "tools"> {
  return { ...(typeof model === "string" && { model }), ...(planOnly && { tools: [] }) };
}

/** What a request says of what is read; it is checked in the worker. */
function scopeIn({ files, web }: Record<string, unknown>): ReadingScope {
  return {
    ...(Array.isArray(files) && { files: files as NonNullable<ReadingScope["files"]> }),
    ...(web === false && { web }),
  };
}

/** What this thread does for a worker, and undoes when the worker is no more. */
class MainThread {
  readonly #options: IsolatedAskOptions;
  readonly #reader: Reader;
  readonly #store: RunStore | undefined;
  readonly #calls = new Map<number, { abort: AbortController; done: Promise<void> }>();
  readonly #files = new Set<string>();
  readonly #over = new AbortController();
  readonly #accesses = new Map<number, PageAccess>();
  #session: Promise<PageSession> | undefined;
  /** Made before the worker asks, so that the CLI can be started with it. */
  #first: Promise<PageAccess> | undefined;
  #lastAccess = 0;
  /** Characters that the runs have said. */
  #said = 0;
  /** Gives the turn to read a long answer back. */
  #leaveReading = () => {};

  constructor(options: IsolatedAskOptions, reader: Reader, store: RunStore | undefined) {
    this.#options = options;
    this.#reader = reader;
    this.#store = store;
  }

  /** Starts the CLI of the first run. Without a scope it reads no pages. */
  prewarm(first: Pick<PrewarmRequest, "model" | "tools">, scope: ReadingScope | undefined): void {
    const { runner, pages, webFetch } = this.#options;
    const start = (request: PrewarmRequest) => {
      if (!this.#over.signal.aborted) runner.prewarm({ ...first, ...request, signal: this.#over.signal });
    };
    if (scope === undefined || pages === undefined) {
      start({});
      return;
    }
    this.#first = this.#open(scope).then((session) => session.access());
    const tools = scope.web === false ? [] : webFetch ? undefined : ["google_web_search"];
    this.#first.then(
      ({ mcpServers }) => start({ mcpServers, ...(tools && { tools }) }),
      // Without its documents nothing is asked.
      () => scope.files ?? start({}),
    );
  }

  hear(message: FromWorker): void {
    if (message.type === "abort-call") this.#calls.get(message.call)?.abort.abort();
    else if (message.type === "prewarm") {
      this.#options.runner.prewarm({ ...message.request, signal: this.#over.signal });
    } else if (message.type === "call") this.#call(message.call, message.wanted);
  }

  /** Resolves when no run of the worker's is left, and no file. */
  async close(): Promise<void> {
    this.#over.abort();
    this.#leaveReading();
    await this.#session?.then(
      (session) => session.close(),
      () => {},
    );
    for (const { abort } of this.#calls.values()) abort.abort();
    await Promise.all([...this.#calls.values()].map(({ done }) => done));
    await Promise.all([...this.#files].map((file) => this.#options.tempFiles.remove(file).catch(() => {})));
  }

  #call(call: number, wanted: MainCall): void {
    const abort = new AbortController();
    const done = this.#do(call, wanted, abort.signal).then(
      (value) => this.#reader.post({ type: "called", call, value }),
      (error: unknown) => this.#reader.post({ type: "call-failed", call, error: toPlainError(error) }),
    );
    this.#calls.set(call, { abort, done });
    void done.finally(() => this.#calls.delete(call));
  }

  async #do(call: number, wanted: MainCall, signal: AbortSignal): Promise<unknown> {
    // Whoever wants another run, or a correction, has read what the last one said.
    if (wanted.name === "run" || wanted.name === "write-file") this.#leaveReading();
    switch (wanted.name) {
      case "run":
        return this.#run(call, { ...wanted.request, signal });
      case "write-file": {
        const file = await this.#options.tempFiles.write(wanted.text);
        this.#files.add(file);
        return file;
      }
      case "remove-file":
        await this.#options.tempFiles.remove(wanted.path);
        this.#files.delete(wanted.path);
        return undefined;
      case "load-rounds":
        return this.#store?.load(wanted.id);
      case "save-rounds":
        return this.#store?.save(wanted.id, wanted.state);
      case "open-pages":
        return (await this.#open(wanted.scope)).documents;
      case "offer-pages": {
        const { pageStore } = this.#options;
        const load = (hash: string) => pageStore.load(hash);
        (await this.#open()).offer?.({ records: wanted.records, load });
        return undefined;
      }
      case "page-access":
        return this.#access();
      case "page-reads":
        return this.#accesses.get(wanted.access)?.reads();
      case "page-called":
        this.#accesses.get(wanted.access)?.called?.(wanted);
        return undefined;
      case "page-spend":
        this.#accesses.get(wanted.access)?.spend(wanted.characters);
        return undefined;
      case "close-access":
        this.#accesses.get(wanted.access)?.close();
        this.#accesses.delete(wanted.access);
        return undefined;
    }
  }

  #open(scope: ReadingScope = {}): Promise<PageSession> {
    const { pages } = this.#options;
    this.#session ??= pages === undefined ? Promise.reject(new Error("Pages are not read here.")) : pages.open(scope);
    return this.#session;
  }

  async #access(): Promise<GrantedAccess> {
    const made = this.#first;
    this.#first = undefined;
    const access = await (made ?? (await this.#open()).access());
    this.#lastAccess += 1;
    this.#accesses.set(this.#lastAccess, access);
    return { access: this.#lastAccess, mcpServers: access.mcpServers };
  }

  async #enterReading(): Promise<void> {
    this.#leaveReading();
    const leave = await this.#options.readers.longAnswers.enter();
    // The research may be over by now.
    if (this.#over.signal.aborted) leave();
    else this.#leaveReading = leave;
  }

  async #run(call: number, request: RunRequest): Promise<RunResult> {
    const { runner, mostCharacters = MOST_CHARACTERS } = this.#options;
    if (this.#said > mostCharacters) throw tooMuchSaid(mostCharacters);
    const run = runner.run(request);
    for (;;) {
      const next = await run.next();
      if (next.done) {
        if (next.value.text.length > LONG_ANSWER) await this.#enterReading();
        return next.value;
      }
      this.#said += lengthOf(next.value);
      this.#reader.post({ type: "run-event", call, event: withoutWords(next.value) });
    }
  }
}

/** The words of an answer come once more with the result of its run: until then it matters that it is being written. */
function withoutWords(event: RunEvent): RunEvent {
  return event.type === "text-delta" ? { ...event, text: "" } : event;
}

/** Characters of what a run tells of. */
function lengthOf(event: RunEvent): number {
  return Object.values(event).reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);
}

function tooMuchSaid(mostCharacters: number): Error {
  const error = new Error(`The runs of this research said more than ${mostCharacters} characters together.`);
  return Object.assign(error, { code: "EXECUTION_ERROR", reason: "output-limit" });
}
