import type { Judging } from "../attention/judge-status.ts";
import type { World } from "../world.ts";

/** The program rang: it wants attention, unless its screen says otherwise. */
export function reportBell(deps: Judging & Pick<World, "clock">, terminal: string | undefined, count: number): void {
  const record = terminal === undefined ? undefined : deps.store.terminal(terminal);
  if (!record) return;
  const task = record.task === undefined ? undefined : deps.store.task(record.task);
  if (task) deps.store.keep((writer) => writer.append("task_notified", { task: task.id, slug: task.slug, count }));
  deps.attention.report(record.id, {
    witness: "bell",
    says: "needs_input",
    at: deps.clock.monotonic(),
    rule: "the program rang the bell",
  });
}
