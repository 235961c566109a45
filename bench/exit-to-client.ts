import type { DaemonArena } from "./daemon-arena.ts";
import { type Death, flawsOf, isFlawless } from "./dying.ts";
import { median, percentile } from "./measure.ts";
import { atMost, holds, type Result } from "./result.ts";
import { StreamedEnds } from "./streamed-ends.ts";

/** Time from a program's exit until a client of the event stream has it, with few and many other terminals. */
export async function exitToClient(arena: DaemonArena, others: number, count: number): Promise<Result> {
  const ends = await StreamedEnds.open(arena);
  const deaths: Death[] = [];
  for (let at = 0; at < count; at++) deaths.push(await ends.one());
  ends.close();
  const latencies = deaths.flatMap(({ latencyMs }) => latencyMs ?? []);
  const middle = median(latencies);
  const p99 = percentile(latencies, 99);
  const question = `exit to SSE client, ${others} other${others > 1 ? "s" : ""} open`;
  return {
    rows: [
      { question: `${question}, median`, unit: "ms", ours: middle, note: flawsOf(deaths) },
      { question: `${question}, p99`, unit: "ms", ours: p99 },
    ],
    targets: [
      atMost(`${question}, median`, middle, 50, " ms"),
      ...(others > 100 ? [] : [atMost(`${question}, p99`, p99, 100, " ms")]),
      holds(`${question}: always reported, right code, whole output`, flawsOf(deaths), isFlawless(deaths)),
    ],
  };
}
