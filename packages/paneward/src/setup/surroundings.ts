import { constants } from "node:fs";
import { access, mkdtemp, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { readForeign } from "@paneward/sdk/node/files";
import { agentNamed, codingAgents } from "../agents/registry.ts";
import { machine } from "../system/machine.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A program on the PATH. */
export interface Program {
  readonly name: string;
  readonly path?: string;
  readonly version?: string;
  /** What is wrong with it, and what to do. */
  readonly problem?: string;
}

export interface Surroundings {
  /** Our own command: what else is set up calls it by its name. */
  readonly paneward: Program;
  readonly tmux: Program;
  readonly git: Program;
  readonly agents: readonly Program[];
  readonly shells: readonly Program[];
  /** The shell of this user, if it is one that completes. */
  readonly ownShell: string | undefined;
}

/** Finds the programs that Paneward needs and those it works with. Nothing is changed. */
export async function lookAround(env: Environment, agents: Parameters<typeof agentNamed>[1]): Promise<Surroundings> {
  const folder = await mkdtemp(join(tmpdir(), "paneward-look-"));
  try {
    const found = (name: string, command = name, flag = "--version") => lookFor(name, command, flag, env, folder);
    const names = [...new Set([...codingAgents, ...Object.keys(agents)])];
    const [tmux, git, ...others] = await Promise.all([
      found("tmux", "tmux", "-V"),
      found("git"),
      ...names.map((name) => found(name, agentNamed(name, agents)?.cmd[0] ?? name)),
      ...shells.map((name) => found(name)),
    ]);
    return {
      paneward: { name: "paneward", ...pathIn(await onPath("paneward", env.PATH ?? "")) },
      tmux: { ...tmux, ...required(tmux, "3.2") },
      git: { ...git, ...required(git, "2.32") },
      agents: others.slice(0, names.length),
      shells: others.slice(names.length),
      ownShell: shells.find((name) => name === basename(env.SHELL ?? "")),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const shells: readonly string[] = ["bash", "zsh", "fish"];

async function lookFor(
  name: string,
  command: string,
  flag: string,
  env: Environment,
  folder: string,
): Promise<Program> {
  const path = await onPath(command, env.PATH ?? "");
  if (path === undefined) return { name };
  const version = (await packagedVersion(path)) ?? (await saidVersion(path, flag, env, folder));
  return { name, path, ...(version === undefined ? {} : { version }) };
}

function pathIn(path: string | undefined): Pick<Program, "path" | "problem"> {
  return path === undefined ? { problem: "not on your PATH, where completion and agents look for it" } : { path };
}

async function onPath(command: string, path: string): Promise<string | undefined> {
  const places = command.includes("/") ? [resolve(command)] : path.split(":").map((folder) => join(folder, command));
  for (const place of places) {
    const isFile = isAbsolute(place) && (await stat(place).catch(() => undefined))?.isFile();
    if (
      isFile &&
      (await access(place, constants.X_OK).then(
        () => true,
        () => false,
      ))
    )
      return place;
  }
  return undefined;
}

/** Of what npm installed, and of what keeps each version in a folder of its own: without starting it, which may take a second. */
async function packagedVersion(path: string): Promise<string | undefined> {
  const file = await realpath(path);
  const [, inPath] = /[/@]v?(\d+\.\d+\.\d+[\w.-]*)(?=\/|$)/.exec(file) ?? [];
  if (inPath !== undefined) return inPath;
  let folder = dirname(file);
  for (let steps = 0; steps < 4 && folder !== dirname(folder); steps++, folder = dirname(folder)) {
    const bytes = await readForeign(join(folder, "package.json"), manifest).catch(() => undefined);
    const version = bytes && versionIn(bytes.toString("utf8"), folder, file);
    if (version !== undefined) return version;
  }
  return undefined;
}

const manifest = { maxBytes: 1_048_576, followLinks: true };

/** Only of the package whose command it is: other files of that name lie in many folders. */
function versionIn(text: string, folder: string, file: string): string | undefined {
  try {
    const { version, bin } = JSON.parse(text) as { readonly version?: unknown; readonly bin?: unknown };
    const commands = typeof bin === "string" ? [bin] : Object.values(Object(bin)).map(String);
    const isIts = commands.some((command) => resolve(folder, command) === file);
    return isIts && typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}

/** What it says itself, in an empty home: at a first start, some programs write settings. */
async function saidVersion(
  path: string,
  flag: string,
  { PATH = "" }: Environment,
  folder: string,
): Promise<string | undefined> {
  const env = { PATH, HOME: folder, TMPDIR: folder };
  const said = await machine.ask(path, [flag], { env, limitMs: 4_000 });
  return said.kind === "printed" ? /\d+\.\d+[\w.-]*/.exec(said.text)?.[0] : undefined;
}

function required({ name, path, version }: Program, needed: string): Pick<Program, "problem"> {
  if (path === undefined) return { problem: `not found; install ${name} ${needed} or newer` };
  return version === undefined || isAtLeast(version, needed) ? {} : { problem: `too old; install ${needed} or newer` };
}

/** `3.3a` is at least `3.2`. */
export function isAtLeast(version: string, needed: string): boolean {
  const [have, want] = [version, needed].map((text) => text.split(".").map((part) => Number.parseInt(part, 10)));
  const at = want?.findIndex((part, place) => part !== (have?.[place] ?? 0)) ?? -1;
  return at < 0 || (have?.[at] ?? 0) > (want?.[at] ?? 0);
}
