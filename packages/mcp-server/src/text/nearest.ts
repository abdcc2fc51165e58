/** Longer words are no slips of the finger. */
const LONGEST = 40;

/** The known word that was most likely meant by a mistyped one: at most a third of its letters differ. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  if (word.length < 2 || word.length > LONGEST) return undefined;
  const ranked = known
    .map((name) => ({ name, away: distance(word, name.toLowerCase()) }))
    .filter(({ name, away }) => away <= Math.ceil(Math.min(word.length, name.length) / 3))
    .sort((a, b) => a.away - b.away);
  return ranked[0]?.name ?? (word.length > 2 ? known.find((name) => name.toLowerCase().startsWith(word)) : undefined);
}

/** Letters that are left out, added, changed, or exchanged with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] && i > 1 && j > 1 ? (before[j - 2] ?? 0) + 1 : changed;
      row.push(Math.min(changed, exchanged, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
