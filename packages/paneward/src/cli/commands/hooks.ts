import { PanewardError } from "@paneward/sdk";
import type { Call, Command } from "../command.ts";

const agents = ["claude-code", "codex", "gemini"] as const;

export const hookCommands: readonly Command[] = [
  {
    name: "hooks install",
    operations: [],
    summary: "let agents that you start yourself tell what they do",
    details:
      "The agent is `claude-code`, `codex` or `gemini`. Adds our hooks to its settings and nothing else; a backup is kept.",
    page: "hooks.md",
    takes: "<agent>",
    completes: agents,
    options: [["--settings <file>", "another file than the agent's own settings"]],
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
    summary: "take our hooks out of an agent's settings again",
    details: "If nothing else was changed meanwhile, the file has the same bytes as before.",
    takes: "<agent>",
    completes: agents,
    options: [["--settings <file>", "the file that was named at the installation"]],
    examples: ["paneward hooks uninstall claude-code"],
    run: uninstall,
  },
];

async function install(call: Call): Promise<undefined> {
  const { installHooks } = await import("../../hooks/install.ts");
  const done = await installHooks(askedOf(call));
  const { options, out } = call;
  if (options.flag("json")) return void out.json(done);
  out.line(`${done.file} ${done.changed ? "has" : "had already"} hooks for ${done.events.length} events`);
  if (!done.changed) return;
  if (done.backup !== undefined) out.note(`as it was before: ${done.backup}`);
  out.note(`${done.advice}; undo: \`paneward hooks uninstall ${done.agent}\``);
}

async function uninstall(call: Call): Promise<undefined> {
  const { uninstallHooks } = await import("../../hooks/install.ts");
  const done = await uninstallHooks(askedOf(call));
  const { options, out } = call;
  if (options.flag("json")) return void out.json(done);
  out.line(done.changed ? `${done.file} has none of our hooks any more` : `${done.file} has none of our hooks`);
  if (done.backup !== undefined) out.note(`something else was changed meanwhile; as it was before: ${done.backup}`);
}

function askedOf({ args, options, env, connection }: Call) {
  const [agent = ""] = args;
  const settings = options.text("settings");
  if (settings === "") throw new PanewardError("bad_input", "--settings needs the name of a file");
  return { agent, settings, env, places: connection.places };
}
