import { panesOf, type Work } from "./work.ts";

/** Creates the session, or only its pane 0.0, if it is missing, and describes it. */
export async function init({ workspaces, spec }: Work): Promise<object> {
  const workspace = await workspaces.openWithFirst(spec);
  const panes = panesOf(workspace);
  return {
    session: workspace.session,
    windows: workspace.windows.map(({ number, name, panes: inside }) => ({ id: number, name, panes: inside.length })),
    active_pane: (panes.find(({ active }) => active) ?? panes[0])?.address,
  };
}

/** All windows and panes, and what is running in them. */
export async function list({ workspaces, spec }: Work): Promise<object> {
  const workspace = await workspaces.open(spec);
  const running = await workspaces.running(spec, panesOf(workspace));
  return {
    session: workspace.session,
    windows: workspace.windows.map(({ number, name, panes }) => ({
      id: number,
      name,
      panes: panes.map(({ address, title, cwd, active }) => ({
        id: address,
        title,
        cwd,
        active,
        running: running.get(address)?.command ?? "",
      })),
    })),
  };
}
