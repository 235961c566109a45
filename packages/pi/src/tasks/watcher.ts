import { existsSync } from "node:fs";
import { questionStableMs } from "./events.ts";
import { look } from "./look.ts";
import type { PlainServer } from "./server.ts";
import { nothing, type Snapshot, type TaskSnapshot } from "./snapshot.ts";
import { Stir } from "./stir.ts";
import { channelOf, Waker } from "./waker.ts";

export interface WatchedSession {
  readonly server: PlainServer;
  readonly session: string;
  /** Gets every look, in order. */
  readonly onLook: (snapshot: Snapshot) => void;
  readonly onError: (error: unknown) => void;
  /** The session is gone; the watcher then stops by itself. */
  readonly isGone: () => boolean;
  readonly lookMs?: number;
}

/**
 * Looks at the task session when tmux signals, on request, and while a task runs there: once it has printed and rests, a
 * moment after a question was first seen, and every 2 s.
 */
export class Watcher {
  readonly #watched: WatchedSession;
  readonly #waker: Waker;
  readonly #timer: NodeJS.Timeout;
  readonly #stir = new Stir();
  #stirring: NodeJS.Timeout | undefined;
  #tasks: readonly TaskSnapshot[] = [];
  #looking: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #pokes = 0;
  /** tmux 3.3a forgets an even number of signals that come while no process waits: after each wait, one more look. */
  #lookAtTick = false;

  constructor(of: WatchedSession) {
    this.#watched = of;
    this.#waker = new Waker(of.server.socketPath, channelOf(of.session), () => {
      this.#lookAtTick = true;
      this.#lookSoon();
    });
    this.#timer = setInterval(() => this.#tick(), of.lookMs ?? 2_000).unref();
  }

  /** Resolves after a look that starts after this call. */
  async refresh(): Promise<void> {
    await this.#looking;
    await this.#lookNow();
  }

  /** No callbacks after this. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    clearInterval(this.#stirring);
    this.#waker.stop();
  }

  #tick(): void {
    if (this.#watched.isGone()) this.stop();
    if (this.#stopped) return;
    const isDue = this.#lookAtTick;
    this.#lookAtTick = this.#waker.ensure();
    if (isDue || this.#lookAtTick || this.#tasks.some(isOpen)) this.#lookSoon();
  }

  #follow(tasks: readonly TaskSnapshot[]): void {
    const isNew = tasks.some((task) => task.prompt && !this.#tasks.some((one) => asksTheSame(one, task)));
    this.#tasks = tasks;
    // A question counts when a second look finds it unchanged.
    if (isNew) setTimeout(() => this.#lookSoon(), questionStableMs + 10).unref();
    const live = tasks.flatMap(({ dead, pid }) => (dead || !pid ? [] : [pid]));
    clearInterval(this.#stirring);
    if (live.length === 0 || this.#stopped) return;
    // Many tasks are read less often: the readings shall cost the same.
    const everyMs = stirMs * Math.ceil(live.length / 4);
    this.#stirring = setInterval(() => this.#stir.hasSettled(live) && this.#lookSoon(), everyMs).unref();
  }

  #lookSoon(): void {
    if (this.#looking) this.#again = true;
    else void this.#lookNow();
  }

  #lookNow(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      if (this.#again && !this.#stopped) this.#lookSoon();
      this.#again = false;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    if (this.#stopped) return;
    try {
      const { server, session, onLook } = this.#watched;
      const there = existsSync(server.socketPath);
      this.#lookAtTick ||= this.#waker.ensure();
      const snapshot = there ? await look(server, session, this.#tasks) : nothing(Date.now());
      if (this.#stopped) return;
      this.#follow(snapshot.tasks);
      if (this.#asksAgain(snapshot)) return;
      onLook(snapshot);
    } catch (error) {
      if (!this.#stopped) this.#watched.onError(error);
    }
  }

  // Dead without a status means that tmux missed SIGCHLD: another one makes it check again.
  #asksAgain({ server = "", tasks }: Snapshot): boolean {
    if (tasks.every(({ paneStateKnown }) => paneStateKnown)) this.#pokes = 0;
    else if (this.#pokes < maxPokes) {
      this.#pokes += 1;
      try {
        process.kill(Number(server.split(":")[0]), "SIGCHLD");
      } catch {
        // The server has ended; the next look reports that.
      }
      setTimeout(() => this.#lookSoon(), pokeMs).unref();
      return true;
    }
    return false;
  }
}

// The next question may be there before anyone has seen that the last one was answered.
function asksTheSame(one: TaskSnapshot, other: TaskSnapshot): boolean {
  return one.pid === other.pid && one.prompt?.text === other.prompt?.text && one.prompt?.row === other.prompt?.row;
}

function isOpen({ dead, paneStateKnown }: TaskSnapshot): boolean {
  return !dead || !paneStateKnown;
}

const stirMs = 80;
const maxPokes = 5;
const pokeMs = 50;
