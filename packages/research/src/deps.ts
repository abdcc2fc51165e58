import { ResearchError } from "./errors.js";
import type { Pages } from "./page-reading.js";
import type { PageStore } from "./page-store.js";
import type { Prompts } from "./prompts/render.js";
import type { RunStore } from "./run-store.js";
import type { Runner } from "./runner.js";
import type { SearchCache } from "./search-cache.js";

/** What a research is done with. Real by default where nothing is said. */
export interface ResearchDeps {
  /** Runs the prompts. Only `run` is needed; with `prewarm` the next round's run is prepared before the round ends. */
  runner: Runner;
  /** The five templates, as `builtInPrompts`. */
  prompts: Prompts;
  /** Model of search rounds. Default: the CLI's own choice. */
  model?: string;
  /** Model of the correction of an answer that is not JSON. Default: the CLI's own choice, also where `model` is set. */
  correctionModel?: string;
  /** Milliseconds for one run of the CLI. Default: the runner's. */
  timeoutMs?: number;
  /** Attempts at one answer. Default 3. */
  attempts?: number;
  /** Waits between attempts, in order, in milliseconds. Default 1,000, 2,000, 5,000. */
  delaysMs?: readonly number[];
  /** Where an answer that cannot be read is put for the correction. Default: it is not corrected, but asked for again. */
  tempFiles?: TempFiles;
  /** Reads pages for the runs, as `createPages` of `@x/research/pages`. Default: only the runner's own tool reads. */
  pages?: Pages;
  /** Whether the runner's own tool may read beside `pages`, what these cannot. Default `true`; without `pages` it reads. */
  webFetch?: boolean;
  /** Where the texts of pages are kept that were read. Default: nowhere; they are there as long as the research goes on. */
  pageStore?: PageStore;
  /** Where finished rounds are kept. Default: nowhere. */
  store?: RunStore;
  /** Gives the page behind Google's redirect link, or `undefined`. Default: links are kept as they are. */
  resolveUrl?: ((url: string, signal?: AbortSignal) => Promise<string | undefined>) | false;
  /** Lets identical searches that run at the same time share one run, and gives kept answers again. Default: no cache. */
  cache?: SearchCache;
  /** Replaces the prompt of `deepResearch`, with `{topic}`, `{depth}` and `{model}` in single braces. */
  researchTemplate?: string;
  /** Waits for milliseconds, or until the signal is aborted, and may then reject. Default: a timer. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Gives milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
  /** Makes ids of researches, and marks for prompts that text from the web cannot guess. Default: random UUIDs. */
  newId?: () => string;
}

/** A place for texts that the CLI must read from a file, as `createTempFiles` of `@x/research/node` makes it. */
export interface TempFiles {
  /** Writes `text` to a new file that no other call shares; gives its absolute path. */
  write(text: string): Promise<string>;
  /** Deletes a file that `write` made; one that is gone is no failure. */
  remove(path: string): Promise<void>;
}

/** Throws `INVALID_INPUT` that names the dependency without which nothing can be researched. */
export function checkDeps(deps: ResearchDeps): void {
  const { runner, prompts } = (deps ?? {}) as { runner?: unknown; prompts?: unknown };
  if (typeof field(runner, "run") !== "function") {
    throw missing("runner", "one with a run(), such as createGeminiRunner()");
  }
  const capabilities = field(runner, "capabilities");
  if (capabilities !== undefined && field(capabilities, "search") === undefined) {
    throw new ResearchError(
      "INVALID_INPUT",
      "The runner cannot search. Expected one whose capabilities name a search tool.",
    );
  }
  for (const name of ["search", "deepSearch", "verify", "correction", "research"] satisfies (keyof Prompts)[]) {
    if (typeof field(prompts, name) === "string") continue;
    throw missing(prompts === undefined ? "prompts" : `prompts.${name}`, "texts, such as builtInPrompts");
  }
}

/** Gives a new id. */
export function newId({ newId }: Pick<ResearchDeps, "newId">): string {
  return newId === undefined ? crypto.randomUUID() : newId();
}

function field(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name];
}

function missing(what: string, expected: string): ResearchError {
  return new ResearchError("INVALID_INPUT", `The dependency ${what} is missing. Expected ${expected}.`);
}
