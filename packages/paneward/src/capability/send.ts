import type { capabilityActions, ParametersOf } from "@paneward/sdk/reference";
import type { WorkspacePane } from "../runtime/ports.ts";
import { untilShellReads } from "./until-shell-reads.ts";
import { momentOf, paneAt, type Work } from "./work.ts";

/** Types a command and presses Enter; does not wait for its end. */
export async function send(work: Work, params: ParametersOf<(typeof capabilityActions)["send"]>): Promise<object> {
  const pane = await paneAt(work, params.pane);
  const sentAt = await typeCommand(work, pane, params.command, { clear: params.clear });
  return { pane: pane.address, command: params.command, sent_at: momentOf(sentAt) };
}

/**
 * Types a command as it is and presses Enter, as one act. A pane whose shell ended gets a new one first. What the terminal
 * does not echo is a secret, and is not noted. Returns when it was typed.
 */
export function typeCommand(
  work: Work,
  pane: WorkspacePane,
  command: string,
  { clear }: { readonly clear: boolean },
): Promise<number> {
  const { world, workspaces, typist, spec } = work;
  return typist.sequence({ host: spec.host, place: pane.place }, async (writer) => {
    const place = pane.end ? await workspaces.revive(spec, pane) : pane.place;
    await untilShellReads(work, { ...pane, place });
    if (clear) await writer.clear();
    const { hidden } = await world.terminals.listens(spec.host, place);
    const at = world.clock.now();
    await writer.type(command);
    if (command !== "") await writer.pause(spec.enterDelayMs);
    // The echo is printed by now: what follows is the command's output.
    await workspaces.noteCommand(spec, pane, hidden ? "" : command, new Date(at).toISOString());
    await writer.press({ keys: ["Enter"], pauseMs: 0 });
    return at;
  });
}
