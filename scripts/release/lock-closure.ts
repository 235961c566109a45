/** An entry of a lock file, as far as a release needs it. */
export interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type Lock = Readonly<Record<string, Locked>>;

/** The paths in the lock file of all that these packages need when they run, as Node finds it; ours are left out. */
export function closureOf(lock: Lock, packages: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    const { dependencies = {}, optionalDependencies = {} } = lock[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const at = placeOf(lock, path, name);
      if (at === undefined) {
        if (name in optionalDependencies) continue;
        throw new Error(`package-lock.json has no ${name} for ${path}`);
      }
      if (lock[at]?.link || found.has(at)) continue;
      found.add(at);
      visit(at);
    }
  };
  for (const path of packages) visit(path);
  return [...found].sort();
}

/** Node looks in the package itself, and then in each folder above. */
function placeOf(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/\/?[^/]*$/, "")) {
    const at = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (at in lock && !folder.endsWith("node_modules")) return at;
    if (folder === "") return undefined;
  }
}
