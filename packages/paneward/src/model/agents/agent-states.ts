import type { Agent, Turn } from "@paneward/sdk";

type State = Agent["state"];
type Said = `${Turn["actor"]}:${Turn["intent"]}`;

/**
 * What a turn makes of an agent's state; undefined when it cannot happen there, and then nothing changes.
 * The rows of idle and complete for the agent's own words are for work that nobody was seen to command: a conversation
 * that is gone on with, a dialog at the start, a prompt typed before anybody watched.
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
  // A hook was lost: whoever goes on working asks no more. A command instead of an answer begins a new task.
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
