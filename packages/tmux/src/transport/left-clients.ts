import { runChild } from "./child.ts";
import { controlArgv } from "./control.ts";
import { type Address, tmuxArgv } from "./spawn.ts";
import { startLimitMs } from "./transport.ts";

/**
 * Lets a server exit that is shutting down; until then it turns every new client away. tmux 3.3a never exits while a control
 * client has output that cannot be written any more because the process that read it was killed: such a client is ended, and
 * not by a signal that it would have to tell the server about. Nor does it exit while it waits for a child whose end it missed:
 * SIGCHLD makes it look again.
 */
export async function endLeftClients(address: Address, session: string): Promise<void> {
  const { host } = address;
  const options = { timeoutMs: startLimitMs(host), harmless: true };
  const { stdout } = await runChild(host, ["ps", "-A", "-ww", "-o", "pid=,args="], options);
  const control = controlArgv(address, session).join(" ");
  const start = tmuxArgv(address, ["start-server", ""]).join(" ");
  const clients = pidsOf(stdout, (line) => fromProgram(line, host.tmux) === control);
  const servers = pidsOf(stdout, (line) => fromProgram(line, host.tmux).startsWith(start));
  if (clients.length > 0) await runChild(host, ["kill", "-KILL", ...clients], options);
  if (servers.length > 0) await runChild(host, ["kill", "-CHLD", ...servers], options);
}

// A program that was looked up on PATH is listed with its whole path, which may have been another for the one that was killed.
function fromProgram(line: string, program: string): string {
  const at = line.indexOf(`/${program} `);
  return line.startsWith(`${program} `) || at < 0 ? line : line.slice(at + 1);
}

function pidsOf(listing: string, isOne: (commandLine: string) => boolean): readonly string[] {
  return listing.split("\n").flatMap((line) => {
    const [, pid, args] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return pid !== undefined && args !== undefined && isOne(args) ? [pid] : [];
  });
}
