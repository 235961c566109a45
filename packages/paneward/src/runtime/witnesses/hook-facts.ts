import type { Places } from "@paneward/sdk";
import type { HookFacts } from "../../agents/agent.ts";
import { hookCommand } from "../../agents/hook-script.ts";
import type { ServerAddress } from "../../model/agents/agent-server.ts";

/** Where the daemon keeps the script that agents' hooks run. */
export function hookScriptPath({ home }: Pick<Places, "home">): string {
  return `${home}/hooks/hook.sh`;
}

/** How an agent of this kind reaches the daemon, and is reached; `folder` is for files of its own. */
export function hookFacts(
  places: Pick<Places, "home">,
  kind: string,
  folder: string,
  server?: ServerAddress,
): HookFacts {
  const script = hookScriptPath(places);
  return {
    reportCommand: hookCommand(script, "tell", kind),
    waitCommand: hookCommand(script, "ask", kind),
    folder,
    ...(server && { server }),
  };
}
