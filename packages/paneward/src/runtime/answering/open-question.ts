import type { Question } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { agentIn } from "../agent-kind.ts";
import { compareHashes, screenHash } from "../attention/question-identity.ts";
import { seeScreen } from "../attention/screen.ts";
import { showsRequest } from "../attention/shows-request.ts";
import type { World } from "../world.ts";

export type LookDeps = Pick<World, "clock" | "store" | "terminals">;

/**
 * Whether the screen asks this question. One that is known from a hook alone has no lines to compare: a permission must be
 * shown with its command or its file, because the dialog before it may still be drawn.
 */
export function isSame(
  question: Pick<Question, "screenHash" | "kind" | "text" | "proposal">,
  now: ShownQuestion,
): boolean {
  if (question.screenHash !== "") return compareHashes(screenHash(now), question.screenHash) === "same";
  if (question.kind !== "permission") return question.kind === now.kind;
  const sight = showsRequest(now, question);
  return sight === "whole" || sight === "part";
}

// One that is drawn at another width meanwhile has not been answered.
function isStillThere(question: Question, now: ShownQuestion): boolean {
  const isRedrawn = question.screenHash !== "" && compareHashes(screenHash(now), question.screenHash) === "redrawn";
  return isRedrawn || isSame(question, now);
}

/** Looks until the question has left the screen or its program has ended; false when it is still there after `ms`. */
export async function isGone(
  deps: LookDeps,
  terminal: TerminalRecord,
  question: Question,
  ms: number,
): Promise<boolean> {
  const { clock, store, terminals } = deps;
  const agent = agentIn(store, terminal);
  const over = clock.monotonic() + ms;
  for (let wait = 20; ; wait = Math.min(wait * 2, 300)) {
    const record = store.terminal(terminal.id);
    if (record?.phase !== "running" || !record.place || record.place.pid !== terminal.place?.pid) return true;
    const { question: now } = (await seeScreen(terminals, record.host, record.place, agent)).seen;
    if (!now || !isStillThere(question, now)) return true;
    if (clock.monotonic() > over) return false;
    await clock.sleep(wait);
  }
}
