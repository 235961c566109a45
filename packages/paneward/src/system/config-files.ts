import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mergeConfig, type ReadConfig } from "@paneward/sdk";
import { parse } from "smol-toml";

/** Reads the user's and a project's configuration. A file that cannot be parsed yields a warning, not an error. */
export async function readConfigFiles(
  userConfig: string,
  root: string | undefined,
): Promise<ReadConfig & { readonly files: readonly string[] }> {
  const names = [userConfig, ...(root === undefined ? [] : [join(root, ".paneward", "config.toml")])];
  const warnings: string[] = [];
  const found: { name: string; value: unknown }[] = [];
  for (const name of names) {
    const text = readIfExists(name);
    if (text === undefined) continue;
    try {
      found.push({ name, value: parse(text) });
    } catch (error) {
      warnings.push(`${name} cannot be read: ${(error as Error).message.split("\n")[0]}`);
    }
  }
  const merged = mergeConfig(found);
  return { config: merged.config, warnings: [...warnings, ...merged.warnings], files: found.map(({ name }) => name) };
}

// Runs with every delivery. For one small cached file, a synchronous read is faster than the thread pool.
function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
