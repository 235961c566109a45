import { readFileSync } from "node:fs";

/** The version of this command line. */
export function cliVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return (manifest as { readonly version: string }).version;
}
