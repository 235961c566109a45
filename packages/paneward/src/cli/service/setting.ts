import type { Call } from "../command.ts";
import { daemonArgv } from "../daemon/daemon-argv.ts";
import { replaceRunning } from "../daemon/running.ts";
import { cliVersion } from "../version.ts";

type Service = import("../../setup/setup.ts").Service;

/** What the service is made of on this machine and by this command line. */
export function serviceOf(call: Call): Service {
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
