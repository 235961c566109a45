import { setTimeout as delay } from "node:timers/promises";
import { PanewardError } from "@paneward/sdk";
import type { Server } from "@paneward/tmux";

/** A starting daemon takes over unknown sessions, so make sure that the server is not another daemon's. */
export async function claim(server: Server, owner: string): Promise<void> {
  const [before] = await server.run([["show-options", "-gqv", "@paneward_owner"]], { readOnly: true });
  if (before === undefined || before === "") await server.run([["set-option", "-g", "@paneward_owner", owner]]);
  else if (before !== owner) {
    await server.close();
    throw new PanewardError(
      "wrong_state",
      `the tmux server on ${server.socketPath} belongs to a daemon with another state folder`,
      {
        hint: "set PANEWARD_TMUX_SOCKET_PATH to a different socket",
      },
    );
  }
}

/**
 * Kills control clients left by a killed daemon. tmux 3.3a waits forever to write to them, which keeps the server from
 * exiting. We hold the daemon's lock, so clients other than our own must be stale.
 */
export async function killStaleClients(server: Server): Promise<void> {
  if (server.host.prefix.length > 0) return;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const stale = await staleClients(server);
    if (stale.length === 0) return;
    for (const pid of stale) killIfAlive(pid);
    // Attaching while a client is detaching crashes tmux 3.3a.
    await delay(20);
  }
}

const maxAttempts = 100;

async function staleClients(server: Server): Promise<readonly number[]> {
  const listing = ["list-clients", "-t", `=${server.keeper}`, "-F", "#{client_control_mode} #{client_pid}"];
  const clients = await server.run([listing], { readOnly: true });
  const pids = clients.filter((line) => line.startsWith("1 ")).map((line) => Number(line.slice(2)));
  return pids.filter((pid) => pid !== server.controlPid());
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
