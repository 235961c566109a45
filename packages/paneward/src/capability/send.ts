import type { capabilityActions, ParametersOf } from "@paneward/sdk";
import { momentOf, paneAt, type Work } from "./work.ts";

/** Types a command and presses Enter; does not wait for its end. */
export async function send(work: Work, params: ParametersOf<(typeof capabilityActions)["send"]>): Promise<object> {
  const { world, workspaces, spec } = work;
  const pane = await paneAt(work, params.pane);
  const now = world.clock.now();
  await workspaces.type(spec, pane, params.command, { clear: params.clear, at: new Date(now).toISOString() });
  return { pane: pane.address, command: params.command, sent_at: momentOf(now) };
}
