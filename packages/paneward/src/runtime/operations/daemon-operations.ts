import { agentNames } from "../../agents/registry.ts";
import { sharedRun } from "../../model/shared-run.ts";
import type { Handlers } from "../calls.ts";
import { type ChannelViewDeps, failingChannels } from "../notify/channel-views.ts";
import { notifyProblems, withoutChannelSecrets } from "../notify/problems.ts";
import type { World } from "../world.ts";
import { doctor } from "./doctor.ts";

/** Operations on the daemon itself. */
export function daemonOperations(world: World & ChannelViewDeps) {
  // It starts a dozen programs, so callers at the same time share one run.
  const checks = sharedRun(() => doctor(world));
  // It asks other machines whether they can be reached.
  const ofNotices = sharedRun(() => notifyProblems(world));
  return {
    ping: async ({ wait }, { signal }) => {
      if (wait > 0) await world.clock.sleep(wait * 1_000, signal);
      return {
        pong: true,
        version: world.version,
        pid: process.pid,
        startedAt: world.startedAt,
        lastEvent: world.store.eventRange().newest,
      };
    },
    shutdown: async () => {
      world.shutdown();
      return { stopping: true, pid: process.pid };
    },
    doctor: async () => ({ checks: await checks() }),
    config: async ({ root }) => {
      const { config, files, warnings } = await world.configFor(root);
      return {
        config: { ...config, notify: { ...config.notify, channels: withoutChannelSecrets(config.notify.channels) } },
        agents: [...agentNames(config.agents)],
        files: [...files],
        warnings: [...warnings, ...(await ofNotices()), ...failingChannels(world)],
      };
    },
    hosts: async () => ({
      hosts: (await world.terminals.hosts()).map((host) => ({ ...host, prefix: [...host.prefix] })),
    }),
  } satisfies Partial<Handlers>;
}
