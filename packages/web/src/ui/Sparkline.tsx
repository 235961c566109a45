/** Amount of output, minute by minute. */
export function Sparkline({ counts }: { readonly counts: readonly number[] }) {
  if (counts.length === 0) return <svg class="spark" viewBox="0 0 60 16" aria-hidden="true" />;
  const highest = Math.max(4, ...counts);
  const heights = counts.map((count) => (count === 0 ? 0 : Math.max(1.5, (count / highest) * 15)));
  const path = heights.map((height, at) => (height === 0 ? "" : `M${at + 0.5} 16v${-height.toFixed(1)}`)).join("");
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <svg
      class="spark"
      viewBox="0 0 60 16"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${total} bursts of output in the last hour`}
    >
      <path d={path} />
    </svg>
  );
}
