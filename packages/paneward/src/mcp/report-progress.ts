import type { ToolCall } from "./tool.ts";

/** Clients extend their timeout on progress, so report at once and then every two seconds. */
export async function withProgressReports<Answer>(
  { progress }: Pick<ToolCall, "progress">,
  what: string,
  seconds: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const start = performance.now();
  const report = () => {
    const lasted = Math.round((performance.now() - start) / 1_000);
    progress?.(lasted, seconds, `${what} for ${lasted} s`);
  };
  report();
  const timer = progress && setInterval(report, intervalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

const intervalMs = 2_000;
