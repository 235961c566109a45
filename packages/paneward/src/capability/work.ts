import type { Caller } from "../runtime/calls.ts";
import type { Typist } from "../runtime/courier/typist.ts";
import type { Workspace, WorkspacePane, WorkspaceSpec, Workspaces, WorkspaceWindow } from "../runtime/ports.ts";
import type { World } from "../runtime/world.ts";
import { noSuchPane, noSuchWindow } from "./result.ts";

/** The context of one call. */
export interface Work {
  readonly world: World;
  readonly workspaces: Workspaces;
  readonly typist: Typist;
  readonly spec: WorkspaceSpec;
  readonly caller: Caller;
}

/** The pane at an address; creates the session if it is missing. Not given: 0.0, else the first that lives. */
export async function paneAt({ workspaces, spec }: Work, address: string | undefined): Promise<WorkspacePane> {
  const panes = panesOf(await workspaces.open(spec));
  const first = () => panes.find(({ end }) => end === undefined) ?? panes[0];
  const usual = panes.find((pane) => pane.address === (address ?? firstAddress));
  const found = usual ?? (address === undefined ? first() : undefined);
  if (!found) throw noSuchPane(address ?? firstAddress);
  return found;
}

/** The window of a number; not given: 0, else the first. */
export async function windowAt({ workspaces, spec }: Work, number: number | undefined): Promise<WorkspaceWindow> {
  const { windows } = await workspaces.open(spec);
  const usual = windows.find((window) => window.number === (number ?? 0));
  const found = usual ?? (number === undefined ? windows[0] : undefined);
  if (!found) throw noSuchWindow(number ?? 0);
  return found;
}

const firstAddress = "0.0";

export function panesOf({ windows }: Workspace): readonly WorkspacePane[] {
  return windows.flatMap(({ panes }) => panes);
}

/** A time without milliseconds: `2025-01-24T10:30:00Z`. */
export function momentOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Identifies a reader: each door of a caller has its own position. */
export function readerOf({ caller }: Work): string {
  return `${caller.door} ${caller.who}`;
}
