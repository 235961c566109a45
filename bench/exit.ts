import { join } from "node:path";
import { openJournal, openSession, watchServer } from "@paneward/tmux";
import { type Arena, inArena } from "./arena.ts";
import { type Death, flawsOf, isFlawless } from "./dying.ts";
import { bareEnds, polledEnd } from "./dying-unwatched.ts";
import { WatchedEnds } from "./dying-watched.ts";
import { median, percentile } from "./measure.ts";
import { atMost, holds, joined, type Result, type Row } from "./result.ts";

const rounds = 40;
const perRound = 5;

/** Time from a program's exit to its event, with few and many other terminals. */
export async function exitToEvent(arena: Arena): Promise<Result> {
  const results: Result[] = [];
  let open = 0;
  const watcher = await watchServer(arena.server);
  const ends = new WatchedEnds(arena, watcher);
  for (const others of [1, 100]) {
    for (; open < others; open++) {
      const journal = await openJournal(arena.server.files, join(arena.folder, arena.name()));
      const { pane } = await openSession(arena.server, { name: arena.name(), argv: ["sleep", "1000000"], journal });
      watcher.addJournal(pane, journal);
    }
    // The other methods get a server of their own, without the driver's repair.
    results.push(await inArena((plain) => compare(ends, plain, others)));
  }
  await watcher.close();
  return joined(results);
}

async function compare(ends: WatchedEnds, plain: Arena, others: number): Promise<Result> {
  const bare = await bareEnds(plain);
  const deaths = { driver: [] as Death[], bare: [] as Death[], spawn: [] as Death[] };
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < perRound; at++) deaths.driver.push(await ends.one());
    deaths.bare.push(await bare.one());
    deaths.spawn.push(await polledEnd(plain));
  }
  bare.close();
  return summary(deaths, `exit to event, ${others} other${others > 1 ? "s" : ""} open`);
}

type Deaths = Readonly<Record<"driver" | "bare" | "spawn", readonly Death[]>>;

function summary(deaths: Deaths, question: string): Result {
  const latencies = (way: keyof Deaths) => deaths[way].flatMap(({ latencyMs }) => latencyMs ?? []);
  const row = (name: string, of: (samples: readonly number[]) => number, note: string): Row => ({
    question: `${question}, ${name}`,
    unit: "ms",
    ours: of(latencies("driver")),
    bare: of(latencies("bare")),
    spawn: of(latencies("spawn")),
    note,
  });
  const p99 = (samples: readonly number[]) => percentile(samples, 99);
  const flaws = (["driver", "bare", "spawn"] as const).map((way) => `${way} ${flawsOf(deaths[way])}`);
  return {
    rows: [row("median", median, flaws.join("; ")), row("p99", p99, `${deaths.driver.length} ends by the driver`)],
    targets: [
      atMost(`${question}, median`, median(latencies("driver")), 45, " ms"),
      atMost(`${question}, p99`, p99(latencies("driver")), 90, " ms"),
      holds(
        `${question}: always reported, right code, whole output`,
        flawsOf(deaths.driver),
        isFlawless(deaths.driver),
      ),
    ],
  };
}
