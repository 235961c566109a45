import { setTimeout as delay } from "node:timers/promises";
import { type Output, PanewardError } from "@paneward/sdk";
import { agentIn } from "../agent-kind.ts";
import type { Courier } from "../courier/courier.ts";
import { resolveTerminal } from "../resolve.ts";
import { requireRunning } from "../running.ts";
import type { Caller, Runtime } from "../world.ts";

/** Ends an agent's turn: over its own HTTP, else by the keys that it takes for that. Returns when it works no more. */
export async function interrupt(
  rt: Runtime,
  courier: Pick<Courier, "send">,
  id: string,
  caller: Caller,
): Promise<Output<"interrupt">> {
  const { id: terminal } = requireRunning(resolveTerminal(rt, id));
  const record = requireRunning(rt.store.terminal(terminal));
  const keys = agentIn(rt.store, record)?.interrupt;
  if (!keys) {
    throw new PanewardError("wrong_state", `${record.name} is no agent whose turn could be ended`, {
      hint: `press what it takes for that: \`paneward send ${id} --key C-c\``,
    });
  }
  if (rt.questions.of(terminal)) {
    throw new PanewardError("wrong_state", "it asks something and does not work", {
      hint: `answer it: \`paneward respond ${id} --option N\``,
    });
  }
  const known = await rt.servers.known(terminal);
  if (!works(rt, terminal) && known?.server.reads(known.state)?.told.says !== "working") {
    return { id: terminal, interrupted: false };
  }
  const request = known?.server.interrupt(known.state);
  if (
    request &&
    (await rt.servers.ask(terminal, request)).kind === "said" &&
    (await rests(rt, terminal, httpMs, caller))
  ) {
    return { id: terminal, interrupted: true, by: "http" };
  }
  // What ends a turn may be told twice, as no answer may.
  await courier.send({ id: terminal, keys: [...keys], enter: false, ack: 0, force: false }, caller);
  if (await rests(rt, terminal, keysMs, caller)) return { id: terminal, interrupted: true, by: "keys" };
  throw new PanewardError("outcome_unknown", "it was told to end its turn and still works", {
    hint: `look at it: \`paneward screen ${id}\``,
  });
}

/** Waits until it works no more; false when that takes too long. */
async function rests(rt: Runtime, terminal: string, ms: number, { signal }: Caller): Promise<boolean> {
  const over = performance.now() + ms;
  while (works(rt, terminal)) {
    if (performance.now() > over || signal?.aborted) return false;
    await delay(50);
  }
  return true;
}

function works(rt: Runtime, terminal: string): boolean {
  return rt.attention.attention(terminal)?.says === "working";
}

const httpMs = 10_000;
const keysMs = 15_000;
