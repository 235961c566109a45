import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentKind } from "./scripted-agent/kinds.ts";
import { until } from "./until.ts";

export { type AgentKind, agentKinds } from "./scripted-agent/kinds.ts";

/**
 * A program that looks and behaves like a coding agent, for tests without a model.
 *
 *     const agent = scriptedAgent(daemon.folder, "claude");
 *     const terminal = await daemon.client.run({ argv: [...agent.argv], cwd: daemon.folder });
 *     await agent.noted("ready");
 *     await daemon.client.send({ id: terminal.id, text: "RUN: touch made" });
 *     await agent.noted("asked");                       // the permission dialog is on its screen
 *     assert.deepEqual(agent.prompts(), ["RUN: touch made"]);
 *
 * Its screens, titles, key timings and hooks follow the real programs: claude draws a dialog 100 to 600 ms after its
 * hook and drops keys in the dialog's first 600 ms, codex takes Enter within 50 ms of text for a line break, Escape denies and fires no hook. Keywords in a
 * prompt say what it does, in order: `RUN: command` (asks first), `ASK` (a choice with free text), `ASKMANY`,
 * `PLAN`, `SLOW seconds`, `SAY text`, `EXIT code`; without any it echoes. `BACKGROUND` leaves a shell that runs on. A prompt
 * during work is queued.
 * With `--port`, opencode serves HTTP as the real one does. The others write their records below HOME.
 * Hooks: `--settings` in Claude's shape, the agent's own settings file under HOME, or a daemon's socket in the variable
 * SCRIPTED_HOOK_SOCKET (`hooks` below). Every prompt and every answer is recorded in a file, byte for byte.
 */
export interface ScriptedAgent {
  readonly kind: AgentKind;
  /** The program; its file is named after the agent. */
  readonly file: string;
  /** Starts it; arguments may follow as for the real program. */
  readonly argv: readonly string[];
  /** The prompts it received, in order, with repetitions. */
  prompts(): readonly string[];
  /** All notes so far. */
  notes(): readonly Note[];
  /** Waits for the n-th note of a kind (1 is the first). */
  noted(kind: Note["kind"], n?: number): Promise<Note>;
}

export interface Note {
  readonly at: number;
  readonly kind:
    | "ready"
    | "posted"
    | "prompt"
    | "asked"
    | "answered"
    | "approved"
    | "denied"
    | "ran"
    | "dropped"
    | "swallowed"
    | "interrupted"
    | "read"
    | "replied"
    | "followed"
    | "aborted"
    | "stopped"
    | "ended";
  readonly text?: string;
  readonly command?: string;
  readonly code?: number;
  readonly status?: number;
  readonly answer?: { readonly kind: string; readonly index?: number; readonly text?: string };
  readonly pid?: number;
  /** Its arguments. */
  readonly argv?: readonly string[];
}

export interface ScriptedOptions {
  /** A daemon's socket: hooks are posted there. */
  readonly hooks?: string;
  /** Distinguishes several agents of one kind. */
  readonly name?: string;
}

const program = new URL("scripted-agent/program.ts", import.meta.url).pathname;

/** Creates one in the test's folder. */
export function scriptedAgent(folder: string, kind: AgentKind, options: ScriptedOptions = {}): ScriptedAgent {
  const own = join(folder, `scripted-${options.name ?? kind}`);
  const record = join(own, "notes.jsonl");
  const file = join(own, kind);
  mkdirSync(own, { recursive: true });
  writeFileSync(record, "", { flag: "a" });
  const socket = options.hooks === undefined ? "" : `SCRIPTED_HOOK_SOCKET=${quoted(options.hooks)} `;
  const words = [process.execPath, "--disable-warning=ExperimentalWarning", program, kind, record];
  writeFileSync(file, `#!/bin/sh\n${socket}exec ${words.map(quoted).join(" ")} "$@"\n`);
  chmodSync(file, 0o755);
  const notes = () =>
    readFileSync(record, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Note);
  return {
    kind,
    file,
    // Claude's record names no folder by which it could be found.
    argv: kind === "claude" ? [file, "--session-id", randomUUID()] : [file],
    notes,
    prompts: () => notes().flatMap((note) => (note.kind === "prompt" ? [note.text ?? ""] : [])),
    noted: (wanted, n = 1) =>
      until(
        `the scripted ${kind} noted ${wanted} ${n} times`,
        () => notes().filter(({ kind }) => kind === wanted)[n - 1],
      ),
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
