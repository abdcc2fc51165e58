import type { StreamModel } from "../cli/stream-json.js";
import type { ModelUse, PrewarmRequest } from "../events.js";
import type { ResolvedOptions } from "./resolve-options.js";

/** The model that the CLI is told to use. `undefined`: none, the CLI chooses. */
export function modelFor(
  request: PrewarmRequest,
  { model, env }: Pick<ResolvedOptions, "model" | "env">,
): string | undefined {
  return request.model === null ? undefined : (request.model ?? model ?? (env["GEMINI_MODEL"] || undefined));
}

/** Names that let the CLI choose. */
const CHOOSES = /^auto|^(pro|flash|flash-lite)$/;

/**
 * Puts together what is known of the models of a run: which took part, and which gave the answer. That is the one of the
 * last recorded turn, else the one that the CLI named at its start, else the one that wrote most.
 */
export function modelsOf(parts: {
  /** The closing statistics. */
  stats: readonly StreamModel[];
  /** The models of the main turns, from the record of the run. */
  answered: readonly string[];
  /** What the CLI said at its start. */
  init?: string | undefined;
}): { model?: string; models: ModelUse[] } {
  const named = parts.init !== undefined && !CHOOSES.test(parts.init) ? parts.init : undefined;
  const main = parts.answered.at(-1) ?? named ?? mostWritten(parts.stats);
  const models = parts.stats
    .filter((use) => use.totalTokens > 0)
    .map((use) => ({ ...use, roles: parts.answered.includes(use.model) || use.model === main ? ["main"] : [] }));
  return { ...(main === undefined ? {} : { model: main }), models };
}

function mostWritten(stats: readonly StreamModel[]): string | undefined {
  const written = stats.filter(({ outputTokens }) => outputTokens > 0);
  return written.toSorted((a, b) => b.outputTokens - a.outputTokens)[0]?.model;
}
