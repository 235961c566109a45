import type { Row } from "./rows.ts";
import { orderOf, type Sort } from "./sort.ts";

export interface Group {
  /** The repository's top folder; empty for rows outside any repository. */
  readonly folder: string;
  /** The shortest name that is still unique. */
  readonly name: string;
  readonly rows: readonly Row[];
}

export interface Arrangement {
  readonly sort: Sort;
  /** Every word must occur somewhere in the row. */
  readonly filter: string;
  /** Only rows that wait for a person. */
  readonly needsMe: boolean;
  /** Include completed tasks. */
  readonly completed: boolean;
}

export const plainArrangement: Arrangement = { sort: "attention", filter: "", needsMe: false, completed: false };

/** The rows as shown: grouped by project, those that need a person first. */
export function groupsOf(rows: readonly Row[], arrangement: Arrangement): readonly Group[] {
  const roots = new Set(rows.filter(({ kind }) => kind === "task").map(({ folder }) => folder));
  const names = shortNames([...roots]);
  const byFolder = new Map<string, Row[]>();
  for (const row of rows.filter((one) => isShown(one, arrangement, names))) {
    const folder = projectOf(row, roots);
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), row]);
  }
  const order = orderOf(arrangement.sort);
  const groups = [...byFolder].map(([folder, members]) => ({
    folder,
    name: names.get(folder) ?? "terminals",
    rows: members.toSorted(order),
  }));
  return groups.toSorted((a, b) => Number(needs(b)) - Number(needs(a)) || last(a) - last(b) || compare(a.name, b.name));
}

/** Counts for a title, a badge or a summary. */
export function countsOf(rows: readonly Row[]): {
  readonly all: number;
  readonly needMe: number;
  readonly running: number;
  readonly idle: number;
  readonly ended: number;
} {
  const count = (is: (row: Row) => boolean) => rows.filter(is).length;
  return {
    all: rows.length,
    needMe: count((row) => row.needsMe),
    running: count(({ status, needsMe }) => status === "Running" && !needsMe),
    idle: count(({ status, needsMe }) => status === "Idle" && !needsMe),
    ended: count(({ status }) => status === "Exited" || status === "Stopped" || status === "Lost"),
  };
}

function isShown(row: Row, { filter, needsMe, completed }: Arrangement, names: ReadonlyMap<string, string>): boolean {
  if (row.status === "Completed" && !completed) return false;
  if (needsMe && !row.needsMe) return false;
  if (filter.trim() === "") return true;
  const { id, name, folder, agent, status, branch, text, lastLine, question } = row;
  const words = [id, name, folder, names.get(folder), agent, status, branch, text, lastLine, question?.text];
  const haystack = words.join("\n").toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

// A terminal inside a repository with tasks belongs to that repository.
function projectOf(row: Row, roots: ReadonlySet<string>): string {
  if (row.kind === "task") return row.folder;
  const inside = [...roots].filter((root) => row.folder === root || row.folder.startsWith(`${root}/`));
  return inside.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

function shortNames(folders: readonly string[]): ReadonlyMap<string, string> {
  const tail = (folder: string, parts: number) => folder.split("/").filter(Boolean).slice(-parts).join("/");
  const isAlone = (folder: string, parts: number) =>
    folders.every((other) => other === folder || tail(other, parts) !== tail(folder, parts));
  return new Map(
    folders.map((folder) => {
      const depth = folder.split("/").filter(Boolean).length;
      const parts = Array.from({ length: depth }, (_, at) => at + 1).find((count) => isAlone(folder, count));
      return [folder, tail(folder, parts ?? depth) || folder];
    }),
  );
}

const needs = ({ rows }: Group) => rows.some((row) => row.needsMe);
const last = ({ folder }: Group) => Number(folder === "");
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
