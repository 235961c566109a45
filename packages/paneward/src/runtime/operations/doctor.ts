import { type ChannelViewDeps, failingChannels } from "../notify/channel-views.ts";
import type { HostInfo } from "../ports.ts";
import type { World } from "../world.ts";
import { type Check, checkInstallation } from "./check-installation.ts";

/** What a person would check by hand when something is wrong. */
export async function doctor(world: World & ChannelViewDeps): Promise<Check[]> {
  const { config } = await world.configFor();
  return checkInstallation(world, {
    daemon: { name: "daemon", ok: true, detail: `version ${world.version}, process ${process.pid}` },
    http: [http(world.httpPort(), config.web.port), ...origins(world.origins, config.web.origins)],
    database: database(world),
    hosts: (await world.terminals.hosts()).flatMap(host),
    failing: failingChannels(world),
  });
}

function http(port: number | undefined, wanted: number): Check {
  if (port !== undefined) return { name: "http", ok: true, detail: `http://127.0.0.1:${port}` };
  const detail = `port ${wanted} could not be used; the daemon's socket serves`;
  return {
    name: "http",
    ok: false,
    detail,
    hint: "set another `port` under [web] in config.toml and restart the daemon",
  };
}

function origins(inForce: readonly string[], configured: readonly string[]): readonly Check[] {
  const name = "origins";
  const missing = configured.filter((origin) => !inForce.includes(origin));
  if (missing.length > 0) {
    const detail = `${missing.join(", ")}: in config.toml since the daemon was started`;
    return [{ name, ok: false, detail, hint: "`paneward daemon restart`; programs keep running" }];
  }
  if (inForce.length === 0) return [];
  return [{ name, ok: true, detail: `${inForce.join(", ")}; \`paneward doctor --url\` checks them from outside` }];
}

function database(world: World): Check {
  const { full, isBusy, waiting } = world.store.room();
  if (full === undefined) return records(world);
  const detail = `${isBusy ? "" : "no room on the disk: "}${full}; ${waiting} changes wait in memory`;
  const first = isBusy ? `end what holds ${world.places.database}` : "free some space";
  return { name: "database", ok: false, detail, hint: `${first}; they are stored by themselves then` };
}

function records({ store, places }: World): Check {
  const name = "database";
  if (!store.isInPlace()) {
    const hint = "make its folder writable; it is written again within seconds";
    return { name, ok: false, detail: `${places.database} was removed or replaced while in use`, hint };
  }
  const damage = store.damage();
  if (damage !== undefined) {
    const hint =
      "`paneward daemon stop`, then `paneward doctor --repair` says what can be restored; programs keep running";
    return { name, ok: false, detail: `${places.database} is damaged: ${damage}`, hint };
  }
  const [newest] = store.backups();
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");
  if (newest && newest.at < store.began().began) {
    const detail = `${places.database} began empty, after the backup of ${day(newest.at)}`;
    const hint = "`paneward daemon stop`, then `paneward doctor --repair` restores the backup";
    return { name, ok: false, detail, hint };
  }
  const backup = newest ? `last backup ${day(newest.at)}` : "no backup yet";
  const setAside = store.setAside();
  const spoiled = setAside === 0 ? "" : `, ${setAside} unreadable records in the table set_aside`;
  return { name, ok: true, detail: `${places.database}, ${backup}${spoiled}` };
}

// This machine's tmux is checked above. A host that was never used was not tried.
function host({ name, prefix, state, reason }: HostInfo): readonly Check[] {
  if (prefix.length === 0 || state === "not_used") return [];
  const ok = state === "connected" || state === "connecting";
  const detail = reason === undefined ? state : `${state}: ${reason}`;
  return [
    { name: `host ${name}`, ok, detail, ...(ok ? {} : { hint: `try it by hand: ${[...prefix, "true"].join(" ")}` }) },
  ];
}
