import type { Call } from "../command.ts";
import { printEdits, shortened } from "../init/show.ts";
import { serviceOf } from "./setting.ts";

/** Shows every line that it changes. A second time it changes nothing, or repairs. */
export async function installService(call: Call): Promise<number> {
  const { out, env, connection, options, progress } = call;
  const setup = await import("../../setup/setup.ts");
  const step = setup.serviceStep(serviceOf(call), { exact: true });
  const look = await step.look();
  const isJson = options.flag("json");
  if (!("offer" in look)) {
    if (isJson) out.json({ state: look.state, made: false, changes: [] });
    else out.line(`the service is ${look.state}: ${shortened(look.detail, env)}`);
    return 0;
  }
  const { offer } = look;
  const isDry = options.flag("dryRun");
  if (!isJson) {
    for (const text of offer.says) out.line(shortened(text, env));
    printEdits(out, env, offer.edits, setup.differences);
  }
  if (!isDry) {
    progress.say("installing the service");
    const making = { step: step.name, by: "service", places: connection.places, now: Date.now() } as const;
    await progress.during(() => setup.makeOffer(offer, making));
  }
  if (isJson) out.json({ state: look.state, made: !isDry, changes: offer.says });
  else if (isDry) out.line("Nothing was changed (--dry-run).");
  else out.note("undo: `paneward service uninstall`");
  return 0;
}
