import type { Status } from "../shapes.ts";
import type { Row } from "./rows.ts";

export const sorts = ["attention", "number", "name", "status", "newest"] as const;

/** The order of rows. `attention` moves a row only when it starts or stops needing a person. */
export type Sort = (typeof sorts)[number];

export function orderOf(sort: Sort): (a: Row, b: Row) => number {
  const by = orders[sort];
  return (a, b) => by(a, b) || byNumber(a, b);
}

const statusOrder: readonly Status[] = [
  "Waiting",
  "Running",
  "Idle",
  "Exited",
  "Lost",
  "Stopped",
  "Draft",
  "Completed",
];

const orders: Readonly<Record<Sort, (a: Row, b: Row) => number>> = {
  attention: (a, b) => Number(b.needsMe) - Number(a.needsMe),
  number: () => 0,
  name: (a, b) => compare(a.name, b.name),
  status: (a, b) => statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status),
  newest: (a, b) => b.why.since - a.why.since,
};

const kinds: readonly Row["kind"][] = ["task", "terminal", "agent"];

function byNumber(a: Row, b: Row): number {
  return kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || numberIn(a.id) - numberIn(b.id) || compare(a.id, b.id);
}

function numberIn(id: string): number {
  return Number(/\d+/.exec(id)?.[0] ?? 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
