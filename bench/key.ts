import { watch } from "node:fs";
import { join } from "node:path";
import { followJournal, openJournal, openSession, sendText } from "@paneward/tmux";
import type { Arena } from "./arena.ts";
import { interleaved, median, repeated } from "./measure.ts";
import { atMost, type Result } from "./result.ts";
import { spawned } from "./ways.ts";

/** Time from pressing a key until its echo is in the journal and its reader has it. */
export async function keyToJournal(arena: Arena): Promise<Result> {
  const { server, bare, folder, name } = arena;
  const journal = await openJournal(server.files, join(folder, name()));
  const { pane } = await openSession(server, { name: name(), argv: ["cat"], journal });
  const plain = await plainFile(arena);
  const stop = new AbortController();
  const chunks = followJournal(journal, undefined, stop.signal);
  const press = async () => {
    const next = chunks.next();
    await sendText(server, pane, "x");
    await next;
  };
  await press();
  const samples = await interleaved(20, {
    driver: () => repeated(10, press),
    bare: () => repeated(10, () => plain.grown(() => bare.ask(`send-keys -t =${plain.name}: -l x`))),
    spawn: () =>
      repeated(3, () => plain.grown(() => spawned(server.socketPath, "send-keys", "-t", `=${plain.name}:`, "-l", "x"))),
  });
  stop.abort();
  plain.close();
  const [driver, bareMs, spawn] = [median(samples.driver), median(samples.bare), median(samples.spawn)];
  return {
    rows: [
      {
        question: "key to journal",
        unit: "ms",
        ours: driver,
        bare: bareMs,
        spawn,
        note: "the driver first checks that the pane accepts input",
      },
    ],
    targets: [atMost("key to journal", driver, 5, " ms")],
  };
}

// The same without the driver: `cat` appends to one file, and the file system reports its growth.
async function plainFile({ server, folder, name: newName }: Arena) {
  const name = newName();
  const path = join(folder, `${name}.plain`);
  await spawned(
    server.socketPath,
    "new-session",
    "-d",
    "-s",
    name,
    "cat",
    ";",
    "pipe-pane",
    "-O",
    "-t",
    `=${name}:`,
    `exec cat >>${path}`,
  );
  let changed = Promise.withResolvers<void>();
  const watcher = watch(folder, (_, file) => {
    if (file === `${name}.plain`) changed.resolve();
  });
  const grown = async (press: () => Promise<unknown>) => {
    changed = Promise.withResolvers();
    const { promise } = changed;
    await press();
    await promise;
  };
  await grown(() => spawned(server.socketPath, "send-keys", "-t", `=${name}:`, "-l", "x"));
  return { name, grown, close: () => watcher.close() };
}
