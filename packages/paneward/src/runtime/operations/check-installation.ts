import { dirname } from "node:path";
import type { Output, Places } from "@paneward/sdk";
import { agentNamed, codingAgents } from "../../agents/registry.ts";
import { notifyProblems } from "../notify/problems.ts";
import type { Machine } from "../ports.ts";
import { hookScriptPath } from "../witnesses/hook-facts.ts";
import type { World } from "../world.ts";
import { moveItBack } from "./state-folder.ts";

export type Check = Output<"doctor">["checks"][number];

/** What only the daemon knows, or the command that asks in its place. */
interface Known {
  readonly daemon: Check;
  readonly http: readonly Check[];
  readonly database: Check;
  readonly hosts: readonly Check[];
  /** Channels of notices whose last attempt failed. */
  readonly failing: readonly string[];
}

const lowDisk = 500 * 1_048_576;
const lowFiles = 1_000;

/** All checks, in the order of printing. Needs no daemon. */
export async function checkInstallation(
  { machine, places, configFor }: Pick<World, "machine" | "places" | "configFor">,
  { daemon, http, database, hosts, failing }: Known,
): Promise<Check[]> {
  const { config, files, warnings } = await configFor();
  const agents = [...new Set([...codingAgents, ...Object.keys(config.agents)])];
  return [
    daemon,
    await program(machine, "tmux", ["-V"], "install tmux 3.2 or newer"),
    await program(machine, "git", ["--version"], "install git; tasks need it"),
    await privateFolder(machine, "daemon socket", places.socket, daemon.ok),
    await privateFolder(machine, "tmux socket", places.tmuxSocket, daemon.ok),
    ...http,
    await stateFolder(machine, places, daemon.ok),
    await disk(machine, places.home),
    database,
    { name: "log", ok: true, detail: places.log },
    { name: "configuration", ok: warnings.length === 0, detail: warnings.join("; ") || files.join(", ") || "defaults" },
    ...(await notices({ machine, configFor }, failing)),
    ...hosts,
    ...(await Promise.all(
      agents.map((name) =>
        agent(machine, name, agentNamed(name, config.agents)?.cmd[0] ?? name, name === config.agent),
      ),
    )),
  ];
}

async function program(machine: Machine, name: string, args: readonly string[], hint: string): Promise<Check> {
  const answer = await machine.ask(name, args);
  const byHand = `try it by hand: ${[name, ...args].join(" ")}`;
  switch (answer.kind) {
    case "printed":
      return { name, ok: true, detail: answer.text };
    case "missing":
      return { name, ok: false, detail: "not found on PATH", hint };
    case "silent":
      return { name, ok: false, detail: "does not answer", hint: byHand };
    case "failed":
      return { name, ok: false, detail: `fails: ${answer.reason}`, hint: byHand };
  }
}

// The daemon makes the folder when it starts.
async function privateFolder(machine: Machine, name: string, path: string, isMade: boolean): Promise<Check> {
  const folder = dirname(path);
  const mode = await machine.mode(folder);
  if (mode === undefined && !isMade) return { name, ok: true, detail: `${path}, not made yet` };
  if (mode === 0o700) return { name, ok: true, detail: path };
  const detail =
    mode === undefined ? `${path}; its folder is missing` : `${path}; its folder has mode ${mode.toString(8)}`;
  return { name, ok: false, detail, hint: `chmod 700 ${folder}` };
}

// The daemon makes what is in it when it starts, and again when others remove it.
async function stateFolder(machine: Machine, places: Places, isMade: boolean): Promise<Check> {
  const name = "state folder";
  const { home, journals } = places;
  if (!isMade) return { name, ok: true, detail: machine.isFolder(home) ? home : `${home}, not made yet` };
  if (!machine.isFolder(home)) return { name, ok: false, detail: `${home} is gone`, hint: moveItBack };
  const script = hookScriptPath(places);
  const hasScript = (await machine.mode(script)) !== undefined;
  const missing = [...(machine.isFolder(journals) ? [] : [journals]), ...(hasScript ? [] : [script])];
  if (missing.length === 0) return { name, ok: true, detail: home };
  const hint = "it is made again within seconds, unless something else is in its place: move that away";
  return { name, ok: false, detail: `${missing.join(" and ")} missing`, hint };
}

async function disk(machine: Machine, home: string): Promise<Check> {
  const { bytes, files } = await machine.free(await existing(machine, home));
  const detail = `${home}, ${Math.floor(bytes / 1_048_576)} MB free`;
  if (files < lowFiles) {
    const hint = "remove files that are not needed: output, worktrees and git's objects are kept here";
    return { name: "disk", ok: false, detail: `${detail}, but room for only ${files} more files`, hint };
  }
  if (bytes > lowDisk) return { name: "disk", ok: true, detail };
  return { name: "disk", ok: false, detail, hint: "free some space: journals and the event log are kept here" };
}

/** The folder itself, or the nearest one above it that exists. */
async function existing(machine: Machine, folder: string): Promise<string> {
  if (dirname(folder) === folder || (await machine.mode(folder)) !== undefined) return folder;
  return existing(machine, dirname(folder));
}

async function notices(
  world: Pick<World, "machine" | "configFor">,
  failing: readonly string[],
): Promise<readonly Check[]> {
  const { notify } = (await world.configFor()).config;
  const problems = [...(await notifyProblems(world)), ...failing];
  const names = Object.keys(notify.channels);
  if (problems.length === 0 && names.length === 0) return [];
  const hint =
    problems.length === 0
      ? {}
      : { hint: "`paneward notify list` says more, and `paneward notify test NAME` tries one" };
  return [{ name: "notices", ok: problems.length === 0, detail: problems.join("; ") || names.join(", "), ...hint }];
}

// A missing agent is not an error, only information.
async function agent(machine: Machine, name: string, command: string, byDefault: boolean): Promise<Check> {
  const found = await machine.ask("sh", ["-c", 'command -v "$1"', "sh", command]);
  if (found.kind === "printed" && found.text !== "") return { name: `agent ${name}`, ok: true, detail: found.text };
  const check = { name: `agent ${name}`, ok: true, missing: true, detail: "not installed" } as const;
  return byDefault ? { ...check, hint: wantedByDefault } : check;
}

const wantedByDefault =
  '`paneward new` starts this one: install it, set `agent = "NAME"` in config.toml, or use `--agent NAME`';
