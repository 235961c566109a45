import type { SubmitProfile } from "../../agents/agent.ts";
import type { World } from "../world.ts";

/** How to type for this agent. Its own pauses are the minimum; the configuration may ask for longer ones. */
export async function submitProfile({ configFor }: Pick<World, "configFor">, submit = plain): Promise<SubmitProfile> {
  const { text_enter_delay_ms: enter, sequential_send_delay_ms: key } = (await configFor()).config.tmux_bridge;
  return {
    ...submit,
    textEnterDelayMs: Math.max(submit.textEnterDelayMs, enter),
    keyDelayMs: Math.max(submit.keyDelayMs, key),
  };
}

const plain: SubmitProfile = { textEnterDelayMs: 0, keyDelayMs: 0, dialogGraceMs: 0 };
