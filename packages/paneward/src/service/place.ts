import { join } from "node:path";
import { agentLabel } from "../model/service/launch-agent.ts";
import { unitName } from "../model/service/unit.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The service's file. A user's systemd is started before any shell and knows no XDG_CONFIG_HOME that one sets, so the usual
 * folder it is.
 */
export function servicePath(kind: "systemd" | "launchd", { HOME = "/" }: Environment): string {
  return kind === "systemd"
    ? join(HOME, ".config/systemd/user", unitName)
    : join(HOME, "Library/LaunchAgents", `${agentLabel}.plist`);
}
