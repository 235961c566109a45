import { PanewardError } from "@paneward/sdk";
import { runProgram } from "../child.ts";
import type { Call, Command } from "../command.ts";
import { forEachId } from "../for-each-id.ts";
import { endText } from "../look/status.ts";
import { isInteractive } from "../prompt.ts";

export const terminalCommands: readonly Command[] = [
  {
    name: "attach",
    operations: ["attach"],
    summary: "attach to a terminal; C-b d detaches and leaves it running",
    details:
      "Runs `tmux attach` here. Inside a tmux of your own, that one takes C-b: press C-b C-b d. Starts a draft or stopped task first. The session in which models work has the name `artie`. If the program ended by itself, shows its last screen. With `--follow` it shows whatever the cursor in the terminal interface is on, and starts nothing.",
    page: "tui.md",
    takes: "[id]",
    completes: "ids",
    options: [["--follow", "follow the selection in the terminal interface"]],
    examples: [
      "paneward attach 12",
      "paneward attach fix-login",
      "paneward attach --follow",
      "paneward attach t3 --json    # only print how",
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
    details: "Keeps the id, the name and the journal. Uses the same pane if it still exists, otherwise a new session.",
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
    throw new PanewardError("bad_input", "no id given", { hint: "paneward attach ID, or paneward attach --follow" });
  }
  if (!call.options.flag("json")) return attachTo(call, id);
  call.out.json(await call.client.attach({ id }));
}

/** Runs tmux on this terminal until the user detaches. */
export async function attachTo({ client, out, progress, env }: Call, id: string): Promise<number> {
  requireTerminal(id);
  const { argv, end } = await client.attach({ id });
  if (end) out.note(`${id} ${endText(end)}; this is its last screen, and \`paneward restart ${id}\` runs it again`);
  progress.silence();
  // tmux refuses to nest while TMUX is set; this session is on another server, so nesting is safe.
  const { TMUX: _, TMUX_PANE: __, ...rest } = env;
  try {
    return await runProgram({ argv, env: rest });
  } catch (cause) {
    throw new PanewardError("unavailable", `${argv[0]} could not be started: ${(cause as Error).message}`, { cause });
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
    else out.line(answer.stopped ? `${id} stopped` : `${id} was not running`);
  });
}

function restart(call: Call): Promise<number> {
  const { client, options, out } = call;
  return forEachId(call, async (id) => {
    const terminal = await client.restart({ id });
    if (options.flag("json")) out.json(terminal);
    else out.line(`${id === terminal.id ? `${id} ${terminal.name}` : id}: ${terminal.status}`);
  });
}
