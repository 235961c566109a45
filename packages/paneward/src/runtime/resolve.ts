import { PanewardError } from "@paneward/sdk";
import type { TaskRecord, TerminalRecord } from "../model/records.ts";
import type { World } from "./world.ts";

export type Found =
  | { readonly kind: "task"; readonly task: TaskRecord }
  | { readonly kind: "terminal"; readonly terminal: TerminalRecord };

/** What an id means: a task by its id or slug, a terminal by its id or name. An ambiguous id lists the candidates. */
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
  if (!found) throw notFound(id);
  return "slug" in found ? { kind: "task", task: found } : { kind: "terminal", terminal: found };
}

/** The same task or terminal as it is now. Throws `not_found` when it was removed meanwhile. */
export function current({ store }: Pick<World, "store">, found: Found): Found {
  const [id, record] =
    found.kind === "task"
      ? [String(found.task.id), store.task(found.task.id)]
      : [found.terminal.id, store.terminal(found.terminal.id)];
  if (!record) throw notFound(id);
  return "slug" in record ? { kind: "task", task: record } : { kind: "terminal", terminal: record };
}

/** Work on a task and on the terminal it runs in happens one after the other, under one name. */
export function lockKey(found: Found): string {
  if (found.kind === "task") return `task ${found.task.id}`;
  return found.terminal.task === undefined ? `terminal ${found.terminal.id}` : `task ${found.terminal.task}`;
}

/** The task, or the task that runs in the terminal. */
export function taskOf({ store }: Pick<World, "store">, found: Found): TaskRecord {
  if (found.kind === "task") return found.task;
  const { id, task } = found.terminal;
  const record = task === undefined ? undefined : store.task(task);
  if (record) return record;
  throw new PanewardError("not_found", `${id} is a terminal, not a task`);
}

/** The terminal, or the terminal that the task runs in. */
export function terminalOf({ store }: Pick<World, "store">, found: Found): TerminalRecord {
  if (found.kind === "terminal") return found.terminal;
  const { id, terminal } = found.task;
  const record = terminal === undefined ? undefined : store.terminal(terminal);
  if (record) return record;
  throw new PanewardError("wrong_state", `task ${id} has no terminal yet`, {
    hint: `start it: \`paneward start ${id}\``,
  });
}

export function resolveTask(world: Pick<World, "store">, id: string): TaskRecord {
  return taskOf(world, resolve(world, id));
}

export function resolveTerminal(world: Pick<World, "store">, id: string): TerminalRecord {
  return terminalOf(world, resolve(world, id));
}

function notFound(id: string): PanewardError {
  return new PanewardError("not_found", `there is no task or terminal ${JSON.stringify(id)}`);
}
