import { PanewardError } from "@paneward/sdk";
import type { Call } from "../command.ts";
import { LogTail } from "./log-tail.ts";

/** Prints the end of the daemon's log: what the service prints goes there, too. */
export async function serviceLogs({ out, options, connection, env }: Call): Promise<number> {
  const { log } = connection.places;
  const lines = options.number("lines") ?? 50;
  const tail = new LogTail(log);
  const last = tail.last(lines);
  if (last === undefined) {
    throw new PanewardError("not_found", `there is no log yet: ${log}`, { hint: "`paneward daemon start` creates it" });
  }
  for (const line of last) out.line(line);
  const { installedKind } = await import("../../service/service.ts");
  if ((await installedKind(env)) === "systemd") out.note("what systemd says of it: `journalctl --user -u paneward`");
  if (options.flag("follow")) for await (const line of tail.following()) out.line(line);
  return 0;
}
