import { type OperationName, PanewardError } from "@paneward/sdk";
import type { Handlers } from "../calls.ts";
import type { World } from "../world.ts";

/** What these do needs the state folder: they make something in it, or look into a worktree. */
const stateFolderOperations = [
  "run",
  "attachment_add",
  "restart",
  "attach",
  "rm",
  "new",
  "start",
  "reset",
  "merge",
  "diff",
  "bootstrap",
  "undo",
  "capability",
] as const satisfies readonly OperationName[];

type StateWorld = Pick<World, "machine" | "places">;

/**
 * The same handlers; those that need the state folder refuse to work while others have moved it away. What is open in it
 * stays open, so nothing is lost when it comes back, unless something else is made in its place.
 */
export function withStateFolder<Some extends Partial<Handlers>>(world: StateWorld, handlers: Some): Some {
  const wrapped = stateFolderOperations.flatMap((name) => {
    // TypeScript cannot connect a name with the types of its handler.
    const handler = handlers[name] as ((...args: readonly unknown[]) => Promise<unknown>) | undefined;
    if (!handler) return [];
    const guarded = async (...args: readonly unknown[]) => {
      const trouble = stateFolderTrouble(world);
      if (trouble !== undefined) throw new PanewardError("unavailable", trouble, { hint: moveItBack });
      return handler(...args);
    };
    return [[name, guarded]];
  });
  return { ...handlers, ...Object.fromEntries(wrapped) };
}

export function stateFolderTrouble({ machine, places }: StateWorld): string | undefined {
  return machine.isFolder(places.home) ? undefined : `the state folder ${places.home} is gone`;
}

export const moveItBack = "move it back: nothing is lost then; if it was removed, make an empty one with mode 700";
