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

/** The pane at an address; creates the session if it is missing. */
export async function paneAt({ workspaces, spec }: Work, address: string): Promise<WorkspacePane> {
  const found = panesOf(await workspaces.open(spec)).find((pane) => pane.address === address);
  if (!found) throw noSuchPane(address);
  return found;
}

export async function windowAt({ workspaces, spec }: Work, number: number): Promise<WorkspaceWindow> {
  const found = (await workspaces.open(spec)).windows.find((window) => window.number === number);
  if (!found) throw noSuchWindow(number);
  return found;
}

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
