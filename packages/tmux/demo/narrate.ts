import { constants } from "node:os";
import { type Exit, followJournal, type Journal, type OpenedPane, readJournal, type TmuxEvent } from "@paneward/tmux";
import type { Program } from "./programs.ts";

type Opened = Program & OpenedPane & { readonly journal: Journal };
type Told = Opened & { readonly finish: () => Promise<void> };

/** Prints one aligned line for whatever the programs and tmux say; `done` when `count` programs have ended. */
export function narrate(events: AsyncIterable<TmuxEvent>, count: number, stop: AbortSignal) {
  const running = new Set<Told>();
  const done = Promise.withResolvers<void>();
  let left = count;

  const hear = async () => {
    for await (const event of events) {
      if (event.kind === "server_lost") throw new Error(`the tmux server is gone: ${event.reason}`);
      const program = [...running].find((candidate) => isAbout(event, candidate));
      if (event.kind === "bell" && program) line(program.name, "bell", `number ${event.count}`);
      if (event.kind !== "pane_died" || !program) continue;
      await program.finish();
      line(program.name, "end", ending(event.exit));
      if (--left === 0) done.resolve();
    }
  };
  hear().catch(done.reject);

  return {
    done: done.promise,
    started(program: Opened): void {
      line(program.name, "start", `pane ${program.pane}, pid ${program.pid}: ${program.argv.at(-1)}`);
      running.add({ ...program, finish: printOutput(program, stop) });
    },
  };
}

// Prints the journal as it grows. At the program's end it is complete, so the rest is read once and printed.
function printOutput({ name, journal }: Opened, stop: AbortSignal): () => Promise<void> {
  const ended = new AbortController();
  const print = (bytes: Buffer) => {
    for (const text of readable(bytes)) line(name, "output", text);
  };
  const following = (async () => {
    let cursor: Parameters<typeof readJournal>[1];
    for await (const chunk of followJournal(journal, undefined, AbortSignal.any([ended.signal, stop]))) {
      print(chunk.bytes);
      cursor = chunk.cursor;
    }
    return cursor;
  })();
  return async () => {
    ended.abort();
    print((await readJournal(journal, await following, 65_536)).bytes);
  };
}

const began = performance.now();

function line(name: string, what: string, text: string): void {
  const seconds = ((performance.now() - began) / 1_000).toFixed(3);
  console.log(`${seconds.padStart(7)} s  ${name.padEnd(8)} ${what.padEnd(7)} ${text}`);
}

function isAbout(event: TmuxEvent, { pane, window }: Opened): boolean {
  return (event.kind === "pane_died" && event.pane === pane) || (event.kind === "bell" && event.window === window);
}

function ending(exit: Exit): string {
  if (exit.kind === "exited") return `exited with code ${exit.code}`;
  if (exit.kind === "unknown") return "ended, and tmux cannot say how";
  const name = Object.entries(constants.signals).find(([, number]) => number === exit.signal)?.[0];
  return `killed by signal ${exit.signal}${name ? ` (${name})` : ""}`;
}

// Whole lines without what a terminal would not show.
function readable(bytes: Buffer): readonly string[] {
  const lines = bytes.toString().split(/\r?\n/);
  return lines.map((text) => text.replace(/[\u0000-\u001f\u007f]/g, "")).filter((text) => text !== "");
}
