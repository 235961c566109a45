import type { Grid } from "./fold-grid.ts";

/** What a control sequence does to a screen. `n` is its first parameter, at least 1; `p` are all, missing ones 0. */
export const sequences: Readonly<Record<string, (grid: Grid, n: number, p: readonly number[]) => void>> = {
  A: (grid, n) => grid.up(n),
  B: (grid, n) => grid.down(n),
  C: (grid, n) => grid.moveTo(grid.row, within(grid) + n),
  D: (grid, n) => grid.moveTo(grid.row, within(grid) - n),
  E: (grid, n) => {
    grid.down(n);
    grid.column = 0;
  },
  F: (grid, n) => {
    grid.up(n);
    grid.column = 0;
  },
  G: (grid, n) => grid.moveTo(grid.row, n - 1),
  "`": (grid, n) => grid.moveTo(grid.row, n - 1),
  a: (grid, n) => grid.moveTo(grid.row, within(grid) + n),
  d: (grid, n) => grid.moveTo(n - 1, grid.column),
  e: (grid, n) => grid.moveTo(grid.row + n, grid.column),
  H: (grid, n, p) => grid.moveTo(n - 1, (p[1] || 1) - 1),
  f: (grid, n, p) => grid.moveTo(n - 1, (p[1] || 1) - 1),
  I: (grid, n) => {
    for (let left = Math.min(n, grid.size.columns); left > 0; left--) tab(grid);
  },
  Z: (grid, n) => {
    const column = within(grid);
    grid.moveTo(grid.row, column % 8 === 0 ? column - 8 * n : column - (column % 8) - 8 * (n - 1));
  },
  K: (grid, _, [what = 0]) => {
    if (what === 0) grid.eraseToEnd();
    if (what === 1) grid.eraseFromBegin();
    if (what === 2) grid.current.clear();
  },
  X: (grid, n) => {
    grid.column = within(grid);
    grid.current.erase(grid.column, Math.min(grid.column + n, grid.size.columns));
  },
  P: (grid, n) => {
    grid.column = within(grid);
    grid.current.remove(grid.column, Math.min(n, grid.size.columns));
  },
  "@": (grid, n) => {
    grid.column = within(grid);
    grid.current.insert(grid.column, Math.min(n, grid.size.columns), grid.size.columns);
  },
  L: (grid, n) => {
    grid.column = within(grid);
    if (grid.row < grid.top || grid.row > grid.bottom) return;
    grid.insertRows(grid.row, n);
    grid.column = 0;
  },
  M: (grid, n) => {
    grid.column = within(grid);
    if (grid.row < grid.top || grid.row > grid.bottom) return;
    grid.removeRows(grid.row, n);
    grid.column = 0;
  },
  S: (grid, n) => {
    for (let left = Math.min(n, grid.size.rows); left > 0; left--) grid.scrollUp();
  },
  T: (grid, n) => grid.insertRows(grid.top, n),
  r: (grid, n, p) => {
    const bottom = p[1] && p[1] <= grid.size.rows ? p[1] : grid.size.rows;
    if (bottom <= n) return;
    grid.top = n - 1;
    grid.bottom = bottom - 1;
    grid.moveTo(0, 0);
  },
  s: (grid) => grid.save(),
  u: (grid) => grid.restore(),
};

export function tab(grid: Grid): void {
  if (grid.column < grid.size.columns) grid.moveTo(grid.row, grid.column - (grid.column % 8) + 8);
}

export function backspace(grid: Grid): void {
  grid.moveTo(grid.row, within(grid) - 1);
}

/** Parameters as numbers, missing ones as 0. */
export function numbersOf(parameters: string): readonly number[] {
  return parameters.split(";", 16).map((number) => Math.min(Number.parseInt(number, 10) || 0, 99_999));
}

// Behind the last column means on it, for everything but printing.
function within(grid: Grid): number {
  return Math.min(grid.column, grid.size.columns - 1);
}
