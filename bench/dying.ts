import { readFileSync } from "node:fs";

/** The result for one exit, by one method. */
export interface Death {
  /** From the program's last action to the report; undefined if none arrived. */
  readonly latencyMs: number | undefined;
  readonly codeRight: boolean;
  readonly outputWhole: boolean;
}

const exitCode = 7;
/** A later report counts as none. */
export const patienceMs = 1_500;

const lines = 2_000;
const expected = Array.from({ length: lines }, (_, at) => `${at + 1}\r\n`).join("");

/** A program that prints 9 KB and the time, writes the time to `file` as well, and exits at once. */
export function dyingProgram(file: string): readonly string[] {
  const script = `seq 1 ${lines}; t=$(date +%s%N); echo $t >"$1"; echo $t; exit ${exitCode}`;
  return ["sh", "-c", script, "dying", file];
}

/** Milliseconds, with a fraction, on the clock that `date` uses. */
export function wallClock(): number {
  return performance.timeOrigin + performance.now();
}

/** All lines and the time after them, nothing else. */
export function isWhole(output: string): boolean {
  return output.startsWith(expected) && /^\d{19}\r\n$/.test(output.slice(expected.length));
}

export function judge(
  news: { readonly at: number; readonly code: number } | undefined,
  file: string,
  output: string,
): Death {
  const endedAt = Number(readFileSync(file, "utf8")) / 1e6;
  return {
    latencyMs: news && news.at - endedAt,
    codeRight: news?.code === exitCode,
    outputWhole: isWhole(output),
  };
}

/** Summary of the flaws. */
export function flawsOf(deaths: readonly Death[]): string {
  const silent = deaths.filter(({ latencyMs }) => latencyMs === undefined).length;
  const wrong = deaths.filter(({ codeRight, latencyMs }) => latencyMs !== undefined && !codeRight).length;
  const cut = deaths.filter(({ outputWhole }) => !outputWhole).length;
  if (silent + wrong + cut === 0) return `${deaths.length} of ${deaths.length} right`;
  return `of ${deaths.length}: ${silent} not reported, ${wrong} wrong, ${cut} cut short`;
}

export function isFlawless(deaths: readonly Death[]): boolean {
  return deaths.every((death) => death.latencyMs !== undefined && death.codeRight && death.outputWhole);
}
