import type { End } from "@paneward/sdk";
import type { PaneId, WindowId } from "@paneward/tmux";
import type { Workspace, WorkspacePane, WorkspaceWindow } from "../runtime/ports.ts";

/** A pane of the session as tmux lists it. Panes made by hand have no numbers. */
export interface PaneListing {
  readonly pane: PaneId;
  readonly pid: number;
  readonly window: WindowId;
  readonly session: string;
  readonly windowIndex: number;
  readonly paneIndex: number;
  readonly windowActive: boolean;
  readonly paneActive: boolean;
  readonly end: End | undefined;
  readonly columns: number;
  readonly rows: number;
  readonly synchronized: boolean;
  readonly nextWindow: number;
  readonly windowNumber: number | undefined;
  readonly nextPane: number;
  readonly address: string | undefined;
  readonly journal: string | undefined;
  readonly createdAt: string;
  readonly layout: string;
  readonly windowName: string;
  readonly title: string;
  readonly startedIn: string;
  readonly cwd: string;
}

/** tmux options that store addresses, so that an address exists exactly as long as its pane. */
export const options = {
  nextWindow: "@paneward_next_window",
  window: "@paneward_window",
  nextPane: "@paneward_next_pane",
  address: "@paneward_address",
  journal: "@paneward_journal",
  title: "@PANE_TITLE",
  cwd: "@PANE_CWD",
  created: "@PANE_CREATED",
} as const;

// Tabs and newlines in titles and paths become spaces, so that they cannot break a row.
const printable = (name: string) => `#{s/[\t\n]/ /:${name}}`;

const fields = [
  ...["pane_id", "pane_pid", "window_id", "session_id", "window_index", "pane_index", "window_active", "pane_active"],
  ...["pane_dead", "pane_dead_status", "pane_dead_signal", "pane_width", "pane_height", "pane_synchronized"],
  ...[options.nextWindow, options.window, options.nextPane, options.address, options.journal, options.created],
  "window_layout",
].map((name) => `#{${name}}`);

/** The `-F` format of the listing. */
export const listingFormat = [
  ...fields,
  ...["window_name", options.title, options.cwd, "pane_current_path"].map(printable),
].join("\t");

export function parseListing(line: string): PaneListing {
  const values = line.split("\t");
  let at = 0;
  const next = () => values[at++] ?? "";
  const number = () => Number(next());
  const flag = () => next() === "1";
  const given = () => next() || undefined;
  const [pane, pid, window, session] = [next() as PaneId, number(), next() as WindowId, next()];
  const [windowIndex, paneIndex, windowActive, paneActive] = [number(), number(), flag(), flag()];
  const end = endOf(next(), next(), next());
  const [columns, rows, synchronized, nextWindow] = [number(), number(), flag(), number()];
  const windowNumber = given();
  return {
    ...{ pane, pid, window, session, windowIndex, paneIndex, windowActive, paneActive, end },
    ...{ columns, rows, synchronized, nextWindow },
    windowNumber: windowNumber === undefined ? undefined : Number(windowNumber),
    nextPane: number(),
    address: given(),
    journal: given(),
    createdAt: next(),
    layout: next(),
    windowName: next(),
    title: next(),
    startedIn: next(),
    cwd: next(),
  };
}

function endOf(dead: string, status: string, signal: string): End | undefined {
  if (dead !== "1") return undefined;
  if (signal !== "") return { kind: "killed", signal: Number(signal) };
  return status === "" ? { kind: "unknown" } : { kind: "exited", code: Number(status) };
}

/** The session as the runtime sees it: windows by number, panes by address. */
export function workspaceOf(session: string, server: string, listing: readonly PaneListing[]): Workspace {
  const known = listing.filter(({ windowNumber, address }) => windowNumber !== undefined && address !== undefined);
  const windows = Map.groupBy(known, ({ window }) => window);
  return {
    session,
    windows: [...windows.values()].map((rows) => windowOf(server, rows)).sort((a, b) => a.number - b.number),
  };
}

function windowOf(server: string, rows: readonly PaneListing[]): WorkspaceWindow {
  const [first] = rows;
  return {
    number: first?.windowNumber ?? 0,
    window: first?.window ?? "",
    name: first?.windowName ?? "",
    active: first?.windowActive ?? false,
    synchronized: first?.synchronized ?? false,
    layout: first?.layout ?? "",
    panes: rows.map((row) => paneOf(server, row)).sort((a, b) => indexOf(a.address) - indexOf(b.address)),
  };
}

export function paneOf(server: string, row: PaneListing): WorkspacePane {
  return {
    address: row.address ?? "",
    place: { server, pane: row.pane, pid: row.pid, session: row.session },
    index: row.paneIndex,
    title: row.title,
    cwd: row.cwd || row.startedIn,
    active: row.windowActive && row.paneActive,
    columns: row.columns,
    rows: row.rows,
    journal: row.journal ?? "",
    createdAt: row.createdAt,
    end: row.end,
  };
}

function indexOf(address: string): number {
  return Number(address.split(".")[1]);
}
