import type { Handlers } from "../handlers.ts";
import type { Runtime } from "../world.ts";
import { doctor } from "./doctor.ts";

/** About the daemon itself. */
export function daemonOperations(rt: Runtime) {
  return {
    ping: async () => ({
      pong: true,
      version: rt.version,
      pid: process.pid,
      startedAt: rt.startedAt,
      lastEvent: rt.store.eventRange().newest,
    }),
    shutdown: async () => {
      rt.shutdown();
      return { stopping: true, pid: process.pid };
    },
    doctor: async () => ({ checks: await doctor(rt) }),
    config: async ({ root }) => {
      const { config, files, warnings } = await rt.configFor(root);
      return { config: { ...config }, files: [...files], warnings: [...warnings] };
    },
    hosts: async () => ({
      hosts: (await rt.terminals.hosts()).map((host) => ({ ...host, prefix: [...host.prefix] })),
    }),
  } satisfies Partial<Handlers>;
}
