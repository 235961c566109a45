import type { Agent } from "../shapes.ts";
import { type Handlers, noChange } from "./handlers.ts";
import { changed, type View, withStale } from "./view.ts";

type HandledEvent = "session_created" | "session_ended" | "state_changed" | "turn_created" | "commander_availability";

export const agentHandlers: Handlers<HandledEvent> = {
  session_created: (view, { name }) => withStale(view, "now", `${name} began`),
  session_ended: (view, { agent }, at) =>
    change(view, agent, (one) => ({ ...one, state: "complete", stateSince: at, timed_out: false, endedAt: at })),
  state_changed: (view, { agent, state }, at) =>
    change(view, agent, (one) => ({ ...one, state, stateSince: at, timed_out: false })),
  turn_created: noChange,
  commander_availability: (view, { agent_id, available }) =>
    change(view, agent_id, (one) => ({ ...one, commander_available: available })),
};

function change(view: View, id: string, how: (agent: Agent) => Agent): View {
  return { ...view, agents: changed(view.agents, id, how) };
}
