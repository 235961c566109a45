import { type KeyKind, keyKind } from "../../model/courier/key-kinds.ts";
import { isUnknown, keyNeedsApproval } from "../../model/courier/needs-approval.ts";
import { isGuarded, type Sight } from "../../model/courier/submission.ts";
import { lineDrawnMs } from "../../model/timing.ts";
import { type DeliveryJob, sight } from "./delivery-job.ts";
import { untilTakesKeys } from "./dialog-grace.ts";
import { requireWhole } from "./dialog-keys.ts";
import { markOf } from "./marks.ts";
import { mayApprove, requireApproval } from "./require-approval.ts";
import type { PaneWriter } from "./typist.ts";

/**
 * Presses the keys of a delivery. In an agent's pane there is a look before each of them: a dialog may have opened since
 * the key before. `pressed` counts them, so that a second call continues behind them.
 */
export async function pressKeys(job: DeliveryJob, pressed: { count: number }): Promise<void> {
  const { id, typist, wish, profile, clock, asked, pause, agent } = job;
  await untilTakesKeys({ graceMs: profile.dialogGraceMs, clock, asked, pause, look: () => sight(job) });
  const mark = markOf(id, "submitted");
  await typist.sequence(job, async (writer) => {
    if (!agent || agent.isShell) return writer.press({ keys: wish.keys, pauseMs: profile.keyDelayMs, mark });
    for (const key of wish.keys.slice(pressed.count)) {
      if (pressed.count > 0) await writer.pause(profile.keyDelayMs);
      await requireMay(job, key, writer, pressed.count);
      await writer.press({ keys: [key], pauseMs: 0, mark });
      pressed.count += 1;
    }
  });
  job.report("submitted");
}

async function requireMay(job: DeliveryJob, key: string, writer: PaneWriter, before: number): Promise<void> {
  const kind = keyKind(key, job.agent?.modeKeys);
  const shell = job.agent?.deliver?.shell;
  const seen = await seenBefore(job.scope, { ...kind, shell }, writer, () => sight(job));
  const done = before === 0 ? "" : `only the keys before it were pressed (${before})`;
  requireApproval(job.scope, keyNeedsApproval(seen, kind, shell), done);
  if (isGuarded(seen)) requireWhole([key], seen, job.question());
}

/**
 * The screen right before a key. Who may not approve waits until the line that a key would submit is drawn, and until a
 * screen that is caught between two frames is.
 */
export async function seenBefore(
  scope: DeliveryJob["scope"],
  { mayAnswer, maySubmit, shell }: Omit<KeyKind, "maySwitch"> & { readonly shell: RegExp | undefined },
  { pause }: Pick<PaneWriter, "pause">,
  look: () => Promise<Sight>,
): Promise<Sight> {
  if (mayApprove(scope)) return look();
  if (maySubmit && shell) await pause(lineDrawnMs);
  let seen = await look();
  for (let waited = 0; mayAnswer && isUnknown(seen) && waited < lineDrawnMs; waited += 50) {
    await pause(50);
    seen = await look();
  }
  return seen;
}
