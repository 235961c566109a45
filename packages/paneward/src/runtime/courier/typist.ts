import type { PanePlace } from "../../model/records.ts";
import type { Clock, PaneInput, TypingOptions } from "../ports.ts";

/** A pane, and the host whose tmux it is in. */
export interface PaneAt {
  readonly host: string;
  readonly place: PanePlace;
}

export interface Keys {
  readonly keys: readonly string[];
  /** Between two of them. */
  readonly pauseMs: number;
  readonly mark?: string;
}

/** What an act may do while it has the pane to itself. */
export interface PaneWriter {
  type(text: string, options?: TypingOptions): Promise<void>;
  press(keys: Keys): Promise<void>;
  raw(bytes: string): Promise<void>;
  clear(): Promise<void>;
  pause(ms: number): Promise<void>;
}

/**
 * All text and keys into panes. Each pane has one queue of acts: one paste, one series of keys with its pauses, one answer
 * with all its steps. No act begins before the one in front of it has ended, whether that succeeded or failed. A delivery is
 * several acts: while it waits between them for a draft to go, the keys of the person who is typing get through.
 */
export class Typist {
  readonly #input: PaneInput;
  readonly #clock: Pick<Clock, "sleep">;
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(input: PaneInput, clock: Pick<Clock, "sleep">) {
    this.#input = input;
    this.#clock = clock;
  }

  type(at: PaneAt, text: string, options?: TypingOptions): Promise<void> {
    return this.sequence(at, (writer) => writer.type(text, options));
  }

  press(at: PaneAt, keys: Keys): Promise<void> {
    return this.sequence(at, (writer) => writer.press(keys));
  }

  raw(at: PaneAt, bytes: string): Promise<void> {
    return this.sequence(at, (writer) => writer.raw(bytes));
  }

  /** Several steps as one act, which must use the given writer; calling the typist again would deadlock. */
  sequence<Result>(at: PaneAt, act: (writer: PaneWriter) => Promise<Result>): Promise<Result> {
    // Ids of panes belong to a server process, which a host may have several names for.
    const pane = `${at.place.server} ${at.place.pane}`;
    const begin = () => act(this.#writer(at));
    const mine = (this.#last.get(pane) ?? Promise.resolve()).then(begin, begin);
    this.#last.set(pane, mine);
    const leave = () => {
      if (this.#last.get(pane) === mine) this.#last.delete(pane);
    };
    mine.then(leave, leave);
    return mine;
  }

  /** How many panes have an act under way. */
  get busy(): number {
    return this.#last.size;
  }

  #writer({ host, place }: PaneAt): PaneWriter {
    const pause = (ms: number) => this.#clock.sleep(ms);
    return {
      type: (text, options = {}) => this.#input.type(host, place, text, options),
      press: ({ keys, pauseMs, ...mark }) =>
        this.#input.press(host, place, keys, { ...mark, pause: () => pause(pauseMs) }),
      raw: (bytes) => this.#input.raw(host, place, bytes),
      clear: () => this.#input.clear(host, place),
      pause,
    };
  }
}
