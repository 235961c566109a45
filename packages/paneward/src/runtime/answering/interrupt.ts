import { type Output, PanewardError } from "@paneward/sdk";
import { restsByHttpMs, restsByKeysMs } from "../../model/timing.ts";
import { agentIn } from "../agent-kind.ts";
import type { Attention } from "../attention/attention.ts";
import type { Caller } from "../calls.ts";
import type { Courier } from "../courier/courier.ts";
import type { QuestionBook } from "../questions/question-book.ts";
import { resolveTerminal } from "../resolve.ts";
import { requireRunning } from "../running.ts";
import type { AgentServers } from "../witnesses/agent-servers.ts";
import type { World } from "../world.ts";

export interface InterruptDeps extends Pick<World, "clock" | "store"> {
  readonly attention: Pick<Attention, "attention">;
  readonly questions: Pick<QuestionBook, "of">;
  readonly servers: Pick<AgentServers, "known" | "ask">;
  readonly courier: Pick<Courier, "send">;
}

/** Ends an agent's turn: over its own HTTP, else by its interrupt keys. Returns when it rests. */
export async function interrupt(deps: InterruptDeps, id: string, caller: Caller): Promise<Output<"interrupt">> {
  const { id: terminal } = requireRunning(resolveTerminal(deps, id));
  const record = requireRunning(deps.store.terminal(terminal));
  const keys = agentIn(deps.store, record)?.interrupt;
  if (!keys) {
    throw new PanewardError("wrong_state", `${record.name} is not an agent; only an agent's turn can be interrupted`, {
      hint: `to stop a program, press its key: \`paneward send ${id} --key C-c\``,
    });
  }
  if (deps.questions.of(terminal)) {
    throw new PanewardError("wrong_state", "it is waiting for an answer; nothing to interrupt", {
      hint: `answer it: \`paneward respond ${id} --option N\``,
    });
  }
  const known = await deps.servers.known(terminal);
  if (!works(deps, terminal) && known?.server.reads(known.state)?.reading.says !== "working") {
    return { id: terminal, interrupted: false };
  }
  const request = known?.server.interrupt(known.state);
  if (
    request &&
    (await deps.servers.ask(terminal, request)).kind === "said" &&
    (await rests(deps, terminal, restsByHttpMs, caller))
  ) {
    return { id: terminal, interrupted: true, by: "http" };
  }
  // An interrupt, unlike an answer, may be given twice.
  await deps.courier.send(
    { id: terminal, keys: [...keys], enter: false, ack: 0, force: false, command: false },
    caller,
  );
  if (await rests(deps, terminal, restsByKeysMs, caller)) return { id: terminal, interrupted: true, by: "keys" };
  throw new PanewardError("outcome_unknown", "the interrupt keys were pressed, but the agent is still working", {
    hint: `look at it: \`paneward screen ${id}\``,
  });
}

/** Waits until it rests; false when that takes too long. */
async function rests(deps: InterruptDeps, terminal: string, ms: number, { signal }: Caller): Promise<boolean> {
  const over = deps.clock.monotonic() + ms;
  while (works(deps, terminal)) {
    if (deps.clock.monotonic() > over || signal?.aborted) return false;
    await deps.clock.sleep(50);
  }
  return true;
}

function works(deps: InterruptDeps, terminal: string): boolean {
  return deps.attention.attention(terminal)?.says === "working";
}
