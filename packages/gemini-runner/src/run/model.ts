import type { StreamModel } from "../cli/stream-json.js";
import type { ModelUse } from "../events.js";

/** Names that let the CLI choose. */
const CHOOSES = /^auto|^(pro|flash|flash-lite)$/;

/** Puts together what is known of the models of a run: which took part, and which gave the answer. */
export function modelsOf(parts: {
  /** The closing statistics. */
  stats: readonly StreamModel[];
  /** The models of the main turns, from the record of the run. */
  answered: readonly string[];
  /** What the CLI said at its start. */
  init?: string | undefined;
}): { model?: string; models: ModelUse[] } {
  const main =
    parts.answered.at(-1) ?? (parts.init !== undefined && !CHOOSES.test(parts.init) ? parts.init : undefined);
  const models = parts.stats
    .filter((use) => use.totalTokens > 0)
    .map((use) => ({ ...use, roles: parts.answered.includes(use.model) || use.model === main ? ["main"] : [] }));
  return { ...(main === undefined ? {} : { model: main }), models };
}
