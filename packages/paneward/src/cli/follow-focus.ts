import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Call } from "./command.ts";

/** Shows whatever the cursor in the terminal interface is on, until the person detaches or presses Ctrl-C. */
export async function followFocus(call: Call, first: string | undefined): Promise<number> {
  const { client, connection, out, progress } = call;
  progress.silence();
  const { tasks, terminals, lastEvent } = await client.ps({ all: "true" });
  const known = await lastFocus(call, lastEvent);
  const stop = new AbortController();
  const shown = new Shown(call, () => stop.abort());
  process.on("SIGINT", () => stop.abort());
  out.note("shows what the cursor in `paneward` is on; detach or Ctrl-C leaves");
  const begin = first ?? known;
  const exists = [...tasks.map(({ id }) => String(id)), ...terminals.map(({ id }) => id)];
  if (begin !== undefined && (first !== undefined || exists.includes(begin))) await shown.show(begin);
  const options = { after: lastEvent, types: ["focus_changed"], signal: stop.signal };
  for await (const event of connection.running.follow(options)) {
    if (event.type === "focus_changed") await shown.show(event.data.id);
  }
  await shown.end();
  return 0;
}

async function lastFocus({ client }: Call, newest: number): Promise<string | undefined> {
  const after = Math.max(0, newest - 10_000);
  const { events } = await client.events({ after, limit: 10_000, types: "focus_changed" });
  return (events.at(-1)?.data as { readonly id: string } | undefined)?.id;
}

/** One tmux client at a time. */
class Shown {
  readonly #call: Call;
  readonly #onDetach: () => void;
  #child: ChildProcess | undefined;

  constructor(call: Call, onDetach: () => void) {
    this.#call = call;
    this.#onDetach = onDetach;
  }

  /** Shows this one instead. Attaching would start a task that does not run, and looking must not. */
  async show(id: string): Promise<void> {
    const { client, env, out } = this.#call;
    const { tasks, terminals } = await client.ps({ all: "true" });
    const one =
      tasks.find((task) => String(task.id) === id || task.slug === id) ??
      terminals.find((terminal) => terminal.id === id || terminal.name === id);
    await this.end();
    if (!one || !isAlive.has(one.status)) return out.note(`${id} does not run`);
    const { argv } = await client.attach({ id });
    const [file = "", ...args] = argv;
    // tmux refuses to attach inside itself while TMUX is set; another server's session is no danger.
    const { TMUX: _, TMUX_PANE: __, ...rest } = env;
    const child = spawn(file, args, { stdio: "inherit", env: rest });
    this.#child = child;
    child.once("exit", () => {
      if (this.#child === child) this.#onDetach();
    });
  }

  async end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  }
}

const isAlive: ReadonlySet<string> = new Set(["Running", "Idle", "Waiting"]);
