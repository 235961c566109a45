import type { PaneId } from "./protocol/names.ts";
import type { Server } from "./server.ts";
import { startLimitMs } from "./transport/transport.ts";

export interface CaptureOptions {
  /** How many lines, counted from the last one that has text. */
  readonly lines?: number;
  /** The most lines that may be asked for. */
  readonly max?: number;
  /** Keep colours and styles as escape sequences. */
  readonly escapes?: boolean;
  /** Join lines that the terminal wrapped. */
  readonly joinWrapped?: boolean;
}

export interface Captured {
  readonly lines: readonly string[];
  /** Older lines exist that were not asked for. */
  readonly truncated: boolean;
}

/** Stands in front of captured text when older lines were left out. */
export const truncationMark = "… older lines left out";

/** Exactly the last lines of what a pane shows and has scrolled away. */
export async function capture(server: Server, pane: PaneId, options: CaptureOptions = {}): Promise<Captured> {
  const { lines = 1_000, max = 10_000, escapes = false, joinWrapped = false } = options;
  const wanted = Math.max(1, Math.min(Math.floor(lines), max));
  // -S -N means N lines of history before the whole screen, which may be mostly empty: ask for one more and clamp.
  // Joined lines may be made of any number of rows: only the whole history is sure to hold enough.
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
  // -J keeps the blanks that fill a row.
  const text = withoutEmptyEnd(joinWrapped ? printed.map((line) => line.replace(/ +$/, "")) : printed);
  return { lines: text.slice(-wanted), truncated: text.length > wanted };
}

/** The screen as it is now, one line per row. */
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

/** The captured lines as one text, with the mark in front if something was left out. */
export function capturedText({ lines, truncated }: Captured): string {
  return [...(truncated ? [truncationMark] : []), ...lines].join("\n");
}

function withoutEmptyEnd(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  while (end > 0 && lines[end - 1] === "") end--;
  return lines.slice(0, end);
}
