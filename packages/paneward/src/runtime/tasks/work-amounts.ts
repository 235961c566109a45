import type { WorkAmount } from "@paneward/sdk";
import type { TaskRecord } from "../../model/records.ts";
import { within } from "../within.ts";
import type { World } from "../world.ts";

/** How much each task has changed. git runs at most every few seconds per task, and never holds up a list for long. */
export class WorkAmounts {
  readonly #world: Pick<World, "clock" | "worktrees">;
  readonly #known = new Map<number, { readonly amount: WorkAmount | undefined; readonly at: number }>();
  readonly #asking = new Map<number, Promise<void>>();

  constructor(world: Pick<World, "clock" | "worktrees">) {
    this.#world = world;
  }

  known(task: number): WorkAmount | undefined {
    return this.#known.get(task)?.amount;
  }

  /** Forgets one task's amount, after its files or its base changed; without a task, all. */
  forget(task?: number): void {
    if (task === undefined) this.#known.clear();
    else this.#known.delete(task);
  }

  async refresh(tasks: readonly TaskRecord[]): Promise<void> {
    const stale = tasks.filter((task) => task.hasWorktree && this.#isStale(task.id)).slice(0, maxAtOnce);
    if (stale.length === 0) return;
    const asked = Promise.all(stale.map((task) => this.#ask(task)));
    await within(this.#world.clock, asked, patienceMs);
  }

  #isStale(task: number): boolean {
    const known = this.#known.get(task);
    return !known || this.#world.clock.monotonic() - known.at > staleAfterMs;
  }

  #ask(task: TaskRecord): Promise<void> {
    const running = this.#asking.get(task.id);
    if (running) return running;
    const asking = this.#world.worktrees
      .work(task)
      .catch(() => undefined)
      .then((amount) => {
        this.#known.set(task.id, { amount, at: this.#world.clock.monotonic() });
        this.#asking.delete(task.id);
      });
    this.#asking.set(task.id, asking);
    return asking;
  }
}

const staleAfterMs = 5_000;
const patienceMs = 40;
const maxAtOnce = 8;
