import type { capabilityActions, ParametersOf } from "@paneward/sdk/reference";
import { noSuchWindow } from "./result.ts";
import { type Work, windowAt } from "./work.ts";

/** Opens a pane beside or below the active one of a window. */
export async function split(
  work: Work,
  { window: wanted, ...as }: ParametersOf<(typeof capabilityActions)["split"]>,
): Promise<object> {
  const { number: window } = await windowAt(work, wanted);
  const pane = await work.workspaces.split(work.spec, window, as);
  if (!pane) throw noSuchWindow(window);
  return { pane: pane.address, window, title: pane.title, cwd: pane.cwd };
}

/** Opens a window with one pane. */
export async function openWindow(
  { workspaces, spec }: Work,
  as: ParametersOf<(typeof capabilityActions)["window"]>,
): Promise<object> {
  await workspaces.open(spec);
  const pane = await workspaces.openWindow(spec, as);
  const workspace = await workspaces.open(spec);
  const window = workspace.windows.find(({ panes }) => panes.some(({ address }) => address === pane.address));
  return { window: window?.number, name: window?.name, pane: pane.address };
}
