import { PanewardError } from "@paneward/sdk";
import type { Call, Command } from "../command.ts";
import { candidatesFor } from "../complete.ts";
import { shellScripts } from "../shells.ts";

/** Completion needs to know all commands, this one included, so they are handed in. */
export function completionCommands(commands: () => readonly Command[]): readonly Command[] {
  const shells = Object.keys(shellScripts);
  return [
    {
      name: "completion",
      operations: [],
      summary: "a script that completes commands, options and ids",
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
      summary: "what may follow the words",
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
    throw new PanewardError("bad_input", `there is no completion for "${shell}"`, { hint });
  }
  out.raw(script);
}

async function complete(call: Call, commands: readonly Command[]): Promise<undefined> {
  const { args, out, progress } = call;
  progress.silence();
  const typed = args[0] === "--" ? args.slice(1) : args;
  const found = candidatesFor(typed, commands);
  const words = "words" in found ? found.words : await idsOf(call, found.ids === "tasks");
  const current = typed.at(-1) ?? "";
  for (const word of words) if (word.startsWith(current)) out.line(word);
}

/** Ids and names of what the daemon knows. A shell that completes never starts one and never shows a failure. */
async function idsOf({ connection }: Call, onlyTasks: boolean): Promise<readonly string[]> {
  try {
    const { tasks, terminals } = await connection.running.ps({ all: "true" });
    const plain = onlyTasks ? [] : terminals.filter(({ task }) => task === undefined);
    return [...tasks.flatMap(({ id, slug }) => [String(id), slug]), ...plain.flatMap(({ id, name }) => [id, name])];
  } catch {
    return [];
  }
}
