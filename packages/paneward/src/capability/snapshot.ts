import { PanewardError } from "@paneward/sdk";
import { callText, type capabilityActions, type ParametersOf } from "@paneward/sdk/reference";
import type { NewPane, WorkspacePane, WorkspaceWindow } from "../runtime/ports.ts";
import { placeOf } from "./layout.ts";
import { Refusal } from "./result.ts";
import { typeCommand } from "./send.ts";
import { momentOf, panesOf, type Work } from "./work.ts";

interface KeptPane {
  readonly address: string;
  readonly title: string;
  readonly cwd: string;
  /** The command that was running; it is started again. */
  readonly command?: string;
}

interface KeptWindow {
  readonly name: string;
  readonly layout: string;
  readonly synchronized: boolean;
  /** In layout order, from upper left to lower right. */
  readonly panes: readonly KeptPane[];
}

interface Kept {
  readonly windows: readonly KeptWindow[];
}

/** Saves the whole session under a name, or restores it. */
export async function snapshot(
  work: Work,
  { mode, name }: ParametersOf<(typeof capabilityActions)["snapshot"]>,
): Promise<object> {
  if (mode === "save") return save(work, name);
  const store = work.world.store.workspaces;
  const kept = store.kept<Kept>("snapshot", placeOf(work), name);
  if (kept) return { name, restored: true, ...(await restore(work, kept)) };
  const known = store.keptNames("snapshot", placeOf(work));
  const [first] = known;
  const call = first === undefined ? { mode: "save", name } : { mode: "restore", name: first };
  const there = known.length === 0 ? "there is none yet" : `there are ${known.join(", ")}`;
  throw new Refusal(`There is no snapshot '${name}'; ${there}`, callText("snapshot", call), "not_found");
}

async function save(work: Work, name: string): Promise<object> {
  const { world, workspaces, spec } = work;
  const workspace = await workspaces.open(spec);
  const running = await workspaces.running(spec, panesOf(workspace));
  const keptPane = async (pane: WorkspacePane): Promise<KeptPane> => {
    const { address, title, cwd } = pane;
    const command = running.get(address)?.idle ? undefined : await workspaces.noted(spec, pane, "command");
    return { address, title, cwd, ...(command ? { command } : {}) };
  };
  const keptWindow = async ({ name: window, layout, synchronized, panes }: WorkspaceWindow): Promise<KeptWindow> => {
    const inOrder = [...panes].sort((a, b) => a.index - b.index);
    return { name: window, layout, synchronized, panes: await Promise.all(inOrder.map(keptPane)) };
  };
  const kept: Kept = { windows: await Promise.all(workspace.windows.map(keptWindow)) };
  world.store.workspaces.keep("snapshot", placeOf(work), name, kept);
  return { name, saved: true, windows: kept.windows.length, panes: panesOf(workspace).length };
}

// A session that is gone gets its old addresses back. Beside an existing one the windows get new numbers, because an
// address is never reused.
async function restore(work: Work, { windows }: Kept): Promise<object> {
  const panes: { readonly from: string; readonly pane: string; readonly command?: string }[] = [];
  for (const window of windows) {
    for (const [kept, pane] of await restoreWindow(work, window)) {
      const { address: from, command } = kept;
      panes.push({ from, pane: pane.address, ...(command === undefined ? {} : { command }) });
      if (command === undefined) continue;
      await typeCommand(work, pane, command, { clear: false });
    }
  }
  return { windows: windows.length, panes, restored_at: momentOf(work.world.clock.now()) };
}

async function restoreWindow(
  work: Work,
  { name, layout, synchronized, panes: [first, ...others] }: KeptWindow,
): Promise<readonly (readonly [KeptPane, WorkspacePane])[]> {
  const { workspaces, spec } = work;
  if (!first) return [];
  const pane = await inFolder(first, (as) => openFirst(work, { ...as, name }));
  const number = Number(pane.address.split(".")[0]);
  const restored: (readonly [KeptPane, WorkspacePane])[] = [[first, pane]];
  // tmux inserts each new pane right after the first one, so split in reverse order.
  for (const other of others.toReversed()) {
    const made = await inFolder(other, (as) => workspaces.split(spec, number, { ...as, direction: "vertical" }));
    if (made) restored.push([other, made]);
  }
  const window = (await workspaces.find(spec))?.windows.find((one) => one.number === number);
  if (window && window.panes.length === others.length + 1) await workspaces.arrange(spec, window, layout);
  if (window && synchronized) await workspaces.synchronize(spec, window, true);
  return restored;
}

async function openFirst({ workspaces, spec }: Work, as: NewPane & { readonly name: string }): Promise<WorkspacePane> {
  if (await workspaces.find(spec)) return workspaces.openWindow(spec, as);
  const [pane] = panesOf(await workspaces.open(spec, as));
  if (!pane) throw new PanewardError("unavailable", "the session ended while it was being restored");
  return pane;
}

// A deleted folder must not prevent the rest from being restored.
async function inFolder<Made>({ address, title, cwd }: KeptPane, make: (as: NewPane) => Promise<Made>): Promise<Made> {
  try {
    return await make({ address, title, cwd });
  } catch (error) {
    if (!(error instanceof PanewardError && error.code === "bad_input")) throw error;
    return make({ address, title });
  }
}
