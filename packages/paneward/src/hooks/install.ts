import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { PanewardError, type Places } from "@paneward/sdk";
import type { HookSettings } from "../agents/agent.ts";
import { hookScript } from "../agents/hook-script.ts";
import type { HookedAgent } from "../agents/hook-settings.ts";
import { hookedAgents } from "../agents/registry.ts";
import { hookFacts, hookScriptPath } from "../runtime/witnesses/hook-facts.ts";
import { privateFiles } from "../system/private-files.ts";
import { parseJsonc, valueFrom } from "./parse-jsonc.ts";
import { backupOf, forgetBackup, keepBackup, readSettings, type SettingsFile, writeSettings } from "./settings-file.ts";
import { oursIn, withHooks, withoutHooks } from "./settings-text.ts";

export interface HooksRequest {
  readonly agent: string;
  /** A file to use instead of the agent's own. */
  readonly settings: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly places: Pick<Places, "home" | "socket">;
}

/** The result for a settings file. */
export interface HooksResult {
  readonly agent: string;
  readonly file: string;
  readonly changed: boolean;
  /** The events that have our hooks now. */
  readonly events: readonly string[];
  /** The path of the backup, if there is one. */
  readonly backup?: string;
  readonly advice: string;
}

/** A settings file as it is, and as it would be with our hooks. */
export interface HooksPlan extends Pick<CurrentSettings, "text" | "before" | "base"> {
  readonly file: string;
  readonly wanted: string;
  /** None of our hooks is in it yet. */
  readonly isFirst: boolean;
  readonly events: readonly string[];
  readonly advice: string;
}

/** What `installHooks` would do. Nothing is written. */
export async function planHooks(request: HooksRequest): Promise<HooksPlan> {
  const agent = agentOf(request.agent);
  const hooks = agent.hooks(hookFacts(request.places, agent.kind, request.places.home));
  const file = fileOf(request, agent);
  const { ours, ...current } = await currentSettings(file);
  const base = current.base ?? "";
  const wanted = orRefuse(file, () => requireOnlyAdded(hooks, base, withHooks(base, hooks)));
  const isFirst = Object.keys(ours).length === 0;
  return { ...current, file, wanted, isFirst, events: Object.keys(hooks), advice: agent.advice };
}

/** Adds our hooks to an agent's settings, or brings those of another version up to date. */
export async function installHooks(request: HooksRequest): Promise<HooksResult> {
  const { file, text, before, base, wanted, isFirst, events, advice } = await planHooks(request);
  await privateFiles.replacePrivate(hookScriptPath(request.places), hookScript(request.places.socket));
  if (isFirst && base !== undefined) await keepBackup(file, base);
  if (isFirst && base === undefined && before !== undefined) await forgetBackup(file);
  if (wanted !== text) await writeSettings(file, wanted);
  return {
    agent: request.agent,
    file,
    changed: wanted !== text,
    events,
    ...((isFirst ? base : before) === undefined ? {} : { backup: backupOf(file) }),
    advice,
  };
}

/** Removes our hooks; nothing else changes. */
export async function uninstallHooks(request: HooksRequest): Promise<HooksResult> {
  const agent = agentOf(request.agent);
  const file = fileOf(request, agent);
  const { text, before, base, ours } = await currentSettings(file);
  const changed = Object.keys(ours).length > 0;
  if (changed) {
    orRefuse(file, () => requireOnlyRemoved(text ?? "", base ?? ""));
    // Without a backup there was no file before; it is removed unless it has other settings by now.
    const isOnlyOurs = before === undefined && isDeepStrictEqual(valueFrom(parseJsonc(base ?? "")), {});
    await writeSettings(file, isOnlyOurs ? undefined : base);
    if (base === before) await forgetBackup(file);
  }
  const isKept = before !== undefined && base !== before;
  return {
    agent: request.agent,
    file,
    changed,
    events: [],
    ...(isKept ? { backup: backupOf(file) } : {}),
    advice: agent.advice,
  };
}

interface CurrentSettings extends SettingsFile {
  /** The text without our hooks. */
  readonly base: string | undefined;
  readonly ours: HookSettings;
}

async function currentSettings(file: string): Promise<CurrentSettings> {
  const { text, before } = await readSettings(file).catch((cause: unknown) => {
    throw refused(file, cause);
  });
  return orRefuse(file, () => {
    const ours = oursIn(text ?? "");
    return { text, before, ours, base: text === undefined ? undefined : withoutHooks(text, before) };
  });
}

/** A check before anything is written: the settings are the same, with our hooks after the existing ones. */
function requireOnlyAdded(hooks: HookSettings, base: string, text: string): string {
  const before = read(base);
  const wanted: Record<string, readonly unknown[]> = { ...before.hooks };
  for (const [event, entries] of Object.entries(hooks)) wanted[event] = [...(wanted[event] ?? []), ...entries];
  if (isDeepStrictEqual(read(text), { ...before, hooks: wanted })) return text;
  throw new Error("the hooks could not be added without changing something else");
}

function requireOnlyRemoved(text: string, base: string): void {
  const others = ({ hooks: _, ...rest }: Settings) => rest;
  const isClean = Object.keys(oursIn(base)).length === 0 && isDeepStrictEqual(others(read(base)), others(read(text)));
  if (!isClean) throw new Error("the hooks could not be removed without changing something else");
}

type Settings = Readonly<Record<string, unknown>> & { readonly hooks?: Readonly<Record<string, readonly unknown[]>> };

function read(text: string): Settings {
  return text.trim() === "" ? {} : (valueFrom(parseJsonc(text)) as Settings);
}

function agentOf(name: string): HookedAgent {
  const agent = Object.hasOwn(hookedAgents, name) ? hookedAgents[name] : undefined;
  if (agent) return agent;
  throw new PanewardError("bad_input", `no hooks can be installed for "${name}"`, {
    hint: `use one of ${Object.keys(hookedAgents).join(", ")}`,
  });
}

function fileOf({ settings, env }: HooksRequest, agent: HookedAgent): string {
  return resolve(settings ?? agent.file(env));
}

function orRefuse<Plan>(file: string, plan: () => Plan): Plan {
  try {
    return plan();
  } catch (cause) {
    throw refused(file, cause);
  }
}

function refused(file: string, cause: unknown): PanewardError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new PanewardError("bad_input", `${file} was not changed: ${why}`, {
    hint: "correct the file by hand, then try again; --settings FILE names another one",
    cause,
  });
}
