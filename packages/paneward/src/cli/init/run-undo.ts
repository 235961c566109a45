import { errorTable, PanewardError } from "@paneward/sdk";
import type { Call } from "../command.ts";
import { confirm, isInteractive } from "../prompt.ts";
import { type Setup, settingOf } from "./setting.ts";
import { shortened } from "./show.ts";

/** Takes back what was made. Exit code 6 when something is left that only a person can take back. */
export async function runUndo(call: Call, setup: Setup): Promise<number> {
  const { options, out, env, connection } = call;
  const steps = setup.allSteps(settingOf(call, []));
  const ofInit = ({ by }: { readonly by: string }) => by === "init";
  const planned = await setup.planUndo(steps, connection.places, ofInit);
  const isDry = options.flag("dryRun");
  const isJson = options.flag("json");
  if (!isJson) {
    if (planned.length === 0) out.line("There is nothing to take back.");
    for (const { says } of planned) out.line(shortened(says, env));
  }
  const isAgreed = planned.length === 0 || isDry || (await confirmed(call));
  const left = isAgreed && !isDry ? await setup.undo(steps, connection.places, ofInit) : [];
  const done = isAgreed && !isDry && planned.length > 0;
  if (isJson)
    out.json({
      undone: done,
      plan: planned.map(({ kind, says }) => ({ kind, says })),
      left: left.map(({ says }) => says),
    });
  else if (isDry && planned.length > 0) out.line("Nothing was changed (--dry-run).");
  else if (done) out.line(left.length === 0 ? "Taken back." : "Taken back, apart from what is left to you:");
  if (!isJson) for (const { says } of left) out.note(shortened(says, env));
  return left.length > 0 ? errorTable.conflict.exitCode : 0;
}

async function confirmed(call: Call): Promise<boolean> {
  if (!call.options.flag("yes") && call.options.flag("json") && isInteractive()) {
    throw new PanewardError("bad_input", "nothing was changed: --json asks nothing", { hint: "add --yes to go ahead" });
  }
  return confirm(call, "Take it back?");
}
