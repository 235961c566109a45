import { join } from "node:path";
import { maxConfigBytes, mergeConfig } from "@paneward/sdk/config";
import { readForeignSync } from "@paneward/sdk/node/files";
import { parse } from "smol-toml";
import type { ConfigInForce } from "../runtime/ports.ts";

/** Reads the user's and a project's configuration. A file that cannot be parsed yields a warning, not an error. */
export async function readConfigFiles(userConfig: string, root: string | undefined): Promise<ConfigInForce> {
  const warnings: string[] = [];
  // Read with every delivery. For one small cached file, a synchronous read is faster than the thread pool.
  const user = parsed(
    userConfig,
    readForeignSync(userConfig, { maxBytes: maxConfigBytes, followLinks: true }),
    warnings,
  );
  const project = (root === undefined ? [] : (projectFile(root, warnings) ?? [])).map((file) => ({
    ...file,
    ofRepository: true,
  }));
  const merged = mergeConfig([...(user ?? []), ...project]);
  const { agents, bootstrap } = mergeConfig(project).config;
  const isUnread = user === undefined;
  return {
    config: merged.config,
    warnings: [...warnings, ...merged.warnings],
    files: [...(user ?? []), ...project].map(({ name }) => name),
    ...(isUnread ? { isUnread } : {}),
    project: { agents, bootstrapCmd: bootstrap.cmd },
  };
}

interface File {
  readonly name: string;
  readonly value: unknown;
}

function projectFile(root: string, warnings: string[]): readonly File[] | undefined {
  const name = join(root, ".paneward", "config.toml");
  return parsed(name, readForeignSync(name, { maxBytes: maxConfigBytes, below: root }), warnings);
}

/** Nothing for a file that is not there; undefined for one that cannot be understood. */
function parsed(name: string, bytes: Buffer | undefined, warnings: string[]): readonly File[] | undefined {
  if (!bytes) return [];
  try {
    return [{ name, value: parse(bytes.toString("utf8")) }];
  } catch (error) {
    warnings.push(`${name} cannot be read: ${(error as Error).message.split("\n")[0]}`);
    return undefined;
  }
}
