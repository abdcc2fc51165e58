import type { RunContext } from "./run-context.js";

/** What the model is told where the words of a tool were cut. */
const CUT = "\n[Cut: the tools have given all that they may in this run. Write the answer from what you have.]";

/** Takes characters from what the tools of a run may still give. `false`: that is too many, and none are taken. */
export function takeOutput(run: RunContext, characters: number): boolean {
  if (characters > run.outputLeft) return false;
  run.outputLeft -= characters;
  return true;
}

/**
 * Cuts the texts of a tool's result to what the tools of the run may still give, and tells the model so. Gives whether
 * something was cut.
 */
export function limitOutput(run: RunContext, parts: { text?: unknown }[]): boolean {
  for (const [at, part] of parts.entries()) {
    const { text } = part;
    if (typeof text !== "string" || takeOutput(run, text.length)) continue;
    // A surrogate pair is not split.
    part.text = text.slice(0, run.outputLeft).replace(/[\ud800-\udbff]$/, "") + CUT;
    parts.splice(at + 1);
    run.outputLeft = 0;
    return true;
  }
  return false;
}
