import type { Store } from "../runtime/ports.ts";

/** Numbers for /metrics. */
export function gauges(
  store: Pick<Store, "tasks" | "terminals">,
  hooksWaiting: number,
): Readonly<Record<string, number>> {
  const terminals = store.terminals();
  return {
    terminals: terminals.length,
    terminals_running: terminals.filter(({ phase }) => phase === "running").length,
    tasks: store.tasks().length,
    hooks_waiting: hooksWaiting,
  };
}
