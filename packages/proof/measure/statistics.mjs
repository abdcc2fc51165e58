/** The value below which a share `p` (0 to 1) of the values lies, interpolated. */
export function quantile(values, p) {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * p;
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below);
}

export const median = (values) => quantile(values, 0.5);

/** Median of the ratios of values that were measured in the same round: what slows one slows its neighbour too. */
export function pairedRatio(values, others) {
  return median(values.map((value, i) => value / others[i]));
}
