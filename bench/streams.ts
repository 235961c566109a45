import type { DaemonArena } from "./daemon-arena.ts";
import { median, repeated } from "./measure.ts";
import { atMost, type Result } from "./result.ts";

const streams = 50;
const events = 200;

/** Whether creating an event waits for its listeners. */
export async function eventBesideStreams({ client }: DaemonArena): Promise<Result> {
  const make = () => client.refresh({ reason: "bench" });
  await repeated(events, make);
  const alone = await repeated(events, make);
  const stop = new AbortController();
  const lastSeqs = Array<number>(streams).fill(0);
  const { lastEvent } = await client.ping({});
  const following = lastSeqs.map(async (_, at) => {
    for await (const event of client.follow({ after: lastEvent, signal: stop.signal })) {
      lastSeqs[at] = "seq" in event ? event.seq : 0;
    }
  });
  const allHave = async (seq: number) => {
    while (lastSeqs.some((last) => last < seq)) await make();
  };
  await allHave(lastEvent + 1);
  const beside = await repeated(events, make);
  await allHave((await client.ping({})).lastEvent);
  stop.abort();
  await Promise.all(following);
  const [quiet, busy] = [median(alone), median(beside)];
  return {
    rows: [
      { question: "an event without listeners", unit: "ms", ours: quiet },
      { question: `an event with ${streams} listeners`, unit: "ms", ours: busy, note: "the bench reads them all" },
    ],
    targets: [atMost(`an event with ${streams} listeners against none`, busy / quiet, 20, "x")],
  };
}
