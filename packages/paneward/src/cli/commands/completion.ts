import { PanewardError } from "@paneward/sdk";
import { oneLine } from "@paneward/sdk/text";
import type { Call, Command } from "../command.ts";
import { type Candidate, type Candidates, candidatesFor } from "../complete.ts";
import { shellScripts } from "../shells.ts";

/** Takes the list of all commands, including these, which this file cannot import without a cycle. */
export function completionCommands(commands: () => readonly Command[]): readonly Command[] {
  const shells = Object.keys(shellScripts);
  return [
    {
      name: "completion",
      operations: [],
      summary: "a shell script that completes commands, options and ids",
      takes: "<shell>",
      completes: shells,
      json: false,
      examples: [
        'eval "$(paneward completion bash)"                                  # in ~/.bashrc',
        'eval "$(paneward completion zsh)"                                   # in ~/.zshrc',
        "paneward completion fish > ~/.config/fish/completions/paneward.fish",
      ],
      run: printScript,
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

async function printScript({ args, out }: Call): Promise<undefined> {
  const [shell = ""] = args;
  const script = Object.hasOwn(shellScripts, shell) ? shellScripts[shell as keyof typeof shellScripts] : undefined;
  if (script === undefined) {
    const hint = `use one of ${Object.keys(shellScripts).join(", ")}`;
    throw new PanewardError("bad_input", `no completion for the shell "${shell}"`, { hint });
  }
  out.raw(script);
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
