/** One line of the table. Times are in milliseconds unless the unit says otherwise. */
export interface Row {
  readonly question: string;
  readonly unit: string;
  /** Measured value of the driver or the daemon. */
  readonly ours: number;
  /** The minimum that does the same: bare control mode, a bare server, a bare process. */
  readonly bare?: number;
  /** A process for every command. */
  readonly spawn?: number;
  readonly note?: string;
}

/** A goal, and the measured value. */
export interface Target {
  readonly sentence: string;
  readonly measured: string;
  readonly reached: boolean;
}

export interface Result {
  readonly rows: readonly Row[];
  readonly targets: readonly Target[];
}

export function atLeast(sentence: string, factor: number, min: number): Target {
  return {
    sentence: `${sentence}: at least ${min}x`,
    measured: `${factor.toFixed(factor < 1 ? 2 : 1)}x`,
    reached: factor >= min,
  };
}

export function atMost(sentence: string, value: number, max: number, unit: string): Target {
  const text = `${value.toFixed(2)}${unit}`;
  return { sentence: `${sentence}: at most ${max}${unit}`, measured: text, reached: value <= max };
}

export function holds(sentence: string, measured: string, reached: boolean): Target {
  return { sentence, measured, reached };
}

export function joined(results: readonly Result[]): Result {
  return { rows: results.flatMap(({ rows }) => rows), targets: results.flatMap(({ targets }) => targets) };
}
