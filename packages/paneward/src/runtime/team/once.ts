import { createHash } from "node:crypto";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Writer } from "../ports.ts";
import type { World } from "../world.ts";

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  /** It was done by an earlier call with the same key. */
  readonly repeated?: true;
}

/**
 * Does a writing call once for each key: the answer is kept in the same transaction as what was written. A call that
 * failed wrote nothing, and its key is free.
 */
export function once(
  world: World,
  team: string,
  call: { readonly key: string | undefined; readonly asked: unknown },
  work: (writer: Writer) => Answered,
): Answered {
  const { key } = call;
  if (key === undefined) return world.store.write(work);
  const fingerprint = createHash("sha256").update(JSON.stringify(call.asked)).digest("hex");
  return world.store.write((writer) => {
    const before = world.store.team.answer(team, key);
    if (before && before.fingerprint !== fingerprint) {
      throw new TeamFailure("IDEMPOTENCY_KEY_REUSED", "this key belongs to another call; take a new one");
    }
    if (before) return { status: before.status, body: before.body, repeated: true };
    const { status, body } = work(writer);
    writer.team.keepAnswer(team, key, { fingerprint, status, body });
    return { status, body };
  });
}
