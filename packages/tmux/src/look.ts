import { captureScreen } from "./capture.ts";
import { TmuxError } from "./protocol/errors.ts";
import type { PaneId } from "./protocol/names.ts";
import type { Server } from "./server.ts";

/** A pane as a person sees it at one moment. */
export interface PaneLook {
  readonly lines: readonly string[];
  readonly columns: number;
  readonly rows: number;
  /** Counted from 0. */
  readonly cursor: { readonly row: number; readonly column: number };
  readonly title: string;
  /** Copy mode or a similar mode. */
  readonly inMode: boolean;
  /** Number of history lines above the screen. */
  readonly scrolled: number;
  /** A full-screen program uses the alternate screen. */
  readonly alternate: boolean;
}

/**
 * Screen, cursor and title. Two commands sent back to back: the screen text is untrusted and must be an answer of its
 * own.
 */
export async function lookAt(server: Server, pane: PaneId): Promise<PaneLook> {
  const [lines, [facts = ""]] = await Promise.all([
    captureScreen(server, pane),
    server.run([["display-message", "-p", "-t", pane, lookFormat]], { readOnly: true }),
  ]);
  const [id, columns, rows, column, row, inMode, scrolled, alternate, ...title] = facts.split("\t");
  if (id !== pane) throw new TmuxError("pane_not_found", `can't find pane: ${pane}`);
  return {
    lines,
    columns: Number(columns),
    rows: Number(rows),
    cursor: { row: Number(row), column: Number(column) },
    title: title.join(" "),
    inMode: inMode !== "" && inMode !== "0",
    scrolled: Number(scrolled),
    alternate: alternate === "1",
  };
}

const lookFormat = [
  "#{pane_id}",
  "#{pane_width}",
  "#{pane_height}",
  "#{cursor_x}",
  "#{cursor_y}",
  "#{pane_in_mode}",
  "#{history_size}",
  "#{alternate_on}",
  // A newline in a title would look like the first row of the screen.
  "#{s/[\t\n]/ /:pane_title}",
].join("\t");
