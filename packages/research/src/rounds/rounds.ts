/** Rounds of a deep search that does not say. */
export const DEFAULT_ROUNDS = 5;
/** The first researches, the second verifies. */
const MIN_ROUNDS = 2;

/** Rounds at most, as they are counted. */
export function roundsOf(wanted: number): number {
  return Math.max(MIN_ROUNDS, Math.floor(wanted));
}
