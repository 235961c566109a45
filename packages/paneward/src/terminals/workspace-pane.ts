import { randomBytes } from "node:crypto";
import { type Journal, type OpenedPane, type PaneId, type ProgramSpec, pipeInto } from "@paneward/tmux";
import type { HostConnection } from "./host-connection.ts";
import type { Numbering } from "./workspace-numbers.ts";
import { options, type PaneListing } from "./workspace-rows.ts";

/** A new pane of a workspace: its address, folder, title and journal. */
export interface PanePlan {
  readonly address: string;
  readonly title: string;
  readonly cwd: string;
  readonly createdAt: string;
  readonly folder: string;
  readonly journal: Journal;
}

export async function planPane(
  host: HostConnection,
  journals: string,
  pane: { readonly address: string; readonly title: string; readonly cwd: string },
): Promise<PanePlan> {
  const folder = newFolder(journals);
  return { ...pane, createdAt: new Date().toISOString(), folder, journal: await host.newJournal(folder) };
}

export function programOf(host: HostConnection, plan: PanePlan): ProgramSpec & { readonly cwd: string } {
  const env = { PANE_TITLE: plan.title, PANE_CWD: plan.cwd, PANE_CREATED: plan.createdAt };
  return { argv: [host.shell], cwd: plan.cwd, env, journal: plan.journal };
}

/** Stores the plan in the pane's tmux options and follows its journal. */
export async function registerPane(host: HostConnection, opened: OpenedPane, plan: PanePlan): Promise<void> {
  const paneOptions = {
    [options.address]: plan.address,
    [options.journal]: plan.folder,
    [options.title]: plan.title,
    [options.cwd]: plan.cwd,
    [options.created]: plan.createdAt,
  };
  await host.server.run(
    Object.entries(paneOptions).map(([name, value]) => ["set-option", "-p", "-t", opened.pane, name, value]),
  );
  const { pane, pid, session } = opened;
  host.follow({ server: host.serverId, pane, pid, session }, plan.journal);
}

/** Numbers windows and panes made by hand, and gives each such pane a journal. */
export async function adopt(
  host: HostConnection,
  session: string,
  journals: string,
  numbering: Numbering,
  listing: readonly PaneListing[],
): Promise<void> {
  await host.server.run([
    ["set-option", "-t", `=${session}:`, options.nextWindow, String(numbering.nextWindow)],
    ...numbering.windows.flatMap(({ window, number, nextPane }) => [
      ["set-option", "-w", "-t", window, options.window, String(number)],
      ["set-option", "-w", "-t", window, options.nextPane, String(nextPane)],
    ]),
  ]);
  for (const { pane, address } of numbering.panes) {
    const row = listing.find((one) => one.pane === pane);
    if (!row) continue;
    const title = row.title || (address.endsWith(".0") ? "main" : `pane ${address}`);
    const plan = await planPane(host, journals, { address, title, cwd: row.startedIn || row.cwd });
    await host.server.run([await pipeInto(plan.journal, row.pane)]);
    await registerPane(host, { ...row, session: row.session as OpenedPane["session"] }, plan);
  }
}

/** Follows panes that existed before this daemon. */
export async function followAll(host: HostConnection, listing: readonly PaneListing[]): Promise<void> {
  for (const { pane, pid, session, journal, end } of listing) {
    if (journal === undefined || end || host.follows(pane)) continue;
    host.follow({ server: host.serverId, pane: pane as PaneId, pid, session }, await host.journal(journal));
  }
}

// Unique over time, because read positions are stored under it.
function newFolder(journals: string): string {
  return `${journals}/${Date.now().toString(36)}-${randomBytes(4).toString("hex")}`;
}
