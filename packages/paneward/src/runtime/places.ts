import type { PanePlace } from "../model/records.ts";

/**
 * Which terminal runs in a pane. Output comes often and must find its terminal without a query. The book of terminals
 * writes it; everything else only reads.
 */
export interface TerminalPlaces {
  /** The running terminal; undefined for a program that ended, or that another one replaced in the same pane. */
  terminalAt(place: PanePlace): string | undefined;
}

export class PlaceIndex implements TerminalPlaces {
  readonly #terminals = new Map<string, string>();

  add(place: PanePlace, terminal: string): void {
    this.#terminals.set(placeKey(place), terminal);
  }

  remove(place: PanePlace): void {
    this.#terminals.delete(placeKey(place));
  }

  terminalAt(place: PanePlace): string | undefined {
    return this.#terminals.get(placeKey(place));
  }
}

/** Servers reuse the ids of panes, and a pane outlives its program: it takes all three to name one program. */
export function placeKey({ server, pane, pid }: PanePlace): string {
  return `${server}/${pane}/${pid}`;
}
