import { PanewardError } from "@paneward/sdk";
import type { TaskRecord, TerminalRecord } from "../model/records.ts";
import type { World } from "./world.ts";

export type Found =
  | { readonly kind: "task"; readonly task: TaskRecord }
  | { readonly kind: "terminal"; readonly terminal: TerminalRecord };

/** What a person means by an id: a task's id or slug, or a terminal's id or name. An unclear one lists the candidates. */
export function resolve(world: Pick<World, "store">, id: string): Found {
  const candidates = [
    ...world.store
      .tasks()
      .filter((task) => String(task.id) === id || task.slug === id || `${task.id}-${task.slug}` === id),
    ...world.store
      .terminals()
      .filter((terminal) => terminal.id === id || (terminal.name === id && terminal.task === undefined)),
    ...world.store.terminals().filter((terminal) => terminal.id === world.store.agent(id)?.terminal),
  ];
  if (candidates.length > 1) {
    const names = candidates.map((one) =>
      "slug" in one ? `${one.id} (task ${one.slug})` : `${one.id} (terminal ${one.name})`,
    );
    throw new PanewardError("ambiguous", `${id} could be ${names.join(" or ")}`);
  }
  const [found] = candidates;
  if (!found) throw new PanewardError("not_found", `there is no task or terminal ${JSON.stringify(id)}`);
  return "slug" in found ? { kind: "task", task: found } : { kind: "terminal", terminal: found };
}

/** Work on a task and on the terminal it runs in takes turns under one name. */
export function lockKey(world: Pick<World, "store">, id: string): string {
  const found = resolve(world, id);
  if (found.kind === "task") return `task ${found.task.id}`;
  return found.terminal.task === undefined ? `terminal ${found.terminal.id}` : `task ${found.terminal.task}`;
}

export function resolveTask(world: Pick<World, "store">, id: string): TaskRecord {
  const found = resolve(world, id);
  if (found.kind === "task") return found.task;
  if (found.terminal.task !== undefined) {
    const task = world.store.task(found.terminal.task);
    if (task) return task;
  }
  throw new PanewardError("not_found", `${id} is a terminal, not a task`);
}

/** The terminal that an id means; a task means the terminal it runs in. */
export function resolveTerminal(world: Pick<World, "store">, id: string): TerminalRecord {
  const found = resolve(world, id);
  if (found.kind === "terminal") return found.terminal;
  const terminal = found.task.terminal === undefined ? undefined : world.store.terminal(found.task.terminal);
  if (terminal) return terminal;
  throw new PanewardError("wrong_state", `task ${id} has no terminal yet`, {
    hint: `start it: \`paneward start ${id}\``,
  });
}
