import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Call } from "./command.ts";

/** Attaches to whatever is selected in the terminal interface, until the user detaches or presses Ctrl-C. */
export async function followFocus(call: Call, first: string | undefined): Promise<number> {
  const { client, connection, out, progress } = call;
  progress.silence();
  const { tasks, terminals, lastEvent } = await client.ps({ all: "true" });
  const known = await lastFocus(call, lastEvent);
  const stop = new AbortController();
  const attached = new AttachedClient(call, () => stop.abort());
  process.on("SIGINT", () => stop.abort());
  out.note("showing what is selected in `paneward`; detach or Ctrl-C to quit");
  const begin = first ?? known;
  const exists = [...tasks.map(({ id }) => String(id)), ...terminals.map(({ id }) => id)];
  if (begin !== undefined && (first !== undefined || exists.includes(begin))) await attached.show(begin);
  const options = { after: lastEvent, types: ["focus_changed"], signal: stop.signal };
  for await (const event of connection.running.follow(options)) {
    if (event.type === "focus_changed") await attached.show(event.data.id);
  }
  await attached.end();
  return 0;
}

async function lastFocus({ client }: Call, newest: number): Promise<string | undefined> {
  const after = Math.max(0, newest - 10_000);
  const { events } = await client.events({ after, limit: 10_000, types: "focus_changed" });
  return (events.at(-1)?.data as { readonly id: string } | undefined)?.id;
}

/** Runs at most one tmux client. */
class AttachedClient {
  readonly #call: Call;
  readonly #onDetach: () => void;
  #child: ChildProcess | undefined;

  constructor(call: Call, onDetach: () => void) {
    this.#call = call;
    this.#onDetach = onDetach;
  }

  /** Switches to another terminal. Checks first that it runs, because `attach` would start it. */
  async show(id: string): Promise<void> {
    const { client, env, out } = this.#call;
    const { tasks, terminals } = await client.ps({ all: "true" });
    const one =
      tasks.find((task) => String(task.id) === id || task.slug === id) ??
      terminals.find((terminal) => terminal.id === id || terminal.name === id);
    await this.end();
    if (!one || !isAlive.has(one.status)) return out.note(`${id} is not running`);
    const { argv } = await client.attach({ id });
    const [file = "", ...args] = argv;
    // tmux refuses to nest while TMUX is set; this session is on another server, so nesting is safe.
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
