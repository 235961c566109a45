import { PanewardError } from "@paneward/sdk";
import type { Call, Command } from "../command.ts";

export const hookCommands: readonly Command[] = [
  {
    name: "hooks install",
    operations: [],
    summary: "let agents that you start yourself report their state",
    details:
      "Adds only Paneward's hooks to the agent's settings and keeps a backup. An unknown name is answered with the known ones.",
    page: "hooks.md",
    takes: "<agent>",
    completes: "agents with hooks",
    options: [["--settings <file>", "a settings file other than the agent's default"]],
    examples: [
      "paneward hooks install claude-code",
      "paneward hooks install codex",
      "paneward hooks install gemini --settings .gemini/settings.json",
    ],
    run: install,
  },
  {
    name: "hooks uninstall",
    operations: [],
    summary: "remove Paneward's hooks from an agent's settings",
    details: "Restores the exact bytes if nothing else changed in the file.",
    takes: "<agent>",
    completes: "agents with hooks",
    options: [["--settings <file>", "the file that was given to `hooks install`"]],
    examples: ["paneward hooks uninstall claude-code"],
    run: uninstall,
  },
];

async function install(call: Call): Promise<undefined> {
  const { installHooks } = await import("../../hooks/install.ts");
  const done = await installHooks(inputOf(call));
  const { options, out } = call;
  if (options.flag("json")) return void out.json(done);
  out.line(`${done.file} ${done.changed ? "now has" : "already has"} hooks for ${done.events.length} events`);
  if (!done.changed) return;
  if (done.backup !== undefined) out.note(`backup: ${done.backup}`);
  out.note(`${done.advice}; undo: \`paneward hooks uninstall ${done.agent}\``);
}

async function uninstall(call: Call): Promise<undefined> {
  const { uninstallHooks } = await import("../../hooks/install.ts");
  const done = await uninstallHooks(inputOf(call));
  const { options, out } = call;
  if (options.flag("json")) return void out.json(done);
  out.line(done.changed ? `removed Paneward's hooks from ${done.file}` : `${done.file} has no hooks of Paneward`);
  if (done.backup !== undefined) out.note(`other settings had changed since the installation; backup: ${done.backup}`);
}

function inputOf({ args, options, env, connection }: Call) {
  const [agent = ""] = args;
  const settings = options.text("settings");
  if (settings === "") throw new PanewardError("bad_input", "--settings needs the name of a file");
  return { agent, settings, env, places: connection.places };
}
