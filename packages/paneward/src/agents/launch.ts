import { ownValue } from "@paneward/sdk";
import { withPlainLineEnds } from "../model/courier/delivery-plan.ts";
import type { Agent, Hooked, HookFacts } from "./agent.ts";
import { withSession } from "./record.ts";

export interface LaunchFacts {
  readonly id: number;
  readonly root: string;
  readonly prompt: string;
  /** A file that holds the whole prompt. */
  readonly promptFile: string;
  /** The daemon's environment, as its caller set it. */
  readonly callerEnv: Readonly<Record<string, string | undefined>>;
  /** How the agent reports to the daemon; without them it starts as the user would start it. */
  readonly hooks?: HookFacts;
  /** The conversation to resume; the prompt is not given again. */
  readonly sessionId?: string;
  /** The id for a new conversation. */
  readonly newSession?: string;
}

export interface Launch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files below the hooks' folder that must exist first. */
  readonly files: Readonly<Record<string, string>>;
}

/** The longest prompt that is passed as an argument or a variable, in bytes: a spawned tmux refuses 16 KB. */
const maxArgument = 12_288;

/** The argv and environment that start an agent on a task. The prompt is an argument or in a file, never typed. */
export function launch(agent: Agent, facts: LaunchFacts): Launch {
  const task = taskEnvironment(facts);
  // A service, cron or a container may have no SHELL; tmux takes /bin/sh then, too.
  const lookup = { ...facts.callerEnv, ...task, SHELL: facts.callerEnv.SHELL || "/bin/sh" };
  const placed = agent.cmd.includes("<prompt>");
  const text = withPlainLineEnds(facts.prompt);
  const prompt = isPrompt(agent, text, placed)
    ? text
    : `Your task is in the file ${facts.promptFile}: read all of it, then do what it says.`;
  const plain = agent.cmd.map((word) => expand(word, facts.root, prompt, lookup));
  const { cmd, env, files } = withHooks(agent, plain, facts.hooks);
  return {
    argv: argvOf(agent, cmd, placed ? undefined : prompt, facts),
    env: { ...agentEnvironment(agent, facts.callerEnv), ...env, ...task },
    files: files ?? {},
  };
}

function argvOf(
  agent: Agent,
  cmd: readonly string[],
  prompt: string | undefined,
  { sessionId, newSession }: LaunchFacts,
): readonly string[] {
  if (sessionId !== undefined && agent.resume) return agent.resume(cmd, sessionId);
  return prompt === undefined ? cmd : agent.withPrompt(withSession(cmd, agent.session, newSession), prompt);
}

// A command with `<prompt>` is complete: options of ours could end up in the middle of a script.
function withHooks(agent: Agent, cmd: readonly string[], hooks: HookFacts | undefined): Hooked {
  const ours = agent.withHooks;
  return hooks && ours && !agent.cmd.includes("<prompt>") ? ours(cmd, hooks) : { cmd };
}

/** What a task's program finds in its environment; AGENCY_* are the older names. */
export function taskEnvironment(facts: Omit<LaunchFacts, "callerEnv">): Readonly<Record<string, string>> {
  const text = cutTo(facts.prompt, maxArgument);
  const id = String(facts.id);
  return {
    PANEWARD_TASK: text,
    PANEWARD_TASK_FILE: facts.promptFile,
    PANEWARD_TASK_ID: id,
    PANEWARD_ROOT: facts.root,
    AGENCY_TASK: text,
    AGENCY_TASK_ID: id,
    AGENCY_ROOT: facts.root,
  };
}

function agentEnvironment(agent: Agent, env: LaunchFacts["callerEnv"]): Record<string, string> {
  const named = Object.entries(env).filter(
    ([name, value]) => value !== undefined && (agent.env.test(name) || everyAgent.test(name)),
  );
  return Object.fromEntries(named) as Record<string, string>;
}

const everyAgent =
  /^(HTTPS?_PROXY|https?_proxy|NO_PROXY|no_proxy|ALL_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|SSH_AUTH_SOCK|GH_TOKEN|GITHUB_TOKEN)$/;

// `<root>` anywhere; `<prompt>` and `$NAME` as whole words only, so that no text of a prompt becomes part of a script.
// A name that is not set is empty.
function expand(word: string, root: string, prompt: string, env: Readonly<Record<string, string | undefined>>): string {
  if (word === "<prompt>") return prompt;
  const [, name] = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(word) ?? [];
  return name === undefined ? word.replaceAll("<root>", root) : (ownValue(env, name) ?? "");
}

// What a program would take for an option, a subcommand or a command of its own is read from the file instead.
function isPrompt({ deliver }: Agent, text: string, placed: boolean): boolean {
  if (byteLength(text) > maxArgument || (placed && text.startsWith("-"))) return false;
  return !deliver?.notAtLaunch?.some((pattern) => pattern.test(text));
}

function cutTo(text: string, bytes: number): string {
  if (byteLength(text) <= bytes) return text;
  let cut = text.slice(0, bytes);
  while (byteLength(cut) > bytes) cut = cut.slice(0, -Math.max(1, Math.ceil((byteLength(cut) - bytes) / 4)));
  return cut.replace(/[\ud800-\udbff]$/, "");
}

function byteLength(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
