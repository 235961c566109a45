import type { Get } from "./beside.ts";

/**
 * Samples of the memory in MB that a daemon still uses after it has freed what it can, as it measures it. The daemon
 * must have been started with `collect-garbage.ts`: another one only logs this signal.
 */
export function memorySamples(pid: number): { readonly samples: readonly number[]; take(get: Get): Promise<void> } {
  const samples: number[] = [];
  return {
    samples,
    async take(get) {
      process.kill(pid, "SIGUSR2");
      // The signal is handled before the second answer at the latest.
      await get("/api/ping");
      samples.push(usedMb(await get("/metrics")));
    },
  };
}

// The resident size depends on the allocator, which gives little back.
function usedMb(metrics: string): number {
  const names = ["nodejs_heap_size_used_bytes", "nodejs_external_memory_bytes"];
  const bytes = names.map((name) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1] ?? 0));
  return Math.round(bytes.reduce((sum, one) => sum + one, 0) / 1_048_576);
}
