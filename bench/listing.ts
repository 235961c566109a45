import { snapshot } from "@paneward/tmux";
import { paneFormat } from "../packages/tmux/src/protocol/formats.ts";
import { type Arena, openQuiet } from "./arena.ts";
import { interleaved, median, repeated } from "./measure.ts";
import { atMost, joined, type Result } from "./result.ts";
import { spawned } from "./ways.ts";

/** Time to list all panes, few and many. */
export async function listing(arena: Arena): Promise<Result> {
  const results: Result[] = [];
  let open = 0;
  for (const count of [10, 100, 1_000]) {
    await openQuiet(arena, count - open);
    open = count;
    results.push(await listingOf(arena, count));
  }
  return joined(results);
}

async function listingOf({ server, bare }: Arena, count: number): Promise<Result> {
  const samples = await interleaved(12, {
    driver: () =>
      repeated(5, async () => {
        const rows = await snapshot(server);
        if (rows.length !== count) throw new Error(`${rows.length} panes listed instead of ${count}`);
      }),
    bare: () => repeated(5, () => bare.ask(`list-panes -a -F "${paneFormat}"`)),
    spawn: () => repeated(2, () => spawned(server.socketPath, "list-panes", "-a", "-F", paneFormat)),
  });
  const [driver, bareMs, spawn] = [median(samples.driver), median(samples.bare), median(samples.spawn)];
  return {
    rows: [{ question: `list ${count} panes`, unit: "ms", ours: driver, bare: bareMs, spawn }],
    targets: [atMost(`listing ${count} panes, times the bare round trip`, driver / bareMs, 1.5, "x")],
  };
}
