import type { PaneId } from "./protocol/names.ts";
import type { Server } from "./server.ts";
import { startLimitMs } from "./transport/transport.ts";

export interface CaptureOptions {
  /** Number of lines, counted back from the last line with text. */
  readonly lines?: number;
  /** Upper bound for `lines`. */
  readonly max?: number;
  /** Keep colours and styles as escape sequences. */
  readonly escapes?: boolean;
  /** Join lines that the terminal wrapped. */
  readonly joinWrapped?: boolean;
}

export interface Captured {
  readonly lines: readonly string[];
  /** There are older lines that were not requested. */
  readonly truncated: boolean;
}

/** First line of the captured text when older lines were left out. */
export const truncationMark = "… older lines left out";

/** The last lines of a pane, screen and history together. */
export async function capture(server: Server, pane: PaneId, options: CaptureOptions = {}): Promise<Captured> {
  const { lines = 1_000, max = 10_000, escapes = false, joinWrapped = false } = options;
  const wanted = Math.max(1, Math.min(Math.floor(lines), max));
  // -S -N means N lines of history plus the whole screen, which may be mostly empty: ask for one more and clamp. A
  // joined line may span any number of rows, so joining needs the whole history.
  const printed = await server.run(
    [
      [
        ...["capture-pane", "-p", "-t", pane, "-S", joinWrapped ? "-" : `-${wanted + 1}`],
        ...(escapes ? ["-e"] : []),
        ...(joinWrapped ? ["-J"] : []),
      ],
    ],
    { readOnly: true, untrusted: true, timeoutMs: startLimitMs(server.host) },
  );
  // -J keeps the blanks that pad a row.
  const text = withoutEmptyEnd(joinWrapped ? printed.map(withoutPadding) : printed);
  return { lines: text.slice(-wanted), truncated: text.length > wanted };
}

/** The current screen, one line per row. */
export async function captureScreen(
  server: Server,
  pane: PaneId,
  options: { readonly escapes?: boolean } = {},
): Promise<readonly string[]> {
  return server.run([["capture-pane", "-p", "-t", pane, ...(options.escapes ? ["-e"] : [])]], {
    readOnly: true,
    untrusted: true,
  });
}

/** The captured lines as one text, preceded by the mark if lines were left out. */
export function capturedText({ lines, truncated }: Captured): string {
  return [...(truncated ? [truncationMark] : []), ...lines].join("\n");
}

// By hand: a pattern for blanks at the end scans every earlier run of blanks again from each of its characters.
function withoutPadding(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") end--;
  return line.slice(0, end);
}

function withoutEmptyEnd(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  while (end > 0 && lines[end - 1] === "") end--;
  return lines.slice(0, end);
}
