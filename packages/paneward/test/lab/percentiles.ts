/** The middle, and how bad it gets, in milliseconds. */
export function percentiles(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  return `${at(0.5)} ms (median), ${at(0.95)} ms (p95), ${at(0.99)} ms (p99)`;
}
