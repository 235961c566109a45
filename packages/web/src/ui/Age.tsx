import { ageOf } from "@paneward/sdk/text";
import { useCallback } from "preact/hooks";
import { createValue, useValue } from "../state/value.ts";

// One clock for the whole page: hundreds of ages are checked each second, and few change.
const clock = createValue(Date.now());
setInterval(() => clock.set(Date.now()), 1_000);

/** A duration that is updated while it is visible. */
export function Age({ since }: { readonly since: number }) {
  const age = useValue(
    clock,
    useCallback((now: number) => ageOf(since, Math.max(now, since)), [since]),
  );
  return <time dateTime={new Date(since).toISOString()}>{age}</time>;
}
