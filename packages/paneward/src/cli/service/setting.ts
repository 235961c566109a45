import type { Call } from "../command.ts";
import { daemonArgv } from "../daemon/daemon-argv.ts";
import { replaceRunning } from "../daemon/running.ts";
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
      await replaceRunning(call);
    },
  };
}
