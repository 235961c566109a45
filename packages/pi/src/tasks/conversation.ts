import { visible } from "@paneward/sdk";
import type { Pi, PiContext } from "../pi/api.ts";
import { Outbox } from "../pi/outbox.ts";
import { isStale } from "../pi/stale.ts";
import { divide, missed, taskMessage } from "./delivery.ts";
import { expect, type Known, nothingKnown, observe, type TaskEvent } from "./events.ts";
import { Memory } from "./memory.ts";
import { taskSessionName } from "./names.ts";
import { PlainServer } from "./server.ts";
import { liveTasks, type Snapshot, type TaskSnapshot } from "./snapshot.ts";
import { StartNotice } from "./start-notice.ts";
import { titleOf } from "./title.ts";
import { Watcher } from "./watcher.ts";
import { levelOf, sentences } from "./words.ts";

const statusKey = "tmux-tasks";

/** The conversation that pi has opened. Its tasks may run on another tmux server than plain `tmux` calls now. */
export async function openConversation(pi: Pi, ctx: PiContext, wasAway: boolean): Promise<Conversation> {
  const memory = new Memory();
  const session = taskSessionName(ctx.cwd, ctx.sessionManager.getSessionId());
  const socket = memory.load(session)?.socket;
  const server = socket === undefined ? undefined : new PlainServer(socket);
  const isThere = server !== undefined && (await server.hasSession(session));
  return new Conversation(pi, ctx, wasAway, memory, isThere ? server : new PlainServer());
}

/** The background tasks of the open conversation: watches, reports and remembers them. */
export class Conversation {
  readonly session: string;
  readonly server: PlainServer;
  readonly memory: Memory;
  readonly startNotice: StartNotice;
  readonly #ctx: PiContext;
  readonly #watcher: Watcher;
  readonly #outbox: Outbox<TaskEvent>;
  readonly #killed = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #known: Known;
  /** How to report the first look: as a notice if pi was not running, as news if it only reloaded its extensions. */
  #reportFirstAs: "notice" | "news" | undefined;
  /** The saved content; a conversation without tasks has no file. */
  #saved: string | undefined;
  #stopped = false;

  constructor(pi: Pi, ctx: PiContext, wasAway: boolean, memory: Memory, server: PlainServer) {
    this.#ctx = ctx;
    this.memory = memory;
    this.server = server;
    this.startNotice = new StartNotice(ctx);
    const sessionId = ctx.sessionManager.getSessionId();
    this.session = taskSessionName(ctx.cwd, sessionId);
    const remembered = this.memory.load(this.session);
    this.#known = remembered?.known ?? nothingKnown;
    if (remembered) this.#saved = "";
    this.#reportFirstAs = wasAway ? "notice" : "news";
    const pending = remembered?.pending ?? [];
    const format = {
      write: (events: readonly TaskEvent[], id: string) =>
        taskMessage(events, { id, sessionId, sessionName: this.session }),
      wakes: () => true,
    };
    this.#outbox = new Outbox(pi, ctx, format, wasAway ? [] : pending, () => this.#save());
    this.#undelivered = wasAway ? pending : [];
    this.#watcher = new Watcher({
      server: this.server,
      session: this.session,
      onLook: (snapshot) => this.#guarded(() => this.#take(snapshot)),
      onError: (error) => this.#guarded(() => this.#showError(error)),
      isGone: () => isStale(ctx),
    });
  }

  /** Missed events that cannot be shown here; the next start with a user interface shows them. */
  #undelivered: readonly TaskEvent[];

  get tasks(): readonly TaskSnapshot[] {
    return this.#known.tasks;
  }

  get outbox(): Outbox<TaskEvent> {
    return this.#outbox;
  }

  refresh(): Promise<void> {
    return this.#watcher.refresh();
  }

  /** The helper just started a task: it is known before a look has seen it. */
  async started(task: Pick<TaskSnapshot, "windowId" | "windowName" | "taskCwd">): Promise<void> {
    await this.refresh();
    if (this.tasks.some(({ windowId }) => windowId === task.windowId)) return;
    this.#known = expect(this.#known, task);
    await this.refresh();
  }

  /** The user kills these tasks: their end is not news for the model. */
  killedByUser(windowIds: readonly string[]): void {
    for (const windowId of windowIds) this.#killed.add(windowId);
  }

  /** Calls the listener when tasks may have changed, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** It has another title. */
  renamed(): void {
    this.#guarded(() => this.#save());
  }

  stop(): void {
    this.#guarded(() => this.#ctx.hasUI && this.#ctx.ui.setStatus(statusKey, undefined));
    this.#stopped = true;
    this.#watcher.stop();
  }

  #take(snapshot: Snapshot): void {
    const { known, events } = observe(this.#known, snapshot, this.#killed);
    this.#known = known;
    const as = this.#reportFirstAs ?? "news";
    this.#reportFirstAs = undefined;
    if (as === "notice") this.#showMissed([...this.#undelivered, ...missed(events)]);
    else {
      const { notice, message } = divide(events);
      this.#notice(notice);
      this.#outbox.put(message);
    }
    for (const event of events) if (event.kind === "disappeared") this.#killed.delete(event.windowId);
    this.#outbox.deliver();
    this.#save();
    if (this.#ctx.hasUI) {
      const status = snapshot.exists ? `tmux: ${liveTasks(snapshot).length} tasks` : undefined;
      this.#ctx.ui.setStatus(statusKey, status);
    }
    for (const listener of this.#listeners) listener();
  }

  #showMissed(events: readonly TaskEvent[]): void {
    if (events.length > 0) {
      this.startNotice.show(visible(`While pi was not running:\n${sentences(events)}`), levelOf(events));
    }
    this.#undelivered = this.#ctx.hasUI ? [] : events;
  }

  #notice(events: readonly TaskEvent[]): void {
    if (events.length > 0 && this.#ctx.hasUI) this.#ctx.ui.notify(visible(sentences(events)), levelOf(events));
  }

  #showError(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (this.#ctx.hasUI) this.#ctx.ui.setStatus(statusKey, visible(`tmux: ${text.split("\n")[0]}`));
  }

  // Write only changes: new screens do not count, and a session without tasks has no file.
  #save(): void {
    const tasks = this.#known.tasks.map(({ outputPreview: _, prompt: __, currentCommand: ___, ...task }) => task);
    const pending = [...this.#undelivered, ...this.#outbox.pending];
    const title = titleOf(this.#ctx.sessionManager);
    const facts = JSON.stringify([this.#known.server, tasks, pending, title]);
    if (facts === this.#saved || (this.#saved === undefined && tasks.length === 0 && pending.length === 0)) return;
    this.#saved = facts;
    this.memory.save(this.session, {
      known: { ...this.#known, tasks },
      pending,
      ...(title === undefined ? {} : { title }),
      pid: process.pid,
      socket: this.server.socketPath,
    });
  }

  // pi's handles throw after a session is replaced, and an error in a callback would end pi.
  #guarded(work: () => unknown): void {
    if (this.#stopped) return;
    try {
      work();
    } catch {
      this.#stopped = true;
      this.#watcher.stop();
    }
  }
}
