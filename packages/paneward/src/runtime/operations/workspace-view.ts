import { PanewardError } from "@paneward/sdk";
import type { WorkspacePane, Workspaces } from "../ports.ts";
import type { World } from "../world.ts";

export interface WorkspaceDeps extends Pick<World, "configFor"> {
  readonly workspaces: Pick<Workspaces, "find">;
}

/** The session in which models work, as people name it: `artie`, or `artie:0.1` for one of its panes. */
export interface NamedWorkspace {
  readonly host: string;
  readonly session: string;
  /** The named pane, else the active one. */
  readonly pane: WorkspacePane;
}

/** Does something with a task or terminal; if there is none of that name, with the workspace of that name. */
export async function orWorkspace<Result>(
  deps: WorkspaceDeps,
  id: string,
  usual: () => Promise<Result>,
  there: (workspace: NamedWorkspace) => Promise<Result>,
): Promise<Result> {
  try {
    return await usual();
  } catch (error) {
    if (!(error instanceof PanewardError && error.code === "not_found")) throw error;
    const found = await workspaceNamed(deps, id);
    if (!found) throw error;
    return there(found);
  }
}

async function workspaceNamed(
  { configFor, workspaces }: WorkspaceDeps,
  id: string,
): Promise<NamedWorkspace | undefined> {
  const { capability, tmux_bridge: bridge } = (await configFor()).config;
  const { session, host } = capability;
  const address = id.startsWith(`${session}:`) ? id.slice(session.length + 1) : undefined;
  if (id !== session && address === undefined) return undefined;
  const spec = { host, session, historyLimit: capability.history_limit, enterDelayMs: bridge.text_enter_delay_ms };
  const panes = (await workspaces.find(spec))?.windows.flatMap((window) => window.panes) ?? [];
  const pane =
    address === undefined
      ? (panes.find(({ active }) => active) ?? panes[0])
      : panes.find((one) => one.address === address);
  return pane && { host, session, pane };
}
