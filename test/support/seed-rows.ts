import { dirname, join, normalize } from "node:path/posix";
import { importsOf, type Source } from "./layers.ts";

/** One row of a seed's table: what the document asks, what is here, and which tests hold it. */
export interface SeedRow {
  readonly line: number;
  readonly row: string;
  readonly asks: string;
  readonly here: string;
  readonly tests: readonly NamedTest[];
}

/** A test by the link that names it: `[its name](path of its file)`, the path as the page writes it. */
export interface NamedTest {
  readonly name: string;
  readonly target: string;
}

/** The path of its file from the root. */
export function pathOf(page: string, { target }: Pick<NamedTest, "target">): string {
  return normalize(join(dirname(page), target));
}

const header = /^\|\s*Row\s*\|\s*The document asks\s*\|\s*Here\s*\|\s*Held by\s*\|$/;

/** The rows of all tables whose header is `Row | The document asks | Here | Held by`. */
export function seedRowsIn(markdown: string): readonly SeedRow[] {
  const lines = markdown.split("\n");
  return lines.flatMap((line, at) => (header.test(line) ? rowsBelow(lines, at + 2) : []));
}

function rowsBelow(lines: readonly string[], first: number): readonly SeedRow[] {
  const end = lines.findIndex((line, at) => at >= first && !line.startsWith("|"));
  return lines.slice(first, end < 0 ? undefined : end).map((line, at) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
    const [, row = "", asks = "", here = "", held = ""] = cells;
    return { line: first + at + 1, row, asks, here, tests: testsIn(held) };
  });
}

function testsIn(cell: string): readonly NamedTest[] {
  const links = cell.matchAll(/\[((?:\\.|[^\]\\])+)\]\(([^)\s]+)\)/g);
  return [...links].map(([, name = "", target = ""]) => ({ name: name.replace(/\\([[\]|*_<>])/g, "$1"), target }));
}

/** What a row lacks: one sentence for each fault. */
export function seedFaults(
  page: string,
  rows: readonly SeedRow[],
  suite: ReadonlyMap<string, string>,
): readonly string[] {
  const place = ({ line, row }: SeedRow) => `${page}:${line}, row ${row}`;
  const twice = rows.filter(({ row }, at) => rows.findIndex((other) => other.row === row) < at);
  return [
    ...twice.map((row) => `${place(row)}: another row has this name`),
    ...rows.flatMap((row) => rowFaults(page, row, suite).map((fault) => `${place(row)}: ${fault}`)),
  ];
}

function rowFaults(page: string, row: SeedRow, suite: ReadonlyMap<string, string>): readonly string[] {
  const empty = row.row === "" || row.asks === "" || row.here === "";
  if (empty) return ["a cell is empty"];
  if (row.tests.length === 0 && !/^(Differs|Left out): ./.test(row.here))
    return ["no test holds it, and it does not begin with `Differs: ` or `Left out: ` and a reason"];
  return row.tests.flatMap(({ name, target }) => {
    const path = pathOf(page, { target });
    const source = suite.get(path);
    if (source === undefined) return [`the suite does not run ${path}`];
    return hasTest(source, name) ? [] : [`${path} has no test "${name}"`];
  });
}

/** Whether a source has a test, or a group of tests, of that name. A skipped one does not count. */
export function hasTest(source: string, name: string): boolean {
  const literals = source.matchAll(/\b(?:test|describe)\(\s*(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g);
  return [...literals].some(([, plain, template]) =>
    plain === undefined ? couldMake(template ?? "", name, source) : plain.replace(/\\(.)/g, "$1") === name,
  );
}

// In a name that is made, `${…}` stands for words that the source has somewhere.
function couldMake(template: string, name: string, source: string): boolean {
  const parts = template.split(/\$\{[^}]*\}/).map((part) => literally(part.replace(/\\(.)/g, "$1")));
  const found = new RegExp(`^${parts.join("(.+)")}$`, "s").exec(name);
  return found?.slice(1).every((made) => made.split(/\s+/).every((word) => source.includes(word))) ?? false;
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** For each of these files, and each that it imports from this repository: its text with the texts that it imports. */
export function withImports(entries: readonly string[], sources: readonly Source[]): ReadonlyMap<string, string> {
  const known = new Map(sources.map(({ path, text }) => [path, text]));
  const reached = reachedFrom(entries, known);
  return new Map([...reached].map((path) => [path, textsOf(reachedFrom([path], known), known)]));
}

function reachedFrom(entries: readonly string[], known: ReadonlyMap<string, string>): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const text = known.get(path);
    if (text === undefined || reached.has(path)) return;
    reached.add(path);
    for (const { specifier } of importsOf(text))
      if (specifier.startsWith(".")) visit(normalize(join(dirname(path), specifier)));
  };
  for (const entry of entries) visit(entry);
  return reached;
}

function textsOf(paths: ReadonlySet<string>, known: ReadonlyMap<string, string>): string {
  return [...paths].map((path) => known.get(path)).join("\n");
}
