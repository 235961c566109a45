import type { Runtime } from "../world.ts";

/** The program rang: it wants somebody, if nothing on its screen says otherwise. */
export function hearBell(rt: Runtime, terminal: string | undefined, count: number): void {
  const record = terminal === undefined ? undefined : rt.store.terminal(terminal);
  if (!record) return;
  const task = record.task === undefined ? undefined : rt.store.task(record.task);
  if (task) rt.store.write((writer) => writer.append("task_notified", { task: task.id, slug: task.slug, count }));
  rt.attention.hear(record.id, {
    witness: "bell",
    says: "needs_input",
    at: rt.clock.now(),
    rule: "the program rang the bell",
  });
}
