import { PanewardError } from "@paneward/sdk";
import type { Call } from "../command.ts";
import { settingOf } from "../init/setting.ts";
import { shortened } from "../init/show.ts";
import { serviceOf } from "./setting.ts";

/** Takes back what `service install` or `init` made of it. Exit code 6 when something is left that only a person can take back. */
export async function uninstallService(call: Call): Promise<number> {
  const { out, env, connection, options } = call;
  const setup = await import("../../setup/setup.ts");
  const steps = setup.allSteps(settingOf(call, []));
  const isThis = ({ step }: { readonly step: string }) => step === setup.serviceStepName;
  const planned = await setup.planUndo(steps, connection.places, isThis);
  const left = await setup.undo(steps, connection.places, isThis);
  const others = planned.length > 0 ? [] : await setup.unrecordedService(serviceOf(call));
  for (const { perform } of others) await perform();
  const says = [...planned, ...others].map((back) => shortened(back.says, env));
  const byHand = left.map((back) => shortened(back.says, env));
  if (options.flag("json")) out.json({ says, left: byHand });
  else for (const text of says.length === 0 ? ["the service is not installed"] : says) out.line(text);
  if (byHand.length === 0) return 0;
  throw new PanewardError("conflict", "something is left to do", { hint: byHand.join("; ") });
}
