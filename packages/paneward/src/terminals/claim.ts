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
