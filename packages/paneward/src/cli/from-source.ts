import { extname, resolve } from "node:path";

/** When run from source, `paneward` is not on the PATH yet. */
export function pathForSource(): readonly string[] {
  if (extname(import.meta.filename) !== ".ts") return [];
  return [`export PATH="${resolve(import.meta.dirname, "../../../../bin")}:$PATH"`];
}
