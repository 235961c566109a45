import { exitCodes } from "@paneward/sdk";
import type { Command, Option } from "../../packages/paneward/src/cli/command.ts";
import { type Section, sections } from "../../packages/paneward/src/cli/command-table.ts";
import { usageOf } from "./commands.ts";

/** The manual page of the command line, as `man` reads it. */
export function manualPage(version: string): string {
  return [
    `.TH PANEWARD 1 "" "paneward ${roff(version)}" "User Commands"`,
    ".SH NAME",
    `paneward \\- ${roff("runs coding agents and long tasks in tmux, and notifies you when one needs you")}`,
    ".SH SYNOPSIS",
    ".B paneward",
    "[COMMAND [ARGUMENT...]]",
    ".SH DESCRIPTION",
    roff(description),
    ...sections.flatMap(sectionLines),
    ".SH EXIT STATUS",
    ...Object.entries(exitCodes).flatMap(([number, means]) => entry(number, means)),
    ".SH ENVIRONMENT",
    ...environment.flatMap(([name, means]) => entry(name, means)),
    ".SH FILES",
    ...files.flatMap(([path, means]) => entry(path, means)),
    "",
  ].join("\n");
}

const description =
  "Without a command, on a terminal, the terminal interface opens. An ID is the id or slug of a task, or the id or name of a " +
  "terminal. Every command that prints data has `--json`. A command that needs the daemon starts it.";

const environment: readonly Option[] = [
  ["PANEWARD_HOME", "the folder of database, journals, worktrees and log"],
  ["PANEWARD_SOCKET_PATH", "the daemon's socket"],
  ["PANEWARD_TMUX_SOCKET_PATH", "the socket of the private tmux server"],
  ["PANEWARD_NO_AUTOSTART", "with 1, no command starts the daemon"],
  ["PANEWARD_TOKEN, PANEWARD_URL", "use HTTP with this token, at this address"],
  ["NO_COLOR, FORCE_COLOR", "no colours on a terminal; colours also elsewhere"],
];

const files: readonly Option[] = [
  ["~/.config/paneward/config.toml", "your configuration"],
  ["~/.local/state/paneward", "database, journals, worktrees, prompts, log"],
  [".paneward/config.toml", "a repository's own, after `paneward trust`"],
];

function sectionLines({ title, commands }: Section): readonly string[] {
  return [`.SH ${roff(title.toUpperCase())}`, ...commands.filter(({ hidden }) => !hidden).flatMap(commandLines)];
}

function commandLines(command: Command): readonly string[] {
  const { summary, details, options = [], examples } = command;
  return [
    ...entry(usageOf(command), `${summary}.${details === undefined ? "" : ` ${details}`}`),
    ...(options.length === 0 ? [] : [".RS", ...options.flatMap(([flags, what]) => entry(flags, what)), ".RE"]),
    ".IP",
    ".nf",
    ...examples.map(roff),
    ".fi",
  ];
}

function entry(name: string, text: string): readonly string[] {
  return [".TP", `.B ${roff(name)}`, roff(text)];
}

/** Text as roff shows it: no escape, no command at the start of a line, and code in bold. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`([^`]*)`/g, "\\fB$1\\fR")
    .replaceAll("…", "...")
    .replace(/^([.'])/gm, "\\&$1");
}
