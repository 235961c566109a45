import type { Question } from "@paneward/sdk";
import type { ShownQuestion } from "../../agents/agent.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { agentIn } from "../agent-kind.ts";
import { compareHashes, screenHash } from "../attention/question-identity.ts";
import { readScreen } from "../attention/screen.ts";
import type { World } from "../world.ts";

export type LookDeps = Pick<World, "clock" | "store" | "terminals">;

/** Whether the screen asks this question. One that is known from a hook alone has no lines to compare, only its kind. */
export function isSame(question: Pick<Question, "screenHash" | "kind">, now: ShownQuestion): boolean {
  return question.screenHash === ""
    ? question.kind === now.kind
    : compareHashes(screenHash(now), question.screenHash) === "same";
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
    const { question: now } = readScreen(agent, await terminals.look(record.host, record.place));
    if (!now || !isSame(question, now)) return true;
    if (clock.monotonic() > over) return false;
    await clock.sleep(wait);
  }
}
