import type { TeamContext } from "./context.ts";

const defaultLines = 1_000;
const mostLines = 10_000;

/** The last lines of a session. Too many are cut to the most there can be, and the text says so. */
export async function capture(
  { tmux }: TeamContext,
  name: string,
  lines = defaultLines,
): Promise<{ readonly text: string; readonly lines: number; readonly clamped: boolean }> {
  const wanted = Math.min(lines, mostLines);
  const all = (await tmux.capture(name, wanted)).split("\n");
  const kept = all.slice(-wanted - 1);
  const clamped = lines > mostLines;
  const mark = clamped ? [`[cut: ${lines} lines were asked for, ${mostLines} is the most]`] : [];
  return { text: [...mark, ...kept].join("\n"), lines: wanted, clamped };
}
