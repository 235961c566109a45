import type { Call } from "../command.ts";
import { daemonArgv } from "../daemon/daemon-argv.ts";
import { startAndPing, stopIfRunning } from "../daemon/running.ts";
import { cliVersion } from "../version.ts";

/** What the service is made of on this machine and by this command line. */
export function serviceOf(call: Call) {
  const { env, connection } = call;
  return {
    env,
    places: connection.places,
    argv: daemonArgv(),
    version: cliVersion(),
    async replaceDaemon() {
      await stopIfRunning(call);
      await startAndPing(call);
    },
  };
}
