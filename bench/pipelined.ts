import type { Arena } from "./arena.ts";
import { interleaved, median, repeated, timed } from "./measure.ts";
import { atLeast, atMost, type Result } from "./result.ts";
import { spawned } from "./ways.ts";

const burst = 1_000;
const processesAtOnce = 16;

/** Time per command when a thousand are sent at once. A process per command cannot pipeline. */
export async function pipelined({ server, bare }: Arena): Promise<Result> {
  const each = (count: number) => Array.from({ length: count });
  const line = "display-message -p ok";
  const spawn = () => spawned(server.socketPath, "display-message", "-p", "ok");
  const perCommand = async (count: number, all: () => Promise<unknown>) => [(await timed(all)) / count];
  const samples = await interleaved(15, {
    driver: () =>
      perCommand(burst, () => Promise.all(each(burst).map(() => server.run([["display-message", "-p", "ok"]])))),
    bare: () => perCommand(burst, () => bare.ask(...each(burst).map(() => line))),
    spawn: () => repeated(4, spawn),
    spawnAtOnce: () => perCommand(processesAtOnce, () => Promise.all(each(processesAtOnce).map(spawn))),
  });
  const driver = median(samples.driver);
  const bareMs = median(samples.bare);
  const oneByOne = median(samples.spawn);
  return {
    rows: [
      { question: `${burst} commands at once, each`, unit: "ms", ours: driver, bare: bareMs, spawn: oneByOne },
      {
        question: `the same, ${processesAtOnce} processes at a time`,
        unit: "ms",
        ours: driver,
        spawn: median(samples.spawnAtOnce),
      },
    ],
    targets: [
      atLeast("pipelined, faster than spawning one by one", oneByOne / driver, 200),
      atMost("pipelined, times the bare round trip", driver / bareMs, 1.5, "x"),
    ],
  };
}
