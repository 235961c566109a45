import { setTimeout as delay } from "node:timers/promises";
import { wellFormed } from "@paneward/sdk";
import { glance } from "../../runtime/operations/activity-operations.ts";
import type { OutputCounts } from "../../runtime/output/output-counts.ts";
import type { World } from "../../runtime/world.ts";
import type { SocketRoute } from "./upgrades.ts";

const everyMs = 1_000;

/** Every second, the terminals with new output and their last lines. Without output, it does nothing. */
export function activitySocket(world: World, counts: OutputCounts): SocketRoute {
  return {
    path: /^\/api\/activity\/ws$/,
    async open(socket) {
      const busy = new Set<string>();
      let wake: () => void = () => {};
      const stop = counts.onOutput((terminal) => {
        busy.add(terminal);
        wake();
      });
      socket.signal.addEventListener("abort", () => wake());
      try {
        while (!socket.signal.aborted) {
          if (busy.size === 0) await new Promise<void>((resolve) => (wake = resolve));
          await delay(everyMs, undefined, { signal: socket.signal }).catch(() => {});
          const records = [...busy].flatMap((id) => world.store.terminal(id) ?? []);
          busy.clear();
          const rows = await Promise.all(records.map((record) => glance(world, counts, record)));
          const minute = counts.thisMinute() * 60_000;
          if (rows.length > 0 && !(await socket.send(JSON.stringify(wellFormed({ minute, terminals: rows }))))) return;
        }
      } finally {
        stop();
      }
    },
  };
}
