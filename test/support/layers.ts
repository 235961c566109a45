import { dirname, join, normalize } from "node:path/posix";

/** One row of the layer table: which files it speaks about and what they may import. */
export interface Layer {
  readonly folder: string;
  readonly mayImport: readonly string[];
  readonly pure: boolean;
}

/** A file's path from the root of the repository, and its text. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

export interface Import {
  readonly specifier: string;
  readonly dynamic: boolean;
}

/** Reads the table whose header is `Folder | May import | Pure`. */
export function readLayers(markdown: string): readonly Layer[] {
  const lines = markdown.split("\n");
  const header = lines.findIndex((line) => /^\|\s*Folder\s*\|\s*May import\s*\|\s*Pure\s*\|$/.test(line));
  const end = lines.findIndex((line, at) => at > header && !line.startsWith("|"));
  if (header < 0) return [];
  return lines.slice(header + 2, end < 0 ? undefined : end).map((line) => {
    const [, folder = "", mayImport = "", pure = ""] = line.split("|");
    return { folder: quoted(folder)[0] ?? "", mayImport: quoted(mayImport), pure: pure.trim() === "yes" };
  });
}

/** One sentence for each import against the table, folder without a row, and cycle. */
export function layerFaults(layers: readonly Layer[], sources: readonly Source[]): readonly string[] {
  return [...sources.flatMap((source) => faultsOf(source, layers)), ...cyclesIn(sources)];
}

/** What a file imports: `import … from`, `export … from`, `import "…"` and `import("…")`, types included. */
export function importsOf(text: string): readonly Import[] {
  const fixed = text.matchAll(/^(?:import|export)\b(?:[^;"']*?\bfrom)?\s*["']([^"']+)["']/gm);
  const dynamic = text.matchAll(/\bimport\(\s*["']([^"']+)["']/g);
  return [
    ...[...fixed].map(([, specifier = ""]) => ({ specifier, dynamic: false })),
    ...[...dynamic].map(([, specifier = ""]) => ({ specifier, dynamic: true })),
  ];
}

/** The layer of a file: the row with the longest matching folder. */
function layerOf(path: string, layers: readonly Layer[]): Layer | undefined {
  return layers
    .filter(({ folder }) => covers(folder, path))
    .sort((a, b) => b.folder.length - a.folder.length)
    .at(0);
}

function faultsOf({ path, text }: Source, layers: readonly Layer[]): readonly string[] {
  const layer = layerOf(path, layers);
  if (!layer) return [`${path} is in a folder that the layer table does not have`];
  return importsOf(text).flatMap((imported) => {
    const fault = faultOf(path, imported, layer);
    return fault === undefined ? [] : [`${path} imports ${imported.specifier}: ${fault}`];
  });
}

function faultOf(path: string, { specifier, dynamic }: Import, layer: Layer): string | undefined {
  const isTest = /\.test\.tsx?$/.test(path);
  const ofNode = specifier.startsWith("node:") || /^@paneward\/.*\/node$/.test(specifier);
  if (ofNode && layer.pure && !isTest) return "a pure folder may not import Node";
  if (specifier.startsWith("@paneward/")) {
    const name = specifier.split("/").slice(0, 2).join("/");
    return layer.mayImport.includes(name) ? undefined : `${layer.folder} may not import ${name}`;
  }
  if (!specifier.startsWith(".")) return undefined;
  const target = resolved(path, specifier);
  const source = sourceFolder(path);
  if (isTest && covers(join(source, "../test/support"), target)) return undefined;
  if (!covers(source, target)) return "files outside of the package's src are imported by package name";
  if (covers(layer.folder, target)) return undefined;
  const inside = target.slice(source.length + 1);
  const allowed = layer.mayImport.some(
    (place) => covers(place, inside) || (dynamic && place === `import("${inside}")`),
  );
  return allowed ? undefined : `${layer.folder} may not import ${inside}`;
}

// Import cycles, one sentence each, found by a depth-first walk.
function cyclesIn(sources: readonly Source[]): readonly string[] {
  const known = new Map(sources.map(({ path, text }) => [path, relativeImports(path, text)]));
  const finished = new Set<string>();
  const faults: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const ring = trail.indexOf(path);
    if (ring >= 0) faults.push(`files import each other in a cycle: ${[...trail.slice(ring), path].join(" -> ")}`);
    if (ring >= 0 || finished.has(path)) return;
    for (const next of known.get(path) ?? []) visit(next, [...trail, path]);
    finished.add(path);
  };
  for (const path of known.keys()) visit(path, []);
  return faults;
}

function relativeImports(path: string, text: string): readonly string[] {
  const fixed = importsOf(text).filter(({ specifier, dynamic }) => specifier.startsWith(".") && !dynamic);
  return fixed.map(({ specifier }) => resolved(path, specifier));
}

function resolved(path: string, specifier: string): string {
  return normalize(join(dirname(path), specifier));
}

function sourceFolder(path: string): string {
  return path.split("/").slice(0, 3).join("/");
}

// `a/b` covers itself and all below it; `a/*.ts` covers the files directly in `a`.
function covers(folder: string, path: string): boolean {
  if (/(^|\/)\*\.ts$/.test(folder)) return dirname(path) === dirname(folder);
  return path === folder || path.startsWith(`${folder}/`);
}

function quoted(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
}
