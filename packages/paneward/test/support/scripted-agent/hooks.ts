import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import type { AgentKind } from "./kinds.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** Fires the configured hooks; returns the output of the first one that answered. */
export type Fire = (event: string, payload: Payload) => Promise<Payload | undefined>;

interface Hook {
  readonly type: string;
  readonly command?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Hooks = Readonly<Record<string, readonly { readonly hooks: readonly Hook[] }[]>>;

/** Hooks of a settings file in Claude's format, and of the socket in SCRIPTED_HOOK_SOCKET: `POST /hook/<event>`. */
export function hooksOf(kind: AgentKind, settings: string | undefined, sessionId: string): Fire {
  const hooks: Hooks = settingsOf(kind, settings).hooks ?? {};
  const socket = process.env.SCRIPTED_HOOK_SOCKET;
  return async (event, payload) => {
    const body = JSON.stringify({
      session_id: sessionId,
      cwd: process.cwd(),
      hook_event_name: event,
      permission_mode: "default",
      ...payload,
    });
    const named = (hooks[event] ?? []).flatMap((entry) => entry.hooks).map((hook) => one(hook, body));
    const bySocket = socket === undefined ? [] : [post(socket, event, body)];
    for (const said of await Promise.all([...named, ...bySocket])) {
      if (said) return said;
    }
    return undefined;
  };
}

function settingsOf(kind: AgentKind, settings: string | undefined): { readonly hooks?: Hooks } {
  const home = process.env.HOME ?? "";
  const own = { claude: ".claude/settings.json", codex: ".codex/hooks.json", gemini: ".gemini/settings.json" };
  const path = settings ?? (kind in own ? `${home}/${own[kind as keyof typeof own]}` : undefined);
  if (path === undefined) return {};
  if (path.startsWith("{")) return JSON.parse(path) as { readonly hooks?: Hooks };
  try {
    return JSON.parse(readFileSync(path, "utf8")) as { readonly hooks?: Hooks };
  } catch {
    return {};
  }
}

async function one(hook: Hook, body: string): Promise<Payload | undefined> {
  if (hook.type === "http" && hook.url !== undefined) return ask(hook.url, hook.headers ?? {}, body);
  return hook.command === undefined ? undefined : run(hook.command, body);
}

function run(command: string, body: string): Promise<Payload | undefined> {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", command], { stdio: ["pipe", "pipe", "ignore"] });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
    });
    child.on("error", () => resolve(undefined));
    child.on("close", () => resolve(parsed(printed)));
    child.stdin.on("error", () => {});
    child.stdin.end(body);
  });
}

async function ask(url: string, headers: Readonly<Record<string, string>>, body: string) {
  const filled = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace(/\$\{?(\w+)\}?/g, (_, variable: string) => process.env[variable] ?? ""),
  ]);
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...Object.fromEntries(filled) },
      body,
    });
    return parsed(await answer.text());
  } catch {
    return undefined;
  }
}

// As a hook's script sends them: loading our own constants would take longer than a whole hook.
const marks = { host: "paneward", connection: "paneward_direct", paneward_direct: "1" };

function post(socketPath: string, event: string, body: string): Promise<Payload | undefined> {
  const path = `/hook/${event.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}`;
  const whole = JSON.stringify({ ...JSON.parse(body), tmux_pane: process.env.TMUX_PANE });
  return new Promise((resolve) => {
    const headers = { ...marks, "content-type": "application/json", "content-length": Buffer.byteLength(whole) };
    const asked = request({ socketPath, path, method: "POST", headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("end", () => resolve(parsed(text)));
    });
    asked.on("error", () => resolve(undefined));
    asked.end(whole);
  });
}

function parsed(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Payload) : undefined;
  } catch {
    return undefined;
  }
}
