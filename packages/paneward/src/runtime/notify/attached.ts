import { within } from "../within.ts";
import type { World } from "../world.ts";
import type { Presence } from "./presence.ts";

/** Asks tmux which terminals people are attached to and use. What cannot be asked in time is not looked at. */
export async function lookAtClients(
  world: Pick<World, "store" | "terminals" | "clock">,
  presence: Presence,
): Promise<void> {
  const { store, terminals, clock } = world;
  const running = store.terminals().filter(({ phase, place }) => phase === "running" && place);
  const hosts = [...new Set(running.map(({ host }) => host))];
  const asking = hosts.map(async (host) => {
    const clients = await terminals.clients(host).catch(() => []);
    for (const { client, session, pane, usedAt } of clients) {
      const seen = running.filter(
        (one) => one.host === host && (one.adopted ? one.place?.pane === pane : one.place?.session === session),
      );
      const ids = seen.flatMap(({ id, task }) => [id, ...(task === undefined ? [] : [String(task)])]);
      const left = usedAt + looksForMs - clock.now();
      presence.sees(
        `tmux ${host} ${client}`,
        ids,
        ids.length === 0 ? 0 : Math.min(Math.max(0, left), looksForMs) / 1_000,
      );
    }
  });
  await within(clock, Promise.all(asking), maxAskMs);
}

/** A person who typed nothing for this long may have left. */
const looksForMs = 120_000;
const maxAskMs = 500;
