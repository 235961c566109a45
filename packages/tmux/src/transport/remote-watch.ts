import { basename, dirname } from "node:path/posix";

/** Sizes of all files in each of these folders, which are directly in `parent`, in one look. */
export type SizesIn = (parent: string, names: readonly string[]) => Promise<ReadonlyMap<string, string>>;

interface Watched {
  readonly name: string;
  readonly onChange: () => void;
  seen: string;
}

const minPollMs = 100;
const maxPollMs = 1_000;

/**
 * Reports when folders of a host change. Pipes carry no file notifications, so it looks, more slowly while nothing changes: one
 * look for all folders of a parent, however many terminals the host has.
 */
export class RemoteWatch {
  readonly #sizesIn: SizesIn;
  readonly #parents = new Map<string, Parent>();

  constructor(sizesIn: SizesIn) {
    this.#sizesIn = sizesIn;
  }

  watch(folder: string, onChange: () => void): () => void {
    const path = dirname(folder);
    const parent = this.#parents.get(path) ?? new Parent((names) => this.#sizesIn(path, names));
    this.#parents.set(path, parent);
    const one: Watched = { name: basename(folder), onChange, seen: "" };
    parent.add(one);
    return () => {
      if (parent.remove(one)) this.#parents.delete(path);
    };
  }

  close(): void {
    for (const parent of this.#parents.values()) parent.stop();
    this.#parents.clear();
  }
}

class Parent {
  readonly #sizes: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  #pause = minPollMs;
  #looking = false;

  constructor(sizes: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>) {
    this.#sizes = sizes;
  }

  add(one: Watched): void {
    this.#watched.add(one);
    this.#soon(0);
  }

  /** True when that was the last. */
  remove(one: Watched): boolean {
    this.#watched.delete(one);
    if (this.#watched.size > 0) return false;
    this.stop();
    return true;
  }

  stop(): void {
    this.#watched.clear();
    clearTimeout(this.#timer);
  }

  #soon(ms: number): void {
    this.#pause = ms === 0 ? minPollMs : ms;
    if (this.#looking) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), ms).unref();
  }

  async #look(): Promise<void> {
    const asked = [...this.#watched];
    this.#looking = true;
    const sizes = await this.#sizes([...new Set(asked.map(({ name }) => name))]).catch(() => new Map<string, string>());
    this.#looking = false;
    let changed = false;
    for (const one of asked) {
      const now = sizes.get(one.name) ?? "";
      if (now === one.seen || !this.#watched.has(one)) continue;
      one.seen = now;
      changed = true;
      one.onChange();
    }
    if (this.#watched.size === 0) return;
    const isNew = [...this.#watched].some((one) => !asked.includes(one));
    this.#soon(isNew ? 0 : changed ? minPollMs : Math.min(maxPollMs, this.#pause * 2));
  }
}
