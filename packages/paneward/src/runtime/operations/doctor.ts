import type { Output } from "@paneward/sdk";
import { agentNamed, codingAgents } from "../../agents/registry.ts";
import type { HostInfo, Machine } from "../ports.ts";
import type { World } from "../world.ts";

type Check = Output<"doctor">["checks"][number];

const lowDisk = 500 * 1_048_576;

/** What a person would check by hand when something is wrong. */
export async function doctor(world: World): Promise<Check[]> {
  const { machine, places } = world;
  const { config, files, warnings } = await world.configFor();
  const agents = [...new Set([...codingAgents, ...Object.keys(config.agents)])];
  return [
    { name: "daemon", ok: true, detail: `version ${world.version}, process ${process.pid}` },
    await program(machine, "tmux", ["-V"], "install tmux 3.2 or newer"),
    await program(machine, "git", ["--version"], "install git; tasks need it"),
    await privateFolder(machine, "daemon socket", places.socket),
    await privateFolder(machine, "tmux socket", places.tmuxSocket),
    http(world.httpPort(), config.web.port),
    await disk(machine, places.home),
    database(world),
    { name: "log", ok: true, detail: places.log },
    { name: "configuration", ok: warnings.length === 0, detail: warnings.join("; ") || files.join(", ") || "defaults" },
    ...(await world.terminals.hosts()).flatMap(host),
    ...(await Promise.all(
      agents.map((name) =>
        agent(machine, name, agentNamed(name, config.agents)?.cmd[0] ?? name, name === config.agent),
      ),
    )),
  ];
}

async function program(machine: Machine, name: string, args: readonly string[], hint: string): Promise<Check> {
  const printed = await machine.printed(name, args);
  return printed === undefined
    ? { name, ok: false, detail: "not found on PATH", hint }
    : { name, ok: true, detail: printed };
}

async function privateFolder(machine: Machine, name: string, path: string): Promise<Check> {
  const folder = path.slice(0, path.lastIndexOf("/"));
  const mode = await machine.mode(folder);
  if (mode === 0o700) return { name, ok: true, detail: path };
  const detail =
    mode === undefined ? `${path}; its folder is missing` : `${path}; its folder has mode ${mode.toString(8)}`;
  return { name, ok: false, detail, hint: `chmod 700 ${folder}` };
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

async function disk(machine: Machine, home: string): Promise<Check> {
  const free = await machine.freeBytes(home);
  const detail = `${home}, ${Math.floor(free / 1_048_576)} MB free`;
  if (free > lowDisk) return { name: "disk", ok: true, detail };
  return { name: "disk", ok: false, detail, hint: "free some space: journals and the event log are kept here" };
}

function database(world: World): Check {
  const { full, waiting } = world.store.room();
  if (full === undefined) return records(world);
  const detail = `no room on the disk: ${full}; ${waiting} changes wait in memory`;
  return { name: "database", ok: false, detail, hint: "free some space; they are stored by themselves then" };
}

function records({ store, places }: World): Check {
  const name = "database";
  if (!store.isInPlace()) {
    const hint = "make its folder writable; it is written again within seconds";
    return { name, ok: false, detail: `${places.database} was removed or replaced while in use`, hint };
  }
  const [newest] = store.backups();
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace("T", " ");
  if (newest && newest.at < store.began().began) {
    const detail = `${places.database} began empty, after the backup of ${day(newest.at)}`;
    const hint = "`paneward daemon stop`, then `paneward doctor --repair` restores the backup";
    return { name, ok: false, detail, hint };
  }
  const backup = newest ? `last backup ${day(newest.at)}` : "no backup yet";
  return { name, ok: true, detail: `${places.database}, ${backup}` };
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

// A missing agent is not an error, only information.
async function agent(machine: Machine, name: string, command: string, byDefault: boolean): Promise<Check> {
  const found = await machine.printed("sh", ["-c", 'command -v "$1"', "sh", command]);
  const check = { name: `agent ${name}`, ok: true, detail: found || "not installed" };
  return found || !byDefault ? check : { ...check, hint: wantedByDefault };
}

const wantedByDefault =
  '`paneward new` starts this one: install it, set `agent = "NAME"` in config.toml, or use `--agent NAME`';
