import { runChild } from "./child.ts";
import { controlArgv } from "./control.ts";
import type { Address } from "./spawn.ts";
import { startLimitMs } from "./transport.ts";

/**
 * Ends the control clients of a server that is shutting down. tmux 3.3a never exits while such a client has output that
 * cannot be written any more because the process that read it was killed; meanwhile it turns every new client away.
 */
export async function endLeftClients(address: Address, session: string): Promise<void> {
  const { host } = address;
  const options = { timeoutMs: startLimitMs(host), harmless: true };
  const { stdout } = await runChild(host, ["ps", "-A", "-ww", "-o", "pid=,args="], options);
  const pids = pidsOf(stdout, controlArgv(address, session).join(" "));
  if (pids.length > 0) await runChild(host, ["kill", ...pids], options);
}

function pidsOf(listing: string, commandLine: string): readonly string[] {
  return listing.split("\n").flatMap((line) => {
    const [, pid, args] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
    return pid !== undefined && args === commandLine ? [pid] : [];
  });
}
