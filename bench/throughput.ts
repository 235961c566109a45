import { stat } from "node:fs/promises";
import { join } from "node:path";
import { followJournal, openJournal, openSession } from "@paneward/tmux";
import type { Arena } from "./arena.ts";
import { interleaved, median, timed } from "./measure.ts";
import type { Result } from "./result.ts";
import { spawned } from "./ways.ts";

const lines = 400_000;
const argv = ["seq", "1", String(lines)];
// Every line ends in CR LF.
const bytes = Array.from({ length: lines }, (_, at) => String(at + 1).length + 2).reduce((sum, n) => sum + n, 0);
const megabytes = bytes / 1e6;

/** How fast output reaches a reader, from the start of the program to the last byte. */
export async function journalThroughput(arena: Arena): Promise<Result> {
  const samples = await interleaved(8, {
    driver: async () => [await timed(() => throughJournal(arena))],
    bare: async () => [await timed(() => throughCat(arena, (command) => arena.bare.ask(command)))],
    spawn: async () => [
      await timed(() => throughCat(arena, (command) => spawned(arena.server.socketPath, ...words(command)))),
    ],
  });
  const [driver, bare, spawn] = [median(samples.driver), median(samples.bare), median(samples.spawn)];
  const rate = (ms: number) => megabytes / (ms / 1_000);
  return {
    rows: [
      {
        question: `journal, ${megabytes.toFixed(1)} MB followed to the end`,
        unit: "MB/s",
        ours: rate(driver),
        bare: rate(bare),
        spawn: rate(spawn),
        note: "the others write with cat and read nothing",
      },
    ],
    targets: [],
  };
}

async function throughJournal({ server, folder, name }: Arena): Promise<void> {
  const journal = await openJournal(server.files, join(folder, name()));
  await openSession(server, { name: name(), argv, journal });
  const stop = new AbortController();
  let read = 0;
  for await (const chunk of followJournal(journal, undefined, stop.signal)) {
    read += chunk.bytes.length;
    if (chunk.missed > 0 || chunk.hole) throw new Error("output was lost");
    if (read >= bytes) stop.abort();
  }
  if (read !== bytes) throw new Error(`${read} bytes read instead of ${bytes}`);
}

// Without the driver: no wrapper, no segments, no reader; polls the file's size until it is complete.
async function throughCat({ folder, name: newName }: Arena, run: (command: string) => Promise<unknown>): Promise<void> {
  const name = newName();
  const path = join(folder, `${name}.plain`);
  // The program lingers, because tmux may lose the last output of one that exits at once.
  await run(`new-session -d -s ${name} "${argv.join(" ")}; sleep 60" ; pipe-pane -O -t =${name}: "exec cat >>${path}"`);
  for (;;) {
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    if (size >= bytes) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

function words(command: string): readonly string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, text, word = ""]) => text ?? word);
}
