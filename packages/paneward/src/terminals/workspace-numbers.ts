import type { PaneListing } from "./workspace-rows.ts";

/** Numbers for windows and panes that were made by hand. */
export interface Numbering {
  readonly nextWindow: number;
  readonly windows: readonly { readonly window: string; readonly number: number; readonly nextPane: number }[];
  readonly panes: readonly { readonly pane: string; readonly address: string }[];
}

/**
 * Numbers every window and pane that has no number yet: tmux's index if that was never used, else the next one. Numbers
 * are never reused, so the counters only grow.
 */
export function assignNumbers(listing: readonly PaneListing[]): Numbering | undefined {
  if (listing.every(({ windowNumber, address }) => windowNumber !== undefined && address !== undefined))
    return undefined;
  let nextWindow = Math.max(0, ...listing.map((row) => Math.max(row.nextWindow, (row.windowNumber ?? -1) + 1)));
  const windows = [];
  const panes = [];
  for (const rows of byWindow(listing)) {
    const [first] = rows;
    if (!first || rows.every(({ windowNumber, address }) => windowNumber !== undefined && address !== undefined))
      continue;
    const number = first.windowNumber ?? Math.max(nextWindow, first.windowIndex);
    nextWindow = Math.max(nextWindow, number + 1);
    let nextPane = Math.max(first.nextPane, ...rows.map(({ address }) => indexAfter(address)));
    for (const row of rows.filter(({ address }) => address === undefined)) {
      const index = Math.max(nextPane, row.paneIndex);
      nextPane = index + 1;
      panes.push({ pane: row.pane, address: `${number}.${index}` });
    }
    windows.push({ window: first.window, number, nextPane });
  }
  return { nextWindow, windows, panes };
}

function byWindow(listing: readonly PaneListing[]): readonly (readonly PaneListing[])[] {
  const sorted = [...listing].sort((a, b) => a.windowIndex - b.windowIndex || a.paneIndex - b.paneIndex);
  return [...Map.groupBy(sorted, ({ window }) => window).values()];
}

function indexAfter(address: string | undefined): number {
  return address === undefined ? 0 : Number(address.split(".")[1]) + 1;
}
