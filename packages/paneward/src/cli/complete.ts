import { scopes } from "@paneward/sdk";
import type { Command } from "./command.ts";

/** Completions: fixed words, ids that the daemon has to list, or names of agents. */
export type Candidates =
  | { readonly words: readonly string[] }
  | { readonly ids: "ids" | "tasks" }
  | { readonly agents: "built in" | "with hooks" };

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
function nextWords(before: readonly string[], commands: readonly Command[]): readonly string[] {
  const begin = before.filter((word) => word !== "help");
  const names = commands.filter(({ hidden }) => !hidden).map(({ name }) => name.split(" "));
  const fitting = names.filter((name) => begin.every((word, at) => name[at] === word) && name.length > begin.length);
  return [...new Set([...fitting.map((name) => name[begin.length] ?? ""), ...(before.length === 0 ? ["help"] : [])])];
}

function argumentsOf({ completes, takes = "" }: Command, rest: readonly string[]): Candidates {
  const given = rest.filter((word) => !word.startsWith("-")).length;
  if (completes === undefined || (given > 0 && !/^[<[]\w+\.\.\.[>\]]$/.test(takes))) return { words: [] };
  if (completes === "agents with hooks") return { agents: "with hooks" };
  return typeof completes === "string" ? { ids: completes } : { words: completes };
}

function optionWords({ options = [], json }: Command): readonly string[] {
  const own = options.flatMap(([flags]) => flagsOf(flags).filter((flag) => flag.startsWith("--")));
  return [...own, ...(json === false ? [] : ["--json"]), "--help"];
}

function flagsOf(flags: string): readonly string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith("-"));
}

function takesValue(flags: string): boolean {
  return flags.includes("<");
}

function valuesOf(flags: string): Candidates {
  if (flags.startsWith("--agent ")) return { agents: "built in" };
  if (flags.startsWith("--for ")) return { words: ["exited", "needs_input", "idle", "output="] };
  return { words: flags.startsWith("--scope ") ? scopes : [] };
}
