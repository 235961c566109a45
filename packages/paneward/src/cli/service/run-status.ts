import { type ErrorCode, errorTable } from "@paneward/sdk";
import { ageOf } from "@paneward/sdk/text";
import type { Call } from "../command.ts";
import { pingIfRunning } from "../daemon/running.ts";
import { shortened } from "../init/show.ts";
import { serviceOf } from "./setting.ts";
import { type StatusFacts, statusOf } from "./status-words.ts";

export async function serviceStatus(call: Call): Promise<number> {
  const { out, env, options, connection } = call;
  const service = await import("../../service/service.ts");
  const setting = serviceOf(call);
  const standing = await service.serviceStanding(setting);
  const [daemon, tmux] = await Promise.all([pingIfRunning(call), service.tmuxServer(setting)]);
  const { installed, unit, manager, user, isLingering, isSound } = standing;
  const facts: StatusFacts = {
    ...{ manager: manager.kind, user, isLingering, unit, version: setting.version, log: connection.places.log },
    path: manager.path,
    file: installed === undefined ? "none" : installed.written ? "ours" : "foreign",
    written: installed?.written,
    isSound,
    program: setting.argv.join(" "),
    home: connection.places.home,
    daemon: daemon && { pid: daemon.pid, version: daemon.version, age: ageOf(daemon.startedAt, Date.now()) },
    tmux,
  };
  const { rows, problem, hint } = statusOf(facts);
  const exitCode = problem === undefined ? 0 : errorTable[problem satisfies ErrorCode].exitCode;
  if (options.flag("json")) {
    const { unit: state, written, tmux: server, ...plain } = facts;
    out.json({
      ...plain,
      ...state,
      installed: written ?? null,
      tmux: server ?? null,
      problem: problem ?? null,
      hint: hint ?? null,
    });
    return exitCode;
  }
  for (const [name, text] of rows) out.line(`${name.padEnd(11)}${shortened(text, env)}`);
  if (hint !== undefined) out.note(`hint: ${hint}`);
  return exitCode;
}
