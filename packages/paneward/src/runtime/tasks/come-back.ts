import { comesBack, isLost } from "../../model/lost.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { afterLossMs } from "../../model/timing.ts";
import { lockKey } from "../resolve.ts";
import { around, restorable, restoreTerminal } from "./restore.ts";
import type { TaskDeps } from "./resume.ts";

export interface ComeBackDeps extends TaskDeps {
  readonly lock: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
}

/** After a loss: starts what comes back by itself, and reports how many others a person could restore. */
export class ComeBack {
  readonly #deps: ComeBackDeps;
  #cancel: () => void = () => {};
  #timer: () => void = () => {};
  #work: Promise<void> = Promise.resolve();
  #offered: string | undefined;
  #isStopped = false;

  constructor(deps: ComeBackDeps) {
    this.#deps = deps;
  }

  /** Call once the daemon serves. What was lost before that comes back now. */
  begin(): void {
    this.#cancel = this.#deps.store.onEvents((events) => {
      const isLoss = events.some(
        ({ type, data }) => type === "task_lost" || (type === "terminal_closed" && data.end.kind === "lost"),
      );
      if (isLoss) this.#soon();
    });
    // A restart of the daemon is no news of what was lost long ago.
    const { store, startedAt } = this.#deps;
    const isNews = store.terminals().some((one) => isLost(one) && (one.endedAt ?? 0) >= startedAt);
    if (!isNews) this.#offered = JSON.stringify(countLost(this.#deps));
    this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    this.#timer();
    await this.#work;
  }

  /** Reports how many can be restored, if that has changed and somebody wants to know. */
  offer(): void {
    const { store } = this.#deps;
    const counts = countLost(this.#deps);
    const offered = JSON.stringify(counts);
    const before = this.#offered ?? JSON.stringify({ can: 0, cannot: 0 });
    this.#offered = offered;
    if (counts && offered !== before) store.keep((writer) => writer.append("restore_offered", counts));
  }

  // All that a tmux server took along is reported one by one.
  #soon(): void {
    this.#timer();
    this.#timer = this.#deps.clock.timer(afterLossMs, () => this.#run());
  }

  #run(): void {
    this.#work = this.#work
      .then(() => this.#all())
      .catch((error: unknown) => {
        this.#deps.log.error("what comes back by itself was not started", { error: String(error) });
      });
  }

  async #all(): Promise<void> {
    const { store, log } = this.#deps;
    await eachOf(
      store.terminals().filter((one) => this.#comesBack(one)),
      async ({ id }) => {
        if (this.#isStopped) return;
        await withTerminal(this.#deps, id, async (record) => {
          if (this.#isStopped || !this.#comesBack(record)) return;
          const restored = await restoreTerminal(this.#deps, record, { byItself: true });
          log.info("a lost program comes back by itself", { ...restored });
        });
      },
    );
    if (!this.#isStopped) this.offer();
  }

  #comesBack(record: TerminalRecord): boolean {
    return isLost(record) && comesBack(record, around(this.#deps, record), this.#deps.restore);
  }
}

/** How many lost programs a person could restore, and how many not; undefined when nobody wants to know. */
export function countLost(
  deps: Pick<ComeBackDeps, "store" | "machine" | "restore">,
): { readonly can: number; readonly cannot: number } | undefined {
  if (deps.restore === "never") return undefined;
  const waiting = deps.store
    .terminals()
    .filter((one) => isLost(one) && !comesBack(one, around(deps, one), deps.restore));
  const lost = waiting.flatMap((one) => restorable(deps, one) ?? []);
  const can = lost.filter((one) => one.can).length;
  return { can, cannot: lost.length - can };
}

/** Works on a terminal as it is when the work before it is done; undefined when it was removed meanwhile. */
export async function withTerminal<Result>(
  { store, lock }: Pick<ComeBackDeps, "store" | "lock">,
  id: string,
  work: (record: TerminalRecord) => Promise<Result>,
): Promise<Result | undefined> {
  const terminal = store.terminal(id);
  if (!terminal) return undefined;
  return lock(lockKey({ kind: "terminal", terminal }), async () => {
    const record = store.terminal(id);
    return record && work(record);
  });
}

/** Works on a few at a time: programs that start together slow each other down. */
export async function eachOf<One>(all: readonly One[], work: (one: One) => Promise<void>): Promise<void> {
  const left = all.values();
  const line = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, line));
}

const atOnce = 4;
