import assert from "node:assert/strict";
import { test } from "node:test";
import { nextState } from "./agent-states.ts";

const agentStates = ["idle", "commanded", "processing", "awaiting_input", "complete"] as const;
const turnIntents = ["command", "answer", "question", "completion", "progress", "end_of_task"] as const;

const rows = `
idle            user:command       commanded
idle            agent:progress     processing
idle            agent:question     awaiting_input
commanded       user:command       commanded
commanded       agent:progress     processing
commanded       agent:question     awaiting_input
commanded       agent:completion   complete
commanded       agent:end_of_task  complete
processing      user:command       processing
processing      user:answer        processing
processing      agent:progress     processing
processing      agent:question     awaiting_input
processing      agent:completion   complete
processing      agent:end_of_task  complete
awaiting_input  user:command       commanded
awaiting_input  user:answer        processing
awaiting_input  agent:progress     processing
awaiting_input  agent:question     awaiting_input
awaiting_input  agent:completion   complete
awaiting_input  agent:end_of_task  complete
complete        user:command       commanded
complete        agent:progress     processing
complete        agent:question     awaiting_input
complete        agent:completion   complete
`;

test("these turns move an agent from state to state, and no others", () => {
  const expected = new Map(
    rows
      .trim()
      .split("\n")
      .map((row) => row.split(/\s+/))
      .map(([state, said, next]) => [`${state} ${said}`, next]),
  );
  for (const state of agentStates) {
    for (const actor of ["user", "agent"] as const) {
      for (const intent of turnIntents) {
        const name = `${state} ${actor}:${intent}`;
        assert.equal(nextState(state, { actor, intent }), expected.get(name), name);
      }
    }
  }
});
