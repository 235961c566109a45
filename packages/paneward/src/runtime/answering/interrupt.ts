import { setTimeout as delay } from "node:timers/promises";
import { type Output, PanewardError } from "@paneward/sdk";
import { agentIn } from "../agent-kind.ts";
import type { Attention } from "../attention/attention.ts";
import type { Caller } from "../calls.ts";
import type { Courier } from "../courier/courier.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import { resolveTerminal } from "../resolve.ts";
import { requireRunning } from "../running.ts";
import type { AgentServers } from "../witnesses/agent-servers.ts";
import type { World } from "../world.ts";

export interface InterruptDeps extends World {
  readonly attention: Attention;
  readonly questions: QuestionBook;
  readonly servers: AgentServers;
  readonly courier: Pick<Courier, "send">;
}

/** Ends an agent's turn: over its own HTTP, else by the keys that it takes for that. Returns when it works no more. */
export async function interrupt(deps: InterruptDeps, id: string, caller: Caller): Promise<Output<"interrupt">> {
  const { id: terminal } = requireRunning(resolveTerminal(deps, id));
  const record = requireRunning(deps.store.terminal(terminal));
  const keys = agentIn(deps.store, record)?.interrupt;
  if (!keys) {
    throw new PanewardError("wrong_state", `${record.name} is no agent whose turn could be ended`, {
      hint: `press what it takes for that: \`paneward send ${id} --key C-c\``,
    });
  }
  if (deps.questions.of(terminal)) {
    throw new PanewardError("wrong_state", "it asks something and does not work", {
      hint: `answer it: \`paneward respond ${id} --option N\``,
    });
  }
  const known = await deps.servers.known(terminal);
  if (!works(deps, terminal) && known?.server.reads(known.state)?.told.says !== "working") {
    return { id: terminal, interrupted: false };
  }
  const request = known?.server.interrupt(known.state);
  if (
    request &&
    (await deps.servers.ask(terminal, request)).kind === "said" &&
    (await rests(deps, terminal, httpMs, caller))
  ) {
    return { id: terminal, interrupted: true, by: "http" };
  }
  // What ends a turn may be told twice, as no answer may.
  await deps.courier.send({ id: terminal, keys: [...keys], enter: false, ack: 0, force: false }, caller);
  if (await rests(deps, terminal, keysMs, caller)) return { id: terminal, interrupted: true, by: "keys" };
  throw new PanewardError("outcome_unknown", "it was told to end its turn and still works", {
    hint: `look at it: \`paneward screen ${id}\``,
  });
}

/** Waits until it works no more; false when that takes too long. */
async function rests(deps: InterruptDeps, terminal: string, ms: number, { signal }: Caller): Promise<boolean> {
  const over = performance.now() + ms;
  while (works(deps, terminal)) {
    if (performance.now() > over || signal?.aborted) return false;
    await delay(50);
  }
  return true;
}

function works(deps: InterruptDeps, terminal: string): boolean {
  return deps.attention.attention(terminal)?.says === "working";
}

const httpMs = 10_000;
const keysMs = 15_000;
