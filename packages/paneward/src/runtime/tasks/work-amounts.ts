import type { WorkAmount } from "@paneward/sdk";
import type { TaskRecord } from "../../model/records.ts";
import type { World } from "../world.ts";

/** How much each task has changed. git is asked at most every few seconds per task, and never makes a list wait long. */
export class WorkAmounts {
  readonly #world: World;
  readonly #known = new Map<number, { readonly amount: WorkAmount | undefined; readonly at: number }>();
  readonly #asking = new Map<number, Promise<void>>();

  constructor(world: World) {
    this.#world = world;
  }

  known(task: number): WorkAmount | undefined {
    return this.#known.get(task)?.amount;
  }

  /** Of one task, after something that changed its files or its base; otherwise of all. */
  forget(task?: number): void {
    if (task === undefined) this.#known.clear();
    else this.#known.delete(task);
  }

  async refresh(tasks: readonly TaskRecord[]): Promise<void> {
    const stale = tasks.filter((task) => task.hasWorktree && this.#isStale(task.id)).slice(0, maxAtOnce);
    if (stale.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([Promise.all(stale.map((task) => this.#ask(task))), patience]);
    clearTimeout(timer);
  }

  #isStale(task: number): boolean {
    const known = this.#known.get(task);
    return !known || this.#world.clock.now() - known.at > staleAfterMs;
  }

  #ask(task: TaskRecord): Promise<void> {
    const running = this.#asking.get(task.id);
    if (running) return running;
    const asking = this.#world.worktrees
      .work(task)
      .catch(() => undefined)
      .then((amount) => {
        this.#known.set(task.id, { amount, at: this.#world.clock.now() });
        this.#asking.delete(task.id);
      });
    this.#asking.set(task.id, asking);
    return asking;
  }
}

const staleAfterMs = 5_000;
const patienceMs = 40;
const maxAtOnce = 8;
