import { type DaemonArena, openIdle } from "./daemon-arena.ts";
import { exitToClient } from "./exit-to-client.ts";
import { idle } from "./idle.ts";
import { joined, type Result } from "./result.ts";

/** What changes as more terminals are open. */
export async function crowd(arena: DaemonArena): Promise<Result> {
  const results = [await idle(arena, 0)];
  let open = 0;
  for (const { terminals, ends } of stages) {
    await openIdle(arena, terminals - open);
    open = terminals;
    if (terminals > 1) results.push(await idle(arena, terminals));
    results.push(await exitToClient(arena, terminals, ends));
  }
  return joined(results);
}

const stages = [
  { terminals: 1, ends: 200 },
  { terminals: 100, ends: 200 },
  { terminals: 1_000, ends: 100 },
];
