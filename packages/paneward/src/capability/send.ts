import type { capabilityActions, ParametersOf } from "@paneward/sdk";
import type { WorkspacePane } from "../runtime/ports.ts";
import { momentOf, paneAt, type Work } from "./work.ts";

/** Types a command and presses Enter; does not wait for its end. */
export async function send(work: Work, params: ParametersOf<(typeof capabilityActions)["send"]>): Promise<object> {
  const pane = await paneAt(work, params.pane);
  const now = work.world.clock.now();
  await typeCommand(work, pane, params.command, { at: now, clear: params.clear });
  return { pane: pane.address, command: params.command, sent_at: momentOf(now) };
}

/**
 * Types a command as it is and presses Enter, as one act. A pane whose shell ended gets a new one first. What the terminal
 * does not echo is a secret, and is not noted.
 */
export function typeCommand(
  { world, workspaces, typist, spec }: Work,
  pane: WorkspacePane,
  command: string,
  { at, clear }: { readonly at: number; readonly clear: boolean },
): Promise<void> {
  return typist.sequence({ host: spec.host, place: pane.place }, async (writer) => {
    if (pane.end) await workspaces.revive(spec, pane);
    if (clear) await writer.clear();
    const { hidden } = await world.terminals.listens(spec.host, pane.place);
    await writer.type(command);
    if (command !== "") await writer.pause(spec.enterDelayMs);
    // The echo is printed by now: what follows is the command's output.
    await workspaces.noteCommand(spec, pane, hidden ? "" : command, new Date(at).toISOString());
    await writer.press({ keys: ["Enter"], pauseMs: 0 });
  });
}
