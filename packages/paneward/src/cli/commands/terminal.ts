import { PanewardError } from "@paneward/sdk";
import { isInteractive } from "../asking.ts";
import { runProgram } from "../child.ts";
import type { Call, Command } from "../command.ts";
import { forEachId } from "../several.ts";

export const terminalCommands: readonly Command[] = [
  {
    name: "attach",
    operations: ["attach"],
    summary: "show a terminal here; C-b d leaves it running",
    details:
      "Runs `tmux attach` here; C-b d leaves. A task that was never started or was stopped is started first. A program that ended by itself is shown as its screen was. With `--follow` it shows whatever the cursor in the terminal interface is on, and starts nothing.",
    page: "tui.md",
    takes: "[id]",
    completes: "ids",
    options: [["--follow", "show whatever the cursor in the terminal interface is on"]],
    examples: [
      "paneward attach 12",
      "paneward attach fix-login",
      "paneward attach --follow",
      "paneward attach t3 --json    # only say how",
    ],
    run: attach,
  },
  {
    name: "stop",
    operations: ["stop"],
    summary: "end programs; what they printed stays readable",
    details: "TERM first, HUP after 1.5 s, KILL after another second; then the tmux session is closed.",
    takes: "<id...>",
    completes: "ids",
    examples: ["paneward stop 12", "paneward stop t3 t4"],
    run: stop,
  },
  {
    name: "restart",
    operations: ["restart"],
    summary: "run the same programs again, in the same place",
    details:
      "The id, the name and the journal stay. In the same pane if it is still there, otherwise in a new session.",
    takes: "<id...>",
    completes: "ids",
    examples: ["paneward restart t3", "paneward restart 12 --json"],
    run: restart,
  },
];

async function attach(call: Call): Promise<number | undefined> {
  const [id] = call.args;
  if (call.options.flag("follow")) {
    requireTerminal(id ?? "ID");
    const { followFocus } = await import("../follow-focus.ts");
    return followFocus(call, id);
  }
  if (id === undefined) {
    throw new PanewardError("bad_input", "which one?", { hint: "paneward attach ID, or paneward attach --follow" });
  }
  if (!call.options.flag("json")) return attachTo(call, id);
  call.out.json(await call.client.attach({ id }));
}

/** Gives this terminal to tmux until the person detaches. */
export async function attachTo({ client, progress, env }: Call, id: string): Promise<number> {
  requireTerminal(id);
  const { argv } = await client.attach({ id });
  progress.silence();
  // tmux refuses to attach inside itself while TMUX is set; another server's session is no danger.
  const { TMUX: _, TMUX_PANE: __, ...rest } = env;
  try {
    return await runProgram({ argv, env: rest });
  } catch (cause) {
    throw new PanewardError("unavailable", `${argv[0]} could not be run: ${(cause as Error).message}`, { cause });
  }
}

function requireTerminal(id: string): void {
  if (isInteractive()) return;
  throw new PanewardError("bad_input", "attach needs an interactive terminal (TTY)", {
    hint: `\`paneward screen ${id}\` and \`paneward read ${id}\` work without one`,
  });
}

function stop(call: Call): Promise<number> {
  const { client, options, out } = call;
  return forEachId(call, async (id) => {
    const answer = await client.stop({ id });
    if (options.flag("json")) out.json(answer);
    else out.line(answer.stopped ? `${answer.id} is stopped` : `${answer.id} did not run`);
  });
}

function restart(call: Call): Promise<number> {
  const { client, options, out } = call;
  return forEachId(call, async (id) => {
    const terminal = await client.restart({ id });
    if (options.flag("json")) out.json(terminal);
    else out.line(`${terminal.id} ${terminal.name}: ${terminal.status}`);
  });
}
