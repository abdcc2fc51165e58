import type { PageRecord, RunReads } from "../page-reading.js";
import type { RunResult } from "../runner.js";
import type { Attribution } from "./attributions.js";
import { mergeTexts } from "./urls.js";

interface SeenSource {
  url: string;
  title?: string | undefined;
  status: "found" | "retrieved";
}

/** What runs really did, by the CLI's own record and by that of the page tool. */
export interface Trail {
  /** `false`: the run that gave the answer has no record, so what is not here may still have happened. */
  recorded: boolean;
  /** Searches that gave results. */
  queries: string[];
  /** Pages that were found and read. */
  sources: SeenSource[];
  /** Searches and reads that failed. */
  failures: number;
  /** Pages that were read with their text. */
  pages: PageRecord[];
  /** Words of Google's, with the sources that it names for them. */
  attributions: Attribution[];
  /** Of the research that this one follows, not of this one. */
  earlier?: boolean | undefined;
}

/** A run, and the pages that it read with the page tool. */
export type ReadingRun = Required<Pick<RunResult, "recorded" | "queries" | "sources" | "failures">> &
  Pick<RunResult, "attributions"> & { reads?: RunReads };

const MAX_ATTRIBUTIONS = 1_000;
const MAX_ATTRIBUTION = 2_000;

/** Gives what the main runs of one answer did: the last one gave it, so it is the one whose record counts. */
export function trailOf(runs: readonly ReadingRun[]): Trail {
  const pages = runs.flatMap(({ reads }) => reads?.pages.map(({ page }) => page) ?? []);
  const read = pages.map(({ final_url: url, title }): SeenSource => ({ url, title, status: "retrieved" }));
  return {
    recorded: runs.at(-1)?.recorded ?? false,
    queries: mergeTexts(...runs.map((run) => run.queries)),
    sources: [...runs.flatMap((run) => run.sources), ...read],
    failures: runs.reduce((sum, run) => sum + run.failures.length, 0),
    pages,
    attributions: runs.flatMap(({ attributions = [] }) =>
      attributions.slice(0, MAX_ATTRIBUTIONS).map(({ text, urls }) => ({ text: text.slice(0, MAX_ATTRIBUTION), urls })),
    ),
  };
}
