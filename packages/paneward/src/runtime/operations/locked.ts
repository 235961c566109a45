import type { keyedMutex } from "../../model/keyed-mutex.ts";
import { current, type Found, lockKey, resolve } from "../resolve.ts";
import type { World } from "../world.ts";

export interface LockDeps extends Pick<World, "store"> {
  readonly lock: ReturnType<typeof keyedMutex>;
}

/** Resolves an id once, and works on its record as it is when the work before it is done. */
export function locked<Result>(deps: LockDeps, id: string, work: (found: Found) => Promise<Result>): Promise<Result> {
  const found = resolve(deps, id);
  return deps.lock(lockKey(found), async () => work(current(deps, found)));
}
