/** Whether a version (`0.61.0`, `0.62.0-nightly.1`) is at least another one. A pre-release counts as its version. */
export function atLeast(version: string, least: string): boolean {
  const parts = numbers(version);
  for (const [i, number] of numbers(least).entries()) {
    const part = parts[i] ?? 0;
    if (part !== number) return part > number;
  }
  return true;
}

function numbers(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map(Number);
}
