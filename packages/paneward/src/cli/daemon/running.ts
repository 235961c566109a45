import { type Output, PanewardError } from "@paneward/sdk";
import type { Call } from "../command.ts";
import { isNotRunning } from "./connection.ts";
import { isCutOff, isNoDaemon } from "./outlast.ts";

/** What the daemon answers, if one runs. */
export async function pingIfRunning({ connection }: Call): Promise<Output<"ping"> | undefined> {
  try {
    return await connection.running.ping({});
  } catch (error) {
    if (isNotRunning(error)) return undefined;
    throw isCutOff(error) ? isNoDaemon(error) : error;
  }
}

/** An explicit request: PANEWARD_NO_AUTOSTART does not apply. */
export async function startAndPing({ connection, env, progress }: Call): Promise<Output<"ping">> {
  if (!connection.isLocal) {
    const hint = "unset PANEWARD_URL and PANEWARD_TOKEN to start one on this machine";
    throw new PanewardError("unavailable", `no daemon answers at ${connection.address}`, { hint });
  }
  const { startDaemon } = await import("../daemon/autostart.ts");
  progress.say("starting the daemon");
  await progress.during(() => startDaemon(connection.places, env));
  return connection.running.ping({});
}

/** Stops the daemon, if one runs, and starts this version. One that could not be followed by this version is not stopped. */
export async function replaceRunning(call: Call): Promise<Output<"ping">> {
  if (call.connection.isLocal && (await pingIfRunning(call))) {
    const { requireStartable } = await import("../../daemon.ts");
    await requireStartable();
  }
  await stopIfRunning(call);
  return startAndPing(call);
}

/** Asks the daemon to stop, if one runs, and waits until it is gone. */
export async function stopIfRunning(call: Call): Promise<Output<"shutdown"> | undefined> {
  const { connection, progress } = call;
  const running = await pingIfRunning(call);
  if (!running) return undefined;
  const answer = await connection.running.shutdown({});
  const { waitForExit } = await import("../daemon/wait-for-exit.ts");
  progress.say(`waiting for the daemon with pid ${answer.pid} to exit`);
  await progress.during(() => waitForExit(connection, answer.pid));
  return answer;
}
