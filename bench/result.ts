/** One line of the table. Times are in milliseconds unless the unit says otherwise. */
export interface Row {
  readonly question: string;
  readonly unit: string;
  readonly driver: number;
  readonly bare?: number;
  readonly spawn?: number;
  readonly note?: string;
}

/** Something the driver has to reach, and what was measured. */
export interface Target {
  readonly sentence: string;
  readonly measured: string;
  readonly reached: boolean;
}

export interface Result {
  readonly rows: readonly Row[];
  readonly targets: readonly Target[];
}

export function atLeast(sentence: string, factor: number, least: number): Target {
  return { sentence: `${sentence}: at least ${least}x`, measured: `${factor.toFixed(1)}x`, reached: factor >= least };
}

export function atMost(sentence: string, value: number, most: number, unit: string): Target {
  const text = `${value.toFixed(2)}${unit}`;
  return { sentence: `${sentence}: at most ${most}${unit}`, measured: text, reached: value <= most };
}

export function holds(sentence: string, measured: string, reached: boolean): Target {
  return { sentence, measured, reached };
}
