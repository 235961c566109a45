import { TmuxError } from "./protocol/errors.ts";
import {
  detailFormat,
  type PaneDetails,
  type PaneRow,
  paneFormat,
  parsePaneDetails,
  parsePaneRow,
} from "./protocol/formats.ts";
import type { PaneId } from "./protocol/names.ts";
import { literal } from "./protocol/quote.ts";
import type { Server } from "./server.ts";

/** All panes of the server except the keeper's, from cheap formats. One command, no /proc. */
export async function snapshot(server: Server): Promise<readonly PaneRow[]> {
  const lines = await server.run([["list-panes", "-a", "-F", paneFormat]], { readOnly: true });
  return lines.map(parsePaneRow).filter((row) => row.sessionName !== server.keeper);
}

/** Title, folder, running command and so on for the given panes. Panes that no longer exist are left out. */
export async function paneDetails(server: Server, panes: readonly PaneId[]): Promise<readonly PaneDetails[]> {
  const lookups = panes.map(async (pane) => {
    const [line = ""] = await server.run([["display-message", "-p", "-t", pane, detailFormat]], { readOnly: true });
    return parsePaneDetails(line);
  });
  const found = await Promise.all(lookups.map((lookup) => lookup.catch(undefinedIfGone)));
  return found.filter((details, at) => details?.pane === panes[at]) as PaneDetails[];
}

/** Kills a pane. Killing the last pane of a session ends the session, which needs `evenLast`. */
export async function killPane(
  server: Server,
  pane: PaneId,
  options: { readonly evenLast?: boolean } = {},
): Promise<void> {
  if (!options.evenLast) {
    const [counts = ""] = await server.run(
      [["display-message", "-p", "-t", pane, "#{pane_id} #{window_panes} #{session_windows}"]],
      { readOnly: true },
    );
    const [id, panes, windows] = counts.split(" ");
    if (id !== pane) throw new TmuxError("pane_not_found", `can't find pane: ${pane}`);
    if (panes === "1" && windows === "1") {
      throw new TmuxError("send_failed", `${pane} is the last pane of its session; pass evenLast to end both`);
    }
  }
  await server.run([["kill-pane", "-t", pane]]);
}

export async function resizePane(server: Server, pane: PaneId, columns: number, rows: number): Promise<void> {
  await server.run([["resize-pane", "-t", pane, "-x", String(columns), "-y", String(rows)]]);
}

export async function setPaneTitle(server: Server, pane: PaneId, title: string): Promise<void> {
  await server.run([["select-pane", "-t", pane, "-T", literal(title)]]);
}

/** Sets or removes a user option (`@name`) of a pane. */
export async function setPaneOption(
  server: Server,
  pane: PaneId,
  name: string,
  value: string | undefined,
): Promise<void> {
  const change = value === undefined ? ["-u", userOption(name)] : [userOption(name), value];
  await server.run([["set-option", "-p", "-t", pane, ...change]]);
}

export async function paneOption(server: Server, pane: PaneId, name: string): Promise<string | undefined> {
  // `-q` suppresses the error both for an unset option and for a missing pane.
  const [[id], lines] = await Promise.all([
    server.run([["display-message", "-p", "-t", pane, "#{pane_id}"]], { readOnly: true }),
    server.run([["show-options", "-pqv", "-t", pane, userOption(name)]], { readOnly: true, untrusted: true }),
  ]);
  if (id !== pane) throw new TmuxError("pane_not_found", `can't find pane: ${pane}`);
  return lines.length === 0 ? undefined : lines.join("\n");
}

function userOption(name: string): string {
  if (/^@[A-Za-z0-9_-]+$/.test(name)) return name;
  throw new TmuxError("name_invalid", `${JSON.stringify(name)} is not a user option; they look like @name`);
}

function undefinedIfGone(error: unknown): undefined {
  if (error instanceof TmuxError && error.type === "pane_not_found") return undefined;
  throw error;
}
