import type { TeamContext } from "./context.ts";

const defaultLines = 1_000;
const maxLines = 10_000;
/** A screen of 200 columns and 1,000 lines has up to 200,000; a model reads about a quarter as many tokens. */
const maxCharacters = 100_000;

export interface Capture {
  readonly text: string;
  readonly lines: number;
  readonly clamped: boolean;
}

/** The last lines of a session. What is over a limit is cut at the top, and the last line says so. */
export async function capture({ tmux }: TeamContext, name: string, lines = defaultLines): Promise<Capture> {
  const wanted = Math.min(lines, maxLines);
  const kept = (await tmux.capture(name, wanted))
    .split("\n")
    .slice(-wanted - 1)
    .join("\n");
  const marks = [
    ...(lines > maxLines ? [`${lines} lines were requested, the maximum is ${maxLines}`] : []),
    ...(kept.length > maxCharacters ? [`the last ${maxCharacters} of ${kept.length} characters are shown`] : []),
  ];
  if (marks.length === 0) return { text: kept, lines: wanted, clamped: false };
  const end = kept.length > 0 && !kept.endsWith("\n") ? "\n" : "";
  return { text: `${lastCharacters(kept)}${end}[truncated: ${marks.join("; ")}]`, lines: wanted, clamped: true };
}

// Never half of a pair.
function lastCharacters(text: string): string {
  return text.slice(-maxCharacters).replace(/^[\udc00-\udfff]/, "");
}
