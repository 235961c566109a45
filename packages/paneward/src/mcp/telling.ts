import type { ToolCall } from "./tool.ts";

/** A client that hears of progress keeps waiting; it is told at once and every two seconds. */
export async function whileTelling<Answer>(
  { progress }: ToolCall,
  what: string,
  seconds: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const began = performance.now();
  const tell = () => {
    const lasted = Math.round((performance.now() - began) / 1_000);
    progress?.(lasted, seconds, `${what} since ${lasted} s`);
  };
  tell();
  const timer = progress && setInterval(tell, tellEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

const tellEveryMs = 2_000;
