/** Sources, or claims, of one report that are shown: none for people has as many, and each costs as much as some lines. */
export const MOST_SHOWN = 1_000;

/** The first of them; `more` says how many others there are, and is empty where there are none. */
export function shownOf<T>(all: readonly T[], what: string): { shown: readonly T[]; more: string } {
  const left = all.length - MOST_SHOWN;
  if (left <= 0) return { shown: all, more: "" };
  return {
    shown: all.slice(0, MOST_SHOWN),
    more: `… and ${left.toLocaleString("en-GB")} more ${what}; JSON has them all`,
  };
}
