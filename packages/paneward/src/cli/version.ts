// Importing it reads all its exports and so loads streams and more: a tenth of a short command's time. A Node that is too old
// may know no other way, and must get as far as being told so.
const { readFileSync } = process.getBuiltinModule?.("node:fs") ?? (await import("node:fs"));

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** The version of this command line. */
export function cliVersion(): string {
  return manifest().version;
}

/** The required Node version, as in `>=22.13.0`. */
export function neededNode(): string {
  return manifest().engines.node;
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Manifest;
}
