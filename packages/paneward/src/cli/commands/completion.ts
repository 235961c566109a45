import { basename } from "node:path";
import { ownValue, PanewardError } from "@paneward/sdk";
import { oneLine } from "@paneward/sdk/text";
import type { Call, Command } from "../command.ts";
import { type Candidate, type Candidates, candidatesFor } from "../complete.ts";
import { requireOne } from "../options.ts";
import { shellScripts } from "../shells.ts";

/** Takes the list of all commands, including these, which this file cannot import without a cycle. */
export function completionCommands(commands: () => readonly Command[]): readonly Command[] {
  const shells = Object.keys(shellScripts);
  return [
    {
      name: "completion",
      operations: [],
      summary: "complete commands, options and ids: the script of a shell, or its installation",
      details:
        "Without a shell, it is yours, as in `$SHELL`. `--install` writes the script into a file of its own, has the " +
        "startup file of bash or zsh read it, and prints what it changed; a second time it changes nothing, or repairs.",
      page: "init.md#completion",
      takes: "[shell]",
      completes: shells,
      options: [
        ["--install", "install it for this user"],
        ["--uninstall", "remove what `--install` made"],
      ],
      json: false,
      examples: [
        "paneward completion --install",
        "paneward completion zsh --uninstall",
        'eval "$(paneward completion bash)"    # by hand, in ~/.bashrc',
      ],
      run: completion,
    },
    {
      name: "__complete",
      operations: ["ps"],
      summary: "completions for the words typed so far",
      takes: "[words...]",
      passesOn: true,
      hidden: true,
      json: false,
      examples: ["paneward __complete -- attach ''"],
      run: (call) => complete(call, commands()),
    },
  ];
}

async function completion(call: Call): Promise<number> {
  const { args, out, env, options } = call;
  requireOne({ "--install": options.flag("install"), "--uninstall": options.flag("uninstall") });
  const shell = args[0] ?? basename(env.SHELL ?? "");
  const script = ownValue(shellScripts, shell);
  if (script === undefined) {
    const hint = `use one of ${Object.keys(shellScripts).join(", ")}`;
    const message = shell === "" ? "for which shell?" : `no completion for the shell "${shell}"`;
    throw new PanewardError("bad_input", message, { hint });
  }
  if (options.flag("install"))
    return (await import("../init/run-completion.ts")).installCompletion(call, shell, script);
  if (options.flag("uninstall")) return (await import("../init/run-completion.ts")).uninstallCompletion(call, shell);
  out.raw(script);
  return 0;
}

async function complete(call: Call, commands: readonly Command[]): Promise<undefined> {
  const { args, out, progress } = call;
  progress.silence();
  const typed = args[0] === "--" ? args.slice(1) : args;
  const words = await wordsOf(call, candidatesFor(typed, commands));
  const current = typed.at(-1) ?? "";
  for (const { word, about } of words)
    if (word.startsWith(current)) out.line(about === undefined ? word : `${word}\t${oneLine(about)}`);
}

async function wordsOf(call: Call, found: Candidates): Promise<readonly Candidate[]> {
  if ("words" in found) return found.words;
  if ("ids" in found) return idsOf(call, found.ids === "tasks");
  // The registry loads all that is known of agents: no other command line waits for that.
  const { builtInAgents, hookedAgents } = await import("../../agents/registry.ts");
  return (found.agents === "built in" ? builtInAgents : Object.keys(hookedAgents)).map((word) => ({ word }));
}

/** Ids and names from the daemon. Completion never starts a daemon and never prints an error. */
async function idsOf({ connection }: Call, onlyTasks: boolean): Promise<readonly Candidate[]> {
  try {
    const { tasks, terminals } = await connection.running.ps({ all: "true" });
    const plain = onlyTasks ? [] : terminals.filter(({ task }) => task === undefined);
    return [
      ...tasks.flatMap(({ id, slug, status }) => bothNames(String(id), slug, status)),
      ...plain.flatMap(({ id, name, status }) => bothNames(id, name, status)),
    ];
  } catch {
    return [];
  }
}

function bothNames(id: string, name: string, status: string): readonly Candidate[] {
  return [
    { word: id, about: `${name}, ${status}` },
    { word: name, about: `${id}, ${status}` },
  ];
}
