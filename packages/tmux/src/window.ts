import { listClients } from "./clients.ts";
import { TmuxError } from "./protocol/errors.ts";
import { checkLayout } from "./protocol/layout.ts";
import { type PaneId, type SessionId, type WindowId, windowName } from "./protocol/names.ts";
import { literal } from "./protocol/quote.ts";
import type { Server } from "./server.ts";

export interface WindowRow {
  readonly window: WindowId;
  readonly session: SessionId;
  readonly index: number;
  readonly active: boolean;
  readonly panes: number;
  readonly layout: string;
  readonly name: string;
}

const format =
  "#{window_id}\t#{session_id}\t#{window_index}\t#{window_active}\t#{window_panes}\t#{window_layout}\t#{window_name}";

/** The windows of a session (by id or `=name`). */
export async function listWindows(server: Server, session: SessionId | `=${string}`): Promise<readonly WindowRow[]> {
  const lines = await server.run([["list-windows", "-t", session, "-F", format]], { readOnly: true });
  return lines.map((line) => {
    const [window, id, index, active, panes, layout = "", ...name] = line.split("\t");
    return {
      window: window as WindowId,
      session: id as SessionId,
      index: Number(index),
      active: active === "1",
      panes: Number(panes),
      layout,
      name: name.join("\t"),
    };
  });
}

export async function renameWindow(server: Server, window: WindowId, name: string): Promise<void> {
  await server.run([["rename-window", "-t", window, "--", literal(windowName(name))]]);
}

export async function selectWindow(server: Server, window: WindowId): Promise<void> {
  await server.run([["select-window", "-t", window]]);
}

/** A named layout (`tiled`, `even-horizontal`, …) or one from `listWindows`. */
export async function selectLayout(server: Server, window: WindowId, layout: string): Promise<void> {
  await server.run([["select-layout", "-t", window, "--", checkLayout(layout)]]);
}

/** Switches typing into all panes of the window at once on or off. */
export async function synchronizePanes(server: Server, window: WindowId, on: boolean): Promise<void> {
  await server.run([["set-option", "-w", "-t", window, "synchronize-panes", on ? "on" : "off"]]);
}

/** Fixes the size of a window regardless of attached clients. */
export async function resizeWindow(server: Server, window: WindowId, columns: number, rows: number): Promise<void> {
  await server.run([["resize-window", "-t", window, "-x", String(columns), "-y", String(rows)]]);
}

/**
 * Makes the program in a pane redraw its whole screen, by a column more and back. tmux itself takes it back, also if this
 * process ends meanwhile. False, and nothing happens, where a person is attached.
 */
export async function redrawPane(server: Server, pane: PaneId): Promise<boolean> {
  const about = "#{window_id} #{session_id} #{window_width} #{window_height}";
  const [row = ""] = await server.run([["display-message", "-p", "-t", pane, about]], { readOnly: true });
  const [window = "", session, columns, rows] = row.split(" ");
  if ((await listClients(server)).some((client) => client.session === session)) return false;
  // `resize-window` also fixes the size for clients to come.
  const back = `resize-window -t ${window} -x ${columns} -y ${rows} ; set-option -w -u -t ${window} window-size`;
  await server.run([
    ["resize-window", "-t", window, "-x", String(Number(columns) + 1), "-y", String(rows)],
    ["run-shell", "-b", "-d", String(seenAfterSeconds), "-C", back],
  ]);
  return true;
}

/** tmux reports one resize to a program at once, and a second one only after 250 ms. */
const seenAfterSeconds = 0.5;

/** Kills a window. Killing the last window of a session ends the session, which needs `evenLast`. */
export async function killWindow(
  server: Server,
  window: WindowId,
  options: { readonly evenLast?: boolean } = {},
): Promise<void> {
  if (!options.evenLast) {
    const [line = ""] = await server.run([["display-message", "-p", "-t", window, "#{window_id} #{session_windows}"]], {
      readOnly: true,
    });
    const [id, windows] = line.split(" ");
    if (id !== window) throw new TmuxError("session_not_found", `can't find window: ${window}`);
    if (windows === "1") {
      throw new TmuxError("send_failed", `${window} is the last window of its session; pass evenLast to end both`);
    }
  }
  await server.run([["kill-window", "-t", window]]);
}
