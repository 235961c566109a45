import { readForeign } from "@paneward/sdk/node/files";
import { readLaunchAgent } from "../model/service/launch-agent.ts";
import { readUnit, type Written } from "../model/service/unit.ts";
import { servicePath } from "./place.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A service whose file is there. */
export interface Installed {
  readonly kind: "systemd" | "launchd";
  readonly path: string;
  readonly text: string;
  /** Undefined: somebody else wrote the file. */
  readonly written: Written | undefined;
}

export async function installedService(
  env: Environment,
  platform: string = process.platform,
): Promise<Installed | undefined> {
  const kind = platform === "darwin" ? "launchd" : "systemd";
  const path = servicePath(kind, env);
  const text = (await readForeign(path, { maxBytes: 1_048_576, followLinks: true }))?.toString("utf8");
  if (text === undefined) return undefined;
  return { kind, path, text, written: kind === "systemd" ? readUnit(text) : readLaunchAgent(text) };
}

/** Who runs the service that is installed, if one is. */
export async function installedKind(env: Environment): Promise<Installed["kind"] | undefined> {
  return (await installedService(env))?.kind;
}

/** The service of this state folder, if it runs another version from another place. */
export async function otherVersion(
  { home }: { readonly home: string },
  env: Environment,
  own: Pick<Written, "program" | "version">,
): Promise<Written | undefined> {
  const written = (await installedService(env))?.written;
  const isOther = written?.home === home && written.program !== own.program && written.version !== own.version;
  return isOther ? written : undefined;
}
