import type { Arena } from "./arena.ts";
import { interleaved, median, repeated } from "./measure.ts";
import { atLeast, atMost, type Result } from "./result.ts";
import { spawned } from "./ways.ts";

/** Time of one command, run one after the other. */
export async function oneCommand({ server, bare }: Arena): Promise<Result> {
  const samples = await interleaved(30, {
    driver: () => repeated(40, () => server.run([["display-message", "-p", "ok"]])),
    bare: () => repeated(40, () => bare.ask("display-message -p ok")),
    spawn: () => repeated(4, () => spawned(server.socketPath, "display-message", "-p", "ok")),
  });
  const [driver, bareMs, spawn] = [median(samples.driver), median(samples.bare), median(samples.spawn)];
  return {
    rows: [{ question: "one command", unit: "ms", ours: driver, bare: bareMs, spawn }],
    targets: [
      atLeast("one command, faster than spawning", spawn / driver, 10),
      atMost("one command, times the bare round trip", driver / bareMs, 1.5, "x"),
    ],
  };
}
