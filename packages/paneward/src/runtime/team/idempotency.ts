import { createHash } from "node:crypto";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Writer } from "../ports.ts";
import type { TeamPorts } from "./members.ts";

export interface OnceResult<Result> {
  readonly result: Result;
  /** True when an earlier call had the same key; `result` is the earlier one. */
  readonly repeated: boolean;
}

/**
 * Writes once for each idempotency key: the result is stored in the same transaction. A failed call writes nothing, and
 * its key can be used again.
 */
export function once<Result>(
  { store }: Pick<TeamPorts, "store">,
  team: string,
  call: { readonly key: string | undefined; readonly request: unknown },
  work: (writer: Writer) => Result,
): OnceResult<Result> {
  const { key } = call;
  if (key === undefined) return { result: store.write(work), repeated: false };
  const fingerprint = createHash("sha256").update(JSON.stringify(call.request)).digest("hex");
  return store.write((writer) => {
    const before = store.team.answer(team, key);
    if (before && before.fingerprint !== fingerprint) {
      throw new TeamFailure("IDEMPOTENCY_KEY_REUSED", "this idempotency key was used for another call; use a new one");
    }
    if (before) return { result: before.body as Result, repeated: true };
    const body = work(writer);
    writer.team.keepAnswer(team, key, { fingerprint, body });
    return { result: body, repeated: false };
  });
}
