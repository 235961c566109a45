import type { TeamContext } from "./context.ts";

const defaultLines = 1_000;
const maxLines = 10_000;

/** The last lines of a session. A request over the limit is cut, and the text says so. */
export async function capture(
  { tmux }: TeamContext,
  name: string,
  lines = defaultLines,
): Promise<{ readonly text: string; readonly lines: number; readonly clamped: boolean }> {
  const wanted = Math.min(lines, maxLines);
  const all = (await tmux.capture(name, wanted)).split("\n");
  const kept = all.slice(-wanted - 1);
  const clamped = lines > maxLines;
  const mark = clamped ? [`[cut: ${lines} lines were requested, the maximum is ${maxLines}]`] : [];
  return { text: [...mark, ...kept].join("\n"), lines: wanted, clamped };
}
