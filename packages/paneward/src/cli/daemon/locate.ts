import { PanewardError, type Places, placesOf } from "@paneward/sdk";
import { defaultConfig, maxConfigBytes, mergeConfig } from "@paneward/sdk/config";

/** Where the daemon is: its socket, or a URL if the environment sets PANEWARD_URL or PANEWARD_TOKEN. */
export interface DaemonLocation {
  readonly places: Places;
  readonly http: { readonly url: string; readonly token: string | undefined } | undefined;
}

export async function locateDaemon(env: NodeJS.ProcessEnv): Promise<DaemonLocation> {
  const { userConfig } = placesOf(env);
  const bySocket = !env.PANEWARD_URL && !env.PANEWARD_TOKEN;
  const text = await readIfExists(userConfig);
  // All else in it is the daemon's, which checks it. To parse it takes a fifth of a short command's time.
  const isNeeded = text !== undefined && (!bySocket || text.includes("socket_path"));
  const config = isNeeded ? await configOf(text, userConfig) : undefined;
  const places = placesOf(env, config?.daemon);
  if (bySocket) return { places, http: undefined };
  const { port } = (config ?? defaultConfig).web;
  if (!env.PANEWARD_URL && port === 0) throw unknownPort(userConfig);
  const url = env.PANEWARD_URL || `http://127.0.0.1:${port}`;
  return { places, http: { url: url.replace(/\/+$/, ""), token: env.PANEWARD_TOKEN || undefined } };
}

function unknownPort(path: string): PanewardError {
  const message = `PANEWARD_TOKEN is set, and with \`[web] port = 0\` in ${path} nothing says where the daemon listens`;
  const hint =
    "set PANEWARD_URL to the address after `http` in `env -u PANEWARD_TOKEN paneward doctor`, or unset PANEWARD_TOKEN";
  return new PanewardError("bad_input", message, { hint });
}

/** Most users have no config file, so load its reader and its parser only if there is one. */
async function readIfExists(path: string): Promise<string | undefined> {
  // As in version.ts.
  if (!process.getBuiltinModule("node:fs").existsSync(path)) return undefined;
  const { readForeign } = await import("@paneward/sdk/node/files");
  try {
    return (await readForeign(path, { maxBytes: maxConfigBytes, followLinks: true }))?.toString("utf8");
  } catch (cause) {
    throw new PanewardError("bad_input", `${path} cannot be read: ${(cause as Error).message}`, {
      hint: "make it readable for you, or move it away",
      cause,
    });
  }
}

async function configOf(text: string, path: string) {
  const { parse } = await import("smol-toml");
  try {
    return mergeConfig([{ name: path, value: parse(text) }]).config;
  } catch (cause) {
    const hint = "fix the file, or remove it";
    throw new PanewardError("bad_input", `${path} is not TOML: ${(cause as Error).message}`, { hint, cause });
  }
}
