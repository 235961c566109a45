// Importing it reads all its exports and so loads streams and more: a tenth of a short command's time. A Node that is too old
// may know no other way, and must get far enough to be refused in words.
const { readFileSync } = process.getBuiltinModule?.("node:fs") ?? (await import("node:fs"));

/** The version of this command line. */
export function cliVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
