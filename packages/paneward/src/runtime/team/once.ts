import { createHash } from "node:crypto";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Writer } from "../ports.ts";
import type { World } from "../world.ts";

export interface Once<Result> {
  readonly result: Result;
  /** An earlier call with the same key did it; `result` is that call's. */
  readonly repeated: boolean;
}

/**
 * Writes once for each idempotency key: the result is stored in the same transaction. A call that failed wrote nothing,
 * and its key stays free.
 */
export function once<Result>(
  world: Pick<World, "store">,
  team: string,
  call: { readonly key: string | undefined; readonly asked: unknown },
  work: (writer: Writer) => Result,
): Once<Result> {
  const { key } = call;
  if (key === undefined) return { result: world.store.write(work), repeated: false };
  const fingerprint = createHash("sha256").update(JSON.stringify(call.asked)).digest("hex");
  return world.store.write((writer) => {
    const before = world.store.team.answer(team, key);
    if (before && before.fingerprint !== fingerprint) {
      throw new TeamFailure("IDEMPOTENCY_KEY_REUSED", "this key belongs to another call; take a new one");
    }
    if (before) return { result: before.body as Result, repeated: true };
    const body = work(writer);
    writer.team.keepAnswer(team, key, { fingerprint, body });
    return { result: body, repeated: false };
  });
}
