import { guardProgram } from "./guard/guard.generated.js";

/** What of the guard differs from run to run. */
export interface GuardOptions {
  /** The folder of the run, which goes when the CLI goes. */
  folder: string;
  /** How long the CLI may read pages by itself, one after another, in milliseconds. `null`: as long as it likes. */
  pagesMs: number | null;
  /**
   * Of a process that serves several runs: the word in the messages of the one who started it, which nobody else knows. What is
   * told names the session that it belongs to. `null`: the process serves one run.
   */
  word: string | null;
  /** How much tools may give the model in one run, in UTF-16 units. `null`: as much as they do. */
  maxToolOutput: number | null;
}

/**
 * The text of a module that Node loads into the CLI's own process before the CLI. Its source is in `guard/`; the build
 * writes it into one text, so that it reaches a run without a file of the package.
 */
export function guardSource(options: GuardOptions): string {
  return `const GUARD_OPTIONS = ${JSON.stringify(options)};\n${guardProgram}`;
}
