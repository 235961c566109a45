import { PanewardError, type Question } from "@paneward/sdk";
import type { ServerAsked } from "../../agents/server.ts";
import type { GivenAnswer } from "../../model/answer.ts";
import type { AgentServers } from "../witnesses/agent-servers.ts";

type Servers = Pick<AgentServers, "known" | "ask">;

/**
 * Gives an answer to the agent's own server. True when the agent took it; false when nothing was sent, so that keys may.
 * The agent takes one answer per request: a second one, by any way, is refused. `sending` is called before anything is
 * sent: a later daemon that finds this on record presses no key.
 */
export async function answerByServer(
  servers: Servers,
  question: Question,
  answer: GivenAnswer,
  sending: () => void,
): Promise<boolean> {
  const known = await servers.known(question.terminal);
  if (!known) return false;
  if (question.request === undefined) {
    // A permission that is drawn and that the agent does not wait for was answered a moment ago.
    if (question.kind === "permission" && known.state.asked.length === 0) throw changed();
    return false;
  }
  const asked = known.state.asked.find(({ id }) => id === question.request);
  // Its dialog may still be drawn: keys would go to whatever comes next.
  if (!asked) throw changed();
  const request = known.server.answer(asked, question.options, answer);
  if (!request) return false;
  sending();
  const reply = await servers.ask(question.terminal, request);
  if (reply.kind === "unreached") return false;
  if (reply.kind === "said" && reply.status < 300) return true;
  if (reply.kind === "said" && reply.status === 404) throw changed();
  // Refused for another reason: nothing was answered.
  if (reply.kind === "said" && reply.status < 500) return false;
  if (await wasTaken(servers, question.terminal, asked)) return true;
  const reason = reply.kind === "said" ? `it answered ${reply.status}` : reply.reason;
  throw new PanewardError(
    "outcome_unknown",
    `the answer was sent to the agent, and it is not known if it arrived: ${reason}`,
    {
      errorType: "send_failed",
      hint: "look at it again: `paneward questions`; what is still asked can be answered again",
    },
  );
}

async function wasTaken(servers: Servers, terminal: string, { id }: ServerAsked): Promise<boolean> {
  const state = (await servers.known(terminal))?.state;
  return state !== undefined && !state.asked.some((one) => one.id === id);
}

function changed(): PanewardError {
  return new PanewardError("conflict", "the agent no longer asks this; nothing was answered", {
    errorType: "wrong_state",
    hint: "look at it again: `paneward questions`",
  });
}
