import { errorTable, ownValue, PanewardError } from "@paneward/sdk";
import { Command as Commander, CommanderError } from "commander";
import type { Command, Option } from "./command.ts";
import type { Section } from "./command-table.ts";
import { dataExit, noteExit } from "./look/exit.ts";
import { cliVersion } from "./version.ts";

/** A parsed command line. */
export interface Chosen {
  readonly command: Command;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Parses a command line. Help and version are printed here and yield only an exit code. */
export function parseCommandLine(
  argv: readonly string[],
  sections: readonly Section[],
): Chosen | { readonly exitCode: number } {
  let chosen: Chosen | undefined;
  const program = programOf(sections, (one) => {
    chosen = one;
  });
  const words = argv.length === 0 ? ["--help"] : expandHelp(argv, program);
  try {
    program.parse(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { exitCode: 0 };
    if (error.code === "commander.help") return { exitCode: errorTable.bad_input.exitCode };
    throw badUsage(error, words, program);
  }
  return chosen ?? { exitCode: 0 };
}

/** `help run` is `run --help`; for an unknown word, the word itself is parsed and refused. */
function expandHelp([first, ...rest]: readonly string[], program: Commander): readonly string[] {
  if (first !== "help" || rest.length === 0) return [first ?? "", ...rest];
  return program.commands.some((command) => command.name() === rest[0]) ? [...rest, "--help"] : rest;
}

function programOf(sections: readonly Section[], choose: (chosen: Chosen) => void): Commander {
  const program = strict(new Commander("paneward"))
    .description("Runs coding agents and long tasks in tmux, shows what each is doing, and notifies you.")
    .version(cliVersion(), "-V, --version", "print the version")
    .addHelpText("after", closing);
  for (const { title, commands } of sections) {
    program.commandsGroup(`${title}:`);
    for (const command of commands) {
      const words = command.name.split(" ");
      const [last = ""] = words.slice(-1);
      const parent = words.length === 1 ? program : parentCommand(program, words[0] ?? "");
      addCommand(parent, last, command, choose);
    }
  }
  program.helpCommand("help [command]", "show a command with examples");
  return program;
}

const closing = `
Start with \`paneward demo\`, a short tour, or with \`paneward init\`.
\`paneward COMMAND --help\` shows a command with examples.`;

/** The parent of two-word commands: `daemon`, `token`, … */
function parentCommand(program: Commander, name: string): Commander {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? strict(program.command(name)).description(parentSummaries[name] ?? "");
}

const parentSummaries: Readonly<Record<string, string>> = {
  daemon: "start, stop and inspect the daemon",
  service: "have systemd or launchd run the daemon",
  token: "tokens for HTTP",
  login: "browsers logged in to the dashboard",
  notify: "notices when something needs you",
  team: "teams of agents: boards, workers and threads",
  hooks: "let agents that you start yourself report their state",
};

function addCommand(parent: Commander, name: string, command: Command, choose: (chosen: Chosen) => void): void {
  const made = strict(parent.command(name, command.hidden ? { hidden: true } : {}))
    .summary(command.summary)
    .description([command.summary, command.details ?? ""].join("\n\n").trimEnd())
    .addHelpText("after", `\nExamples:\n${command.examples.map((example) => `  ${example}`).join("\n")}`);
  if (command.takes) made.arguments(command.takes);
  if (command.passesOn) made.passThroughOptions();
  for (const option of command.options ?? []) addOption(made, option);
  if (command.json !== false) made.option("--json", "print JSON");
  if (!command.hidden) made.option("--quiet", "no progress while it waits");
  made.action(() => choose({ command, args: made.args, options: made.opts() }));
}

function addOption(command: Commander, [flags, what, repeated]: Option): void {
  if (!repeated) command.option(flags, what);
  else command.option(flags, what, (value: string, before: readonly string[] = []) => [...before, value]);
}

/** Lines of a manual, also on a wide terminal. */
const helpWidth = () => Math.min(79, dataExit.columns);

/** Throws instead of exiting; errors are printed by us. */
function strict(command: Commander): Commander {
  return command
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      getOutHelpWidth: helpWidth,
      getErrHelpWidth: helpWidth,
      writeOut: (text) => dataExit.write(text),
      writeErr: (text) => void (text.startsWith("error:") || noteExit.write(text)),
    })
    .configureHelp({ subcommandTerm: withoutOptions })
    .helpOption("-h, --help", "show this help");
}

function withoutOptions(command: Commander): string {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...args].join(" ");
}

function badUsage(error: CommanderError, argv: readonly string[], program: Commander): PanewardError {
  const [message = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const similar = /Did you mean (.*)\?/.exec(rest.join(" "))?.[1];
  const known = commandPath(argv, program);
  const meant = known.length === 0 ? (ownValue(aliases, argv[0] ?? "") ?? similar) : similar;
  const hint = meant ? `did you mean ${meant}?` : `\`${["paneward", ...known, "--help"].join(" ")}\` shows how`;
  return new PanewardError("bad_input", message, { hint, cause: error });
}

/** The words of a command line that name commands: `daemon start` of `daemon start --frob`. */
function commandPath(argv: readonly string[], program: Commander): readonly string[] {
  const [first, ...rest] = argv.filter((word) => !word.startsWith("-"));
  const next = program.commands.find((command) => command.name() === first);
  return first === undefined || !next ? [] : [first, ...commandPath(rest, next)];
}

/** Words from other tools. */
const aliases: Readonly<Record<string, string>> = {
  ls: "ps",
  list: "ps",
  status: "ps, or daemon status",
  kill: "stop",
  delete: "rm",
  remove: "rm",
  tail: "logs -f",
  show: "screen",
  answer: "respond",
  create: "new",
  version: "--version",
  web: "open",
  dashboard: "open",
  tui: "plain `paneward`, on a terminal",
};
