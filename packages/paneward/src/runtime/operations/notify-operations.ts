import type { Handlers } from "../calls.ts";
import type { Presence } from "../notify/presence.ts";
import { resolve } from "../resolve.ts";
import type { World } from "../world.ts";

export interface NotifyDeps extends World {
  readonly presence: Presence;
}

/** Notices: what is told to people outside, and through which channels. */
export function notifyOperations(deps: NotifyDeps) {
  const { presence } = deps;
  return {
    presence: async ({ viewer, sees, seconds }, { who, door }) => {
      const ids = sees?.flatMap((id) => idsOf(deps, id));
      presence.sees(`${who} ${door} ${viewer}`, ids, seconds);
      return { noted: true };
    },
  } satisfies Partial<Handlers>;
}

/** A task and its terminal are looked at together. What is gone meanwhile is looked at by nobody. */
function idsOf(deps: Pick<World, "store">, id: string): readonly string[] {
  try {
    const found = resolve(deps, id);
    if (found.kind === "terminal") return [found.terminal.id, String(found.terminal.task ?? "")];
    return [String(found.task.id), found.task.terminal ?? ""];
  } catch {
    return [];
  }
}
