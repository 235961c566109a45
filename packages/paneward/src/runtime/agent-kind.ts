import type { Agent } from "../agents/agent.ts";
import { agentNamed, codingAgents, unknownAgent } from "../agents/registry.ts";
import type { TerminalRecord } from "../model/records.ts";
import type { Store } from "./ports.ts";
import type { World } from "./world.ts";

/** Which agent runs in a terminal: the task's, or the program itself if it is a known agent. */
export function agentKind(store: Pick<Store, "task">, { task, argv }: TerminalRecord): string | undefined {
  if (task !== undefined) return store.task(task)?.agent;
  const [program = "", script = ""] = argv.map((word) => word.split("/").at(-1) ?? "");
  const name = /^(node|bun|deno)$/.test(program) ? script.replace(/\.[cm]?js$/, "") : program;
  return codingAgents.includes(name) ? name : undefined;
}

/** Its description. An agent that only the configuration names has no reader; the general one reads its screen. */
export function agentIn(store: Pick<Store, "task">, terminal: TerminalRecord): Agent | undefined {
  const kind = agentKind(store, terminal);
  return kind === undefined ? undefined : agentNamed(kind, {});
}

/** How text is brought to it. For an agent that only the configuration names, the user's own file says whether that is plain. */
export async function deliveryAgent(
  { store, configFor }: Pick<World, "store" | "configFor">,
  terminal: TerminalRecord,
): Promise<Agent | undefined> {
  const kind = agentKind(store, terminal);
  const known = agentIn(store, terminal);
  return known || kind === undefined ? known : unknownAgent(kind, (await configFor()).config.agents);
}
