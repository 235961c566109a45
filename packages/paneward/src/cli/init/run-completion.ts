import { PanewardError } from "@paneward/sdk";
import type { Call } from "../command.ts";
import { settingOf } from "./setting.ts";
import { printEdits, shortened } from "./show.ts";

/** Shows every line that it changes. A second time it changes nothing. */
export async function installCompletion(call: Call, shell: string, script: string): Promise<number> {
  const { out, env, connection } = call;
  const setup = await import("../../setup/setup.ts");
  const step = setup.completionStep(shell, script, env);
  const look = await step.look();
  if (look.state === "not possible") {
    const hint = `then again \`paneward completion ${shell} --install\``;
    throw new PanewardError("bad_input", `nothing was changed: ${look.detail}`, { hint });
  }
  if (!("offer" in look)) {
    out.line(`completion for ${shell} is in place: ${shortened(look.detail, env)}`);
    return 0;
  }
  const { offer } = look;
  for (const text of offer.says) out.line(shortened(text, env));
  // The script is long, and all of it is ours.
  printEdits(
    out,
    env,
    offer.edits.filter(({ added }) => added !== undefined),
    setup.differences,
  );
  await setup.makeOffer(offer, { step: step.name, by: "completion", places: connection.places, now: Date.now() });
  out.note(`${offer.advice}; undo: \`paneward completion ${shell} --uninstall\``);
  return 0;
}

export async function uninstallCompletion(call: Call, shell: string): Promise<number> {
  const { out, env, connection } = call;
  const setup = await import("../../setup/setup.ts");
  const steps = setup.allSteps(settingOf(call, []));
  const isThis = ({ step }: { readonly step: string }) => step === `completion ${shell}`;
  const planned = await setup.planUndo(steps, connection.places, isThis);
  for (const { says } of planned) out.line(shortened(says, env));
  const left = await setup.undo(steps, connection.places, isThis);
  // What no record knows, such as that of another state folder.
  const others = left.length > 0 ? [] : await setup.completionBacks(shell, env);
  for (const { says, perform } of others) {
    out.line(shortened(says, env));
    await perform();
  }
  if (planned.length + others.length === 0) out.line(`completion for ${shell} is not installed`);
  const byHand = [...left, ...others].filter(({ kind }) => kind === "left");
  if (byHand.length === 0) return 0;
  throw new PanewardError("conflict", "what was changed since is left to you", {
    hint: byHand.map(({ says }) => shortened(says, env)).join("; "),
  });
}
