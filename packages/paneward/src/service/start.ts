import { PanewardError, type Places } from "@paneward/sdk";
import { serviceFacts } from "../system/service-facts.ts";
import { installedService } from "./installed.ts";
import { serviceManager } from "./manager.ts";

/** How a daemon was started by the service manager. */
export type ServiceStart =
  /** It runs none of this state folder, or does not answer: the caller starts the daemon itself. */
  | { readonly kind: "not its own" }
  | { readonly kind: "started" }
  /** With the exit code of the daemon, if it got as far as one. */
  | { readonly kind: "failed"; readonly why: PanewardError; readonly exitCode: number };

/**
 * Starts the daemon by the service manager, if a service for this state folder is installed: two ways to start one would
 * compete for its lock, and only this one comes back after a crash.
 */
export async function startByService(
  { home, socket }: Pick<Places, "home" | "socket">,
  env: NodeJS.ProcessEnv,
): Promise<ServiceStart> {
  const installed = await installedService(env);
  if (installed?.written?.home !== home) return { kind: "not its own" };
  if (installed.kind === "systemd") {
    const { hasUserManager, hasSystemctl } = serviceFacts(env);
    if (!hasUserManager || !hasSystemctl) return { kind: "not its own" };
  }
  const manager = serviceManager(installed.kind, env);
  if (!manager.isOurs(await manager.state())) return { kind: "not its own" };
  if (installed.written.socket !== socket) throw otherSocket(installed.written.socket, socket);
  try {
    await manager.ask("start");
    return { kind: "started" };
  } catch (error) {
    if (!(error instanceof PanewardError)) throw error;
    const { exitStatus } = await manager.state();
    return { kind: "failed", why: error, exitCode: exitStatus };
  }
}

function otherSocket(there: string, here: string): PanewardError {
  return new PanewardError(
    "unavailable",
    `the daemon of the service listens on ${there}, and this shell looks for it at ${here}`,
    {
      hint: `\`export PANEWARD_SOCKET_PATH=${there}\`, or \`paneward service install\` in this shell moves it`,
    },
  );
}
