import type { World } from "../runtime/world.ts";
import type { Lock } from "../system/lock.ts";

/** Takes locks again whose files others remove, as programs that tidy up do: a second daemon would start beside this one. */
export function keepLocks(locks: readonly Lock[], { clock, log }: Pick<World, "clock" | "log">): { stop(): void } {
  const failed = new Set<Lock>();
  const look = (lock: Lock) => {
    try {
      if (lock.takeAgain()) {
        log.warn("the lock's file was removed or replaced while in use, and was taken again", { path: lock.path });
      }
      failed.delete(lock);
    } catch (error) {
      if (failed.has(lock)) return;
      failed.add(lock);
      log.error("the lock's file was removed or replaced while in use, and cannot be taken again", {
        path: lock.path,
        error: String(error),
      });
    }
  };
  return { stop: clock.interval(lookEveryMs, () => locks.forEach(look)) };
}

const lookEveryMs = 3_000;
