/** How many lost programs can be started again, as one line for people; undefined when none can. */
export function restoreWords({ can, cannot }: { readonly can: number; readonly cannot: number }): string | undefined {
  if (can === 0) return undefined;
  const rest = cannot === 0 ? "" : `; ${cannot} more cannot, and \`paneward restore --dry-run\` says why`;
  return `${can} lost ${can === 1 ? "program" : "programs"} can be restored: paneward restore --all${rest}`;
}
