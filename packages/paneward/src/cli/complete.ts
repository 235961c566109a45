import { scopes } from "@paneward/sdk";
import type { Command } from "./command.ts";

/** Completions: fixed words, ids that the daemon has to list, names of agents, or what the shell knows better. */
export type Candidates =
  | { readonly words: readonly Candidate[] }
  | { readonly ids: "ids" | "tasks" }
  | { readonly agents: "built in" | "with hooks" };

export interface Candidate {
  readonly word: string;
  /** Shells that can show it beside the word do. */
  readonly about?: string;
}

/** `typed` are the words after `paneward`; the last one is incomplete and may be empty. */
export function candidatesFor(typed: readonly string[], commands: readonly Command[]): Candidates {
  const before = typed.slice(0, -1);
  const current = typed.at(-1) ?? "";
  if (before.includes("--")) return { words: [] };
  const command = commandOf(before, commands);
  if (!command) return { words: nextWords(before, commands) };
  const rest = before.slice(command.name.split(" ").length);
  const pending = command.options?.find(([flags]) => takesValue(flags) && flagsOf(flags).includes(rest.at(-1) ?? ""));
  if (pending) return valuesOf(pending[0]);
  if (current.startsWith("-")) return { words: optionWords(command) };
  return argumentsOf(command, rest);
}

function commandOf(words: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands.find(({ name }) => name.split(" ").every((word, at) => words[at] === word));
}

/** First words, or the second word of `daemon`, `token` and other groups. */
function nextWords(before: readonly string[], commands: readonly Command[]): readonly Candidate[] {
  const begin = before.filter((word) => word !== "help");
  const found = new Map<string, Candidate>();
  for (const { name, summary, hidden } of commands) {
    const words = name.split(" ");
    const word = words[begin.length];
    if (hidden || word === undefined || !begin.every((one, at) => words[at] === one)) continue;
    const isWhole = words.length === begin.length + 1;
    if (isWhole || !found.has(word)) found.set(word, { word, ...(isWhole ? { about: summary } : {}) });
  }
  if (before.length === 0) found.set("help", { word: "help", about: "how a command is used" });
  return [...found.values()];
}

function argumentsOf({ completes, takes = "" }: Command, rest: readonly string[]): Candidates {
  const given = rest.filter((word) => !word.startsWith("-")).length;
  if (completes === undefined || (given > 0 && !/^[<[]\w+\.\.\.[>\]]$/.test(takes))) return { words: [] };
  if (completes === "agents with hooks") return { agents: "with hooks" };
  return typeof completes === "string" ? { ids: completes } : { words: completes.map((word) => ({ word })) };
}

function optionWords({ options = [], json }: Command): readonly Candidate[] {
  const long = (flags: string) => flagsOf(flags).filter((flag) => flag.startsWith("--"));
  const own = options.flatMap(([flags, about]) => long(flags).map((word) => ({ word, about })));
  return [...own, ...(json === false ? [] : [{ word: "--json" }]), { word: "--quiet" }, { word: "--help" }];
}

function flagsOf(flags: string): readonly string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith("-"));
}

function takesValue(flags: string): boolean {
  return flags.includes("<");
}

function valuesOf(flags: string): Candidates {
  if (flags.startsWith("--agent ")) return { agents: "built in" };
  const words = flags.startsWith("--for ") ? ["exited", "needs_input", "idle", "output="] : [];
  return { words: (flags.startsWith("--scope ") ? scopes : words).map((word) => ({ word })) };
}
