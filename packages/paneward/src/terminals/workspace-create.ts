import {
  type OpenedPane,
  openSession,
  openWindow,
  type PaneId,
  selectLayout,
  splitPane,
  TmuxError,
  type WindowId,
} from "@paneward/tmux";
import type { Direction, FirstPane, NewPane, WorkspaceSpec } from "../runtime/ports.ts";
import type { HostConnection } from "./host-connection.ts";
import { planPane, programOf, registerPane } from "./workspace-pane.ts";
import { options, type PaneListing } from "./workspace-rows.ts";

/** A workspace on its host, during one operation. */
export interface Session {
  readonly host: HostConnection;
  readonly spec: WorkspaceSpec;
  /** Where its panes' journals are. */
  readonly journals: string;
}

/** Creates the session with its first window and pane. Removes the journals of an earlier session of that name. */
export async function createSession({ host, spec, journals }: Session, first: FirstPane): Promise<void> {
  await host.removeJournal(journals);
  const [window, index] = partsOf(first.address) ?? [0, 0];
  const create = async (cwd: string) => {
    const title = first.title ?? "main";
    const plan = await planPane(host, journals, { address: `${window}.${index}`, title, cwd });
    const opened = await openSession(host.server, {
      ...programOf(host, plan),
      name: spec.session,
      windowName: first.name ?? "workspace",
      options: { "history-limit": String(spec.historyLimit), mouse: "on", "status-style": "bg=blue,fg=white" },
    });
    await storeNumbers(host, spec.session, opened, window, index);
    await registerPane(host, opened, plan);
  };
  // Start in /workspace if the host has one, as sandboxes do; else in the home folder.
  await create(first.cwd ?? "/workspace").catch((error: unknown) => {
    if (!isMissingFolder(error)) throw error;
    return create(host.home);
  });
}

/** Makes the session's first pane again, if it was killed. */
export async function addFirstPane(session: Session, rows: readonly PaneListing[]): Promise<void> {
  const address = "0.0";
  if (rows.some((row) => row.address === address)) return;
  const beside = rows.filter(({ windowNumber }) => windowNumber === 0);
  const as = { address, again: true, title: "main" };
  if (beside.length > 0) await addPane(session, beside, { ...as, direction: "vertical" });
  else await addWindow(session, rows, { ...as, name: "workspace" });
}

/** Opens a window under the next unused number. */
export async function addWindow(
  { host, spec, journals }: Session,
  rows: readonly PaneListing[],
  as: NewPane & { readonly name?: string },
): Promise<PaneId> {
  const next = Math.max(0, ...rows.map(({ nextWindow }) => nextWindow));
  const [wanted, index] = partsOf(as.address) ?? [next, 0];
  const window = as.again ? wanted : Math.max(wanted, next);
  const active = rows.find(({ windowActive, paneActive }) => windowActive && paneActive);
  const cwd = as.cwd ?? rows.find(({ address }) => address === "0.0")?.startedIn ?? active?.startedIn ?? host.home;
  const plan = await planPane(host, journals, { address: `${window}.${index}`, title: as.title ?? "main", cwd });
  const name = as.name ?? `window-${window}`;
  const opened = await openWindow(host.server, { ...programOf(host, plan), session: spec.session, name });
  await storeNumbers(host, spec.session, opened, window, index, next);
  await registerPane(host, opened, plan);
  // Use the same number as tmux's index if it is free, so that `tmux -t artie:2` works.
  const move = ["move-window", "-d", "-s", opened.window, "-t", `=${spec.session}:${window}`];
  await host.server.run([move]).catch(ignoreRefusal);
  return opened.pane;
}

/** Splits the window's active pane. If there is no room, tiles the panes first. */
export async function addPane(
  { host, journals }: Session,
  rows: readonly PaneListing[],
  as: NewPane & Direction,
): Promise<PaneId> {
  const active = rows.find(({ paneActive }) => paneActive) ?? rows[0];
  const window = active?.windowNumber ?? 0;
  const next = Math.max(0, ...rows.map(({ nextPane }) => nextPane));
  const wanted = partsOf(as.address)?.[1] ?? next;
  const index = as.again ? wanted : Math.max(next, wanted);
  const cwd = as.cwd ?? (active?.cwd || active?.startedIn) ?? host.home;
  const plan = await planPane(host, journals, { address: `${window}.${index}`, title: as.title ?? "New pane", cwd });
  const split = () =>
    splitPane(host.server, {
      ...programOf(host, plan),
      pane: active?.pane ?? "%0",
      direction: as.direction,
      title: plan.title,
    });
  const opened = await split().catch(async (error: unknown) => {
    if (!(error instanceof TmuxError && /no space for new pane/.test(error.message))) throw error;
    await selectLayout(host.server, active?.window as WindowId, "tiled");
    return split();
  });
  await host.server.run([
    ["set-option", "-w", "-t", opened.window, options.nextPane, String(Math.max(next, index + 1))],
  ]);
  await registerPane(host, opened, plan);
  return opened.pane;
}

function storeNumbers(
  host: HostConnection,
  session: string,
  { window }: OpenedPane,
  own: number,
  index: number,
  next = 0,
) {
  return host.server.run([
    ["set-option", "-t", `=${session}:`, options.nextWindow, String(Math.max(next, own + 1))],
    ["set-option", "-w", "-t", window, options.window, String(own)],
    ["set-option", "-w", "-t", window, options.nextPane, String(index + 1)],
  ]);
}

function partsOf(address: string | undefined): readonly [number, number] | undefined {
  const [, window, pane] = /^(\d+)\.(\d+)$/.exec(address ?? "") ?? [];
  return window === undefined ? undefined : [Number(window), Number(pane)];
}

function isMissingFolder(error: unknown): boolean {
  return error instanceof TmuxError && /^the folder .* does not exist on this host$/s.test(error.message);
}

// The index is taken, or the window already has it.
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof TmuxError && error.type === "subprocess_failed") return undefined;
  throw error;
}
