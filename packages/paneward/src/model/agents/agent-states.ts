import type { Agent, Turn } from "@paneward/sdk";

type State = Agent["state"];
type Said = `${Turn["actor"]}:${Turn["intent"]}`;

/**
 * What a turn makes of an agent's state; undefined when it cannot happen there, and then nothing changes.
 * The agent's own rows under idle and complete are for work without a known command: a resumed conversation, a dialog at
 * the start, a prompt typed before the daemon watched.
 */
export function nextState(state: State, { actor, intent }: Pick<Turn, "actor" | "intent">): State | undefined {
  return table[state][`${actor}:${intent}`];
}

const working = {
  "user:answer": "processing",
  "agent:progress": "processing",
  "agent:question": "awaiting_input",
  "agent:completion": "complete",
  "agent:end_of_task": "complete",
} as const;

const resting = {
  "user:command": "commanded",
  "agent:progress": "processing",
  "agent:question": "awaiting_input",
} as const;

const { "user:answer": _answer, ...commanded } = working;

const table: Readonly<Record<State, Partial<Readonly<Record<Said, State>>>>> = {
  idle: resting,
  commanded: { ...commanded, "user:command": "commanded" },
  // A prompt that is queued while the agent works begins when this turn ends.
  processing: { ...working, "user:command": "processing" },
  // Work after a question means that a hook was lost. A command instead of an answer begins a new task.
  awaiting_input: {
    "user:command": "commanded",
    "user:answer": "processing",
    "agent:progress": "processing",
    "agent:question": "awaiting_input",
    "agent:completion": "complete",
    "agent:end_of_task": "complete",
  },
  complete: { ...resting, "agent:completion": "complete" },
};
