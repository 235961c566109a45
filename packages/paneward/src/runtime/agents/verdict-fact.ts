import type { Agent, Question } from "@paneward/sdk";
import type { Fact } from "../../model/agents/conversation.ts";
import { questionWords } from "../../model/agents/question-words.ts";
import type { AttentionChange } from "../../model/attention/change.ts";

/** What a changed verdict means for an agent in this state; undefined when it changes nothing in the conversation. */
export function verdictFact(
  state: Agent["state"],
  change: AttentionChange,
  question: Question | undefined,
): Omit<Fact, "way"> | undefined {
  const own = agentsOwn.includes(change.why.source);
  // A new agent shows an idle input line for a moment before it takes the prompt that it was started with.
  const busy = state === "processing" || (state === "commanded" && change.hasBegun);
  if (change.says === "needs_input" && question !== undefined) {
    return { actor: "agent", intent: "question", text: questionWords(question), question: question.id };
  }
  if (change.says === "working") {
    if (state === "awaiting_input") return { actor: "agent", intent: "progress" };
    return own && state !== "processing" ? { actor: "agent", intent: "progress" } : undefined;
  }
  if (change.says !== "idle") return undefined;
  if (state === "awaiting_input") return { actor: "agent", intent: "end_of_task", text: "the question was dismissed" };
  return own && busy && change.detail === undefined ? { actor: "agent", intent: "completion" } : undefined;
}

/** Output alone does not prove that an agent works: it may only redraw its screen. */
const agentsOwn = ["hook", "event_stream", "extension", "state_file", "screen", "title", "osc"];
