import { PanewardError, parseSessionName } from "@paneward/sdk";
import {
  capture,
  formatCursor,
  journalEnd,
  journalTimes,
  keeperSession,
  killPane,
  killWindow,
  type PaneId,
  paneOption,
  respawnPane,
  selectLayout,
  sessionName,
  synchronizePanes,
  type WindowId,
} from "@paneward/tmux";
import { keyedMutex } from "../model/keyed-mutex.ts";
import type { PanePlace } from "../model/records.ts";
import type { Note, Workspace, WorkspacePane, WorkspaceSpec, Workspaces } from "../runtime/ports.ts";
import type { HostConnection } from "./host-connection.ts";
import type { Hosts } from "./hosts.ts";
import { runningIn } from "./running.ts";
import { undefinedIfGone } from "./translate-errors.ts";
import { addFirstPane, addPane, addWindow, createSession, type Session } from "./workspace-create.ts";
import { assignNumbers } from "./workspace-numbers.ts";
import { adopt, followAll } from "./workspace-pane.ts";
import { listingFormat, type PaneListing, paneOf, parseListing, workspaceOf } from "./workspace-rows.ts";

/** The workspaces port on tmux. Work on one session is serialized, so that no number is assigned twice. */
export function createWorkspaces(hosts: Hosts): Workspaces {
  const inTurn = keyedMutex();
  const inSession = <Result>(spec: WorkspaceSpec, work: (session: Session) => Promise<Result>) =>
    inTurn(`${spec.host} ${spec.session}`, () =>
      hosts.onWithReconnect(spec.host, async (host) => {
        refuseReservedName(spec.session);
        return work({ host, spec, journals: journalsOf(hosts, spec) });
      }),
    );
  const at = <Result>(
    spec: WorkspaceSpec,
    pane: WorkspacePane,
    work: (host: HostConnection, id: PaneId) => Promise<Result>,
  ) => hosts.on(spec.host, async (host) => work(host, host.pane(pane.place)));
  const found = async (session: Session, pane: PaneId): Promise<WorkspacePane> => {
    const row = (await listPanes(session))?.find((one) => one.pane === pane);
    if (!row) throw new Error(`the new pane ${pane} is gone`);
    return paneOf(session.host.serverId, row);
  };

  return {
    // Teams' servers are for their workers.
    hosts: () => hosts.names().filter((name) => !name.includes(":")),
    find: (spec) => inSession(spec, async (session) => workspace(session, await listPanes(session))),
    open: (spec, first = {}) =>
      inSession(spec, async (session) => {
        const there = workspace(session, await listPanes(session));
        if (there) return there;
        await createSession(session, first);
        return workspace(session, await listPanes(session)) ?? nothing(spec);
      }),
    openWithFirst: (spec) =>
      inSession(spec, async (session) => {
        const rows = await listPanes(session);
        await (rows ? addFirstPane(session, rows) : createSession(session, {}));
        return workspace(session, await listPanes(session)) ?? nothing(spec);
      }),
    openWindow: (spec, as) =>
      inSession(spec, async (session) =>
        found(session, await addWindow(session, (await listPanes(session)) ?? [], as)),
      ),
    split: (spec, window, as) =>
      inSession(spec, async (session) => {
        const rows = (await listPanes(session))?.filter(({ windowNumber }) => windowNumber === window) ?? [];
        return rows.length === 0 ? undefined : found(session, await addPane(session, rows, as));
      }),
    killPane: (spec, pane) =>
      inSession(spec, async ({ host }) => {
        await killPane(host.server, host.pane(pane.place));
        await forget(host, pane);
      }),
    killWindow: (spec, { window, panes }) =>
      inSession(spec, async ({ host }) => {
        await killWindow(host.server, window as WindowId);
        for (const pane of panes) await forget(host, pane);
      }),
    revive: (spec, pane) => at(spec, pane, (host, id) => revive(host, pane, id)),
    noteCommand: (spec, pane, command, moment) =>
      at(spec, pane, async (host, id) => {
        const end = await journalEnd(await host.journal(pane.journal));
        await noteCommand(host, id, command, moment, end ? formatCursor(end) : "");
      }),
    lines: (spec, pane, maxLines) =>
      at(spec, pane, (host, id) => capture(host.server, id, { lines: maxLines, max: maxLines, joinWrapped: true })),
    running: (spec, panes) => hosts.on(spec.host, (host) => runningIn(host, panes)),
    synchronize: (spec, { window }, on) =>
      inSession(spec, ({ host }) => synchronizePanes(host.server, window as WindowId, on)),
    arrange: (spec, { window }, layout) =>
      inSession(spec, ({ host }) => selectLayout(host.server, window as WindowId, layout)),
    noted: (spec, pane, name) => at(spec, pane, (host, id) => paneOption(host.server, id, notes[name])),
    times: (spec, pane, epoch) =>
      hosts.on(spec.host, async (host) => journalTimes(await host.journal(pane.journal), epoch)),
  };
}

const notes: Readonly<Record<Note, string>> = {
  command: "@PANE_COMMAND",
  command_at: "@PANE_COMMAND_AT",
  command_cursor: "@paneward_command_cursor",
};

// Without control mode, tmux refuses option values over 16 KB.
const maxNoteLength = 4_000;

function noteCommand(host: HostConnection, id: PaneId, command: string, at: string, cursor: string) {
  const values = {
    [notes.command]: command.slice(0, maxNoteLength),
    [notes.command_at]: at,
    [notes.command_cursor]: cursor,
  };
  return host.server.run(Object.entries(values).map(([name, value]) => ["set-option", "-p", "-t", id, name, value]));
}

// A workspace must not use the session name of a task, a terminal or the keeper.
function refuseReservedName(session: string): void {
  const taken = sessionName(session) === keeperSession || parseSessionName(session) !== undefined;
  if (taken) throw new PanewardError("bad_input", `the session name ${session} is in use by Paneward itself`);
}

function journalsOf(hosts: Hosts, { host, session }: WorkspaceSpec): string {
  return `${hosts.settings(host)?.owner ?? ""}/workspaces/${session}`;
}

// What was there a moment ago has ended.
function nothing({ session }: WorkspaceSpec): Workspace {
  return { session, windows: [] };
}

function workspace({ host, spec }: Session, rows: readonly PaneListing[] | undefined): Workspace | undefined {
  return rows && workspaceOf(spec.session, host.serverId, rows);
}

// Windows and panes made by hand are numbered when first listed.
async function listPanes({ host, spec, journals }: Session): Promise<readonly PaneListing[] | undefined> {
  const list = () =>
    host.server.run([["list-panes", "-s", "-t", `=${spec.session}:`, "-F", listingFormat]], { readOnly: true });
  const rows = (await list().catch(undefinedIfGone))?.map(parseListing);
  const numbering = rows && assignNumbers(rows);
  if (numbering) await adopt(host, spec.session, journals, numbering, rows);
  const final = numbering ? (await list()).map(parseListing) : rows;
  if (final) await followAll(host, final);
  return final;
}

// The shell has ended, but the pane keeps its address: give it a new shell for the next command.
async function revive(host: HostConnection, pane: WorkspacePane, id: PaneId): Promise<PanePlace> {
  const journal = await host.journal(pane.journal);
  const env = { PANE_TITLE: pane.title, PANE_CWD: pane.cwd, PANE_CREATED: pane.createdAt };
  const again = await respawnPane(host.server, id, { argv: [host.shell], cwd: pane.cwd, env, journal });
  const place = { ...pane.place, pid: again.pid };
  host.moved(place);
  return place;
}

async function forget(host: HostConnection, pane: WorkspacePane): Promise<void> {
  host.unfollow(pane.place.pane);
  await host.removeJournal(pane.journal);
}
