import type { Clock } from "../ports.ts";

/** What people have before their eyes in the terminal interface and in pages, as these clients report it. */
export class Presence {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #viewers = new Map<string, { readonly sees: ReadonlySet<string> | "all"; readonly until: number }>();

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  /** A viewer of a caller sees these, for so many seconds, and no longer what it saw before. */
  sees(viewer: string, ids: readonly string[] | undefined, seconds: number): void {
    this.#viewers.delete(viewer);
    for (const [oldest] of this.#viewers) if (this.#viewers.size >= maxViewers) this.#viewers.delete(oldest);
    const until = this.#clock.monotonic() + seconds * 1_000;
    if (seconds > 0) this.#viewers.set(viewer, { sees: ids === undefined ? "all" : new Set(ids), until });
  }

  /** Until when somebody looks at one of these; undefined if nobody does now. */
  until(ids: readonly string[]): number | undefined {
    const now = this.#clock.monotonic();
    const found = [...this.#viewers.values()].flatMap(({ sees, until }) =>
      until > now && (sees === "all" || ids.some((id) => sees.has(id))) ? [until] : [],
    );
    return found.length === 0 ? undefined : Math.max(...found);
  }
}

const maxViewers = 1_000;
