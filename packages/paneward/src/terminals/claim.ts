import { setTimeout as delay } from "node:timers/promises";
import { PanewardError } from "@paneward/sdk";
import type { Server } from "@paneward/tmux";

/** Sessions that a daemon does not know are ended when it starts; those of another daemon must not be. */
export async function claim(server: Server, owner: string): Promise<void> {
  const [before] = await server.run([["show-options", "-gqv", "@paneward_owner"]], { readOnly: true });
  if (before === undefined || before === "") await server.run([["set-option", "-g", "@paneward_owner", owner]]);
  else if (before !== owner) {
    await server.close();
    throw new PanewardError(
      "wrong_state",
      `the tmux server on ${server.socketPath} belongs to a daemon with another state folder`,
      {
        hint: "set PANEWARD_TMUX_SOCKET_PATH to a socket of its own",
      },
    );
  }
}

/**
 * Ends the control clients of a daemon that was killed. tmux 3.3a waits for ever to hand them what nobody reads any
 * more, and such a client keeps the server from ending. The daemon's lock says that they can only be old ones.
 */
export async function endOldClients(server: Server): Promise<void> {
  if (server.host.prefix.length > 0) return;
  for (let look = 0; look < mostLooks; look++) {
    const old = await oldClients(server);
    if (old.length === 0) return;
    for (const pid of old) end(pid);
    // Whoever attaches next must not meet a client that is just leaving: that crashes tmux 3.3a.
    await delay(20);
  }
}

const mostLooks = 100;

async function oldClients(server: Server): Promise<readonly number[]> {
  const asked = ["list-clients", "-t", `=${server.keeper}`, "-F", "#{client_control_mode} #{client_pid}"];
  const clients = await server.run([asked], { readOnly: true });
  const pids = clients.filter((line) => line.startsWith("1 ")).map((line) => Number(line.slice(2)));
  return pids.filter((pid) => pid !== server.controlPid());
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
