/** One line of the table: what was looked at, and what is wrong with it. */
export interface Step {
  readonly name: string;
  readonly faults: readonly string[];
  /** What it found when nothing is wrong. */
  readonly detail: string;
}

/** The table that `npm run release:dry` ends with. */
export function tableOf(steps: readonly Step[]): string {
  const widest = Math.max(...steps.map(({ name }) => name.length));
  const lines = steps.flatMap(({ name, faults, detail }) => [
    `${faults.length === 0 ? "ok    " : "wrong "} ${name.padEnd(widest)}  ${faults[0] ?? detail}`,
    ...faults.slice(1).map((fault) => `${" ".repeat(widest + 9)}${fault}`),
  ]);
  return lines.join("\n");
}
