import { type Config, PanewardError } from "@paneward/sdk";
import { defaultConfig, mergeConfig } from "@paneward/sdk/config";
import { parse } from "smol-toml";
import { bytesOf } from "./files.ts";

/** The user's own configuration. */
export async function readUserConfig(path: string): Promise<Config> {
  const text = (await bytesOf(path))?.toString("utf8");
  return text === undefined ? defaultConfig : configIn(text, path);
}

export function configIn(text: string, name: string): Config {
  try {
    return mergeConfig([{ name, value: parse(text) }]).config;
  } catch (cause) {
    const why = (cause as Error).message.split("\n")[0];
    throw new PanewardError("bad_input", `${name} is not TOML: ${why}`, { hint: "fix the file, or remove it", cause });
  }
}
