import { errorTable, PanewardError } from "@paneward/sdk";
import { Command as Commander, CommanderError } from "commander";
import type { Command, Option } from "./command.ts";
import { cliVersion } from "./version.ts";

/** What a command line asks for. */
export interface Chosen {
  readonly command: Command;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Reads a command line; help and version are printed here and leave an exit code. */
export function parseCommandLine(
  argv: readonly string[],
  commands: readonly Command[],
): Chosen | { readonly exitCode: number } {
  let chosen: Chosen | undefined;
  const program = programOf(commands, (one) => {
    chosen = one;
  });
  try {
    program.parse(argv.length === 0 ? ["--help"] : argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { exitCode: 0 };
    if (error.code === "commander.help") return { exitCode: errorTable.bad_input.exitCode };
    throw badUsage(error, argv);
  }
  return chosen ?? { exitCode: 0 };
}

function programOf(commands: readonly Command[], choose: (chosen: Chosen) => void): Commander {
  const program = strict(new Commander("paneward"))
    .description("Runs coding agents and long tasks in tmux, knows what each one is doing, and tells you.")
    .version(cliVersion(), "-V, --version", "print the version")
    .helpCommand("help [command]", "show a command with examples")
    .addHelpText(
      "after",
      "\n`paneward COMMAND --help` shows a command with examples. `paneward demo` shows everything.",
    );
  for (const command of commands) {
    const words = command.name.split(" ");
    const [last = ""] = words.slice(-1);
    const parent = words.length === 1 ? program : familyOf(program, words[0] ?? "");
    addCommand(parent, last, command, choose);
  }
  return program;
}

/** `daemon`, `token`: a word whose commands follow it. */
function familyOf(program: Commander, name: string): Commander {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? strict(program.command(name)).description(families[name] ?? "");
}

const families: Readonly<Record<string, string>> = {
  daemon: "start, stop and look at the daemon",
  token: "tokens for HTTP",
};

function addCommand(parent: Commander, name: string, command: Command, choose: (chosen: Chosen) => void): void {
  const made = strict(parent.command(name, command.hidden ? { hidden: true } : {}))
    .description(command.summary)
    .addHelpText("after", `\nExamples:\n${command.examples.map((example) => `  ${example}`).join("\n")}`);
  if (command.takes) made.arguments(command.takes);
  if (command.passesOn) made.passThroughOptions();
  for (const option of command.options ?? []) addOption(made, option);
  if (command.json !== false) made.option("--json", "print the answer as JSON");
  made.action(() => choose({ command, args: made.args, options: made.opts() }));
}

function addOption(command: Commander, [flags, what, repeated]: Option): void {
  if (!repeated) command.option(flags, what);
  else command.option(flags, what, (value: string, before: readonly string[] = []) => [...before, value]);
}

/** Throws instead of leaving, and lets us print what went wrong. */
function strict(command: Commander): Commander {
  return command
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeErr: (text) => void (text.startsWith("error:") || process.stderr.write(text)) })
    .helpOption("-h, --help", "show this help");
}

function badUsage(error: CommanderError, argv: readonly string[]): PanewardError {
  const [message = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const meant = /Did you mean (.*)\?/.exec(rest.join(" "))?.[1];
  const [first = ""] = argv.filter((word) => !word.startsWith("-"));
  const help =
    error.code === "commander.unknownCommand" || first === "" ? "paneward --help" : `paneward ${first} --help`;
  const hint = meant ? `did you mean ${meant}?` : `\`${help}\` shows how`;
  return new PanewardError("bad_input", message, { hint, cause: error });
}
