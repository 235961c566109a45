import type { PanePlace } from "../model/records.ts";

/** Which terminal a pane belongs to. Output is frequent and must find its terminal without a query. */
export interface TerminalPlaces {
  /** The terminal whose program runs there; undefined once it ended, or another one replaced it in the same pane. */
  runningAt(place: PanePlace): string | undefined;
  /** The terminal that the pane belongs to, also after its program ended, until the terminal is removed. */
  terminalAt(place: PanePlace): string | undefined;
}

/** Written by the book of terminals; everything else only reads. */
export class PlaceIndex implements TerminalPlaces {
  readonly #running = new Map<string, string>();
  readonly #byPane = new Map<string, string>();

  add(place: PanePlace, terminal: string): void {
    this.#running.set(placeKey(place), terminal);
    this.#byPane.set(paneKey(place), terminal);
  }

  /** Its program ended, or is about to be replaced. */
  leave(place: PanePlace): void {
    this.#running.delete(placeKey(place));
  }

  remove(place: PanePlace): void {
    this.leave(place);
    this.#byPane.delete(paneKey(place));
  }

  runningAt(place: PanePlace): string | undefined {
    return this.#running.get(placeKey(place));
  }

  terminalAt(place: PanePlace): string | undefined {
    return this.#byPane.get(paneKey(place));
  }
}

/** One program: a pane outlives its program, so it takes all three to name one. */
export function placeKey({ server, pane, pid }: PanePlace): string {
  return `${server}/${pane}/${pid}`;
}

// A tmux server never gives a pane's id twice; two servers do.
function paneKey({ server, pane }: PanePlace): string {
  return `${server}/${pane}`;
}
