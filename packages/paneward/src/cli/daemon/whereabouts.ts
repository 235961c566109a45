import { readFileSync } from "node:fs";
import { defaultConfig, mergeConfig, PanewardError, type Places, placesOf } from "@paneward/sdk";

/** Where the daemon is: on its socket, or behind an address when the environment names a token or one. */
export interface Whereabouts {
  readonly places: Places;
  readonly http: { readonly url: string; readonly token: string | undefined } | undefined;
}

export async function whereabouts(env: NodeJS.ProcessEnv): Promise<Whereabouts> {
  const { userConfig } = placesOf(env);
  const text = textIfThere(userConfig);
  const config = text === undefined ? undefined : await configOf(text, userConfig);
  const places = placesOf(env, config?.daemon);
  if (!env.PANEWARD_URL && !env.PANEWARD_TOKEN) return { places, http: undefined };
  const url = env.PANEWARD_URL || `http://127.0.0.1:${(config ?? defaultConfig).web.port}`;
  return { places, http: { url: url.replace(/\/+$/, ""), token: env.PANEWARD_TOKEN || undefined } };
}

function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new PanewardError("bad_input", `${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Most people have no such file, so its readers are loaded only when there is one. */
async function configOf(text: string, path: string) {
  const { parse } = await import("smol-toml");
  try {
    return mergeConfig([{ name: path, value: parse(text) }]).config;
  } catch (cause) {
    const hint = "correct the file, or move it away";
    throw new PanewardError("bad_input", `${path} is not TOML: ${(cause as Error).message}`, { hint, cause });
  }
}
