import { type Output, PanewardError } from "@paneward/sdk";
import { turnView } from "../agents/agent-book.ts";
import type { World } from "../world.ts";

const maxTurns = 3;
// For a phone on a slow line; `turns` has the whole conversation.
const maxTurnLength = 1_500;

/** A question with all that a person needs to answer it, in one small response. */
export function questionView({ store }: Pick<World, "store">, id: string): Omit<Output<"question">, "scope"> {
  const last_event = store.eventRange().newest;
  const question = store.question(id);
  if (!question) {
    const hint = "`paneward questions` lists what is open; a closed one is kept for a day";
    throw new PanewardError("not_found", `there is no question ${id}`, { hint });
  }
  const { terminal, task, agent } = question;
  const name = task === undefined ? store.terminal(terminal)?.name : store.task(task)?.slug;
  // The question itself is a turn too.
  const turns = agent === undefined ? [] : store.turns(agent, 20).filter((one) => one.question !== id);
  return { question, name: name ?? terminal, turns: turns.slice(-maxTurns).map(turnView).map(shortened), last_event };
}

type Turn = ReturnType<typeof turnView>;

function shortened(turn: Turn): Turn {
  const { text } = turn;
  return text.length <= maxTurnLength ? turn : { ...turn, text: `… ${text.slice(-maxTurnLength)}` };
}
