import { callText, type capabilityActions, type ParametersOf } from "@paneward/sdk/reference";
import type { WorkspacePane } from "../runtime/ports.ts";
import { finishRecording } from "./record.ts";
import { noSuchPane, noSuchWindow, Refusal } from "./result.ts";
import { panesOf, type Work } from "./work.ts";

/** Kills a pane or a window. The last one cannot be killed: without it there is no session. */
export async function kill(
  work: Work,
  { pane: address, window: number }: ParametersOf<(typeof capabilityActions)["kill"]>,
): Promise<object> {
  const { workspaces, spec } = work;
  if ((address === undefined) === (number === undefined)) {
    throw new Refusal("Give either a pane or a window to kill", callText("kill", { pane: address ?? "0.1" }));
  }
  const workspace = await workspaces.open(spec);
  if (number !== undefined) {
    const window = workspace.windows.find((one) => one.number === number);
    if (!window) throw noSuchWindow(number);
    if (workspace.windows.length === 1) throw lastOneRefusal(`window ${number}`, callText("window", { name: "next" }));
    for (const pane of window.panes) await finishRecording(work, pane);
    await workspaces.killWindow(spec, window);
    forget(work, window.panes);
    return { killed: String(number), type: "window" };
  }
  const pane = panesOf(workspace).find((one) => one.address === address);
  if (!pane) throw noSuchPane(address ?? "");
  if (panesOf(workspace).length === 1) {
    throw lastOneRefusal(`pane ${pane.address}`, callText("split", { window: windowOf(pane), direction: "vertical" }));
  }
  await finishRecording(work, pane);
  await workspaces.killPane(spec, pane);
  forget(work, [pane]);
  return { killed: pane.address, type: "pane" };
}

function lastOneRefusal(what: string, suggestion: string): Refusal {
  return new Refusal(`Cannot kill ${what}: it is the last one and would end the session`, suggestion, "wrong_state");
}

function forget({ world }: Work, panes: readonly WorkspacePane[]): void {
  for (const { journal } of panes) world.store.workspaces.forgetPositions(journal);
}

function windowOf({ address }: WorkspacePane): string {
  return address.split(".")[0] ?? "0";
}
