import { cpus } from "node:os";
import { type Arena, inArena } from "./arena.ts";
import { oneCommand } from "./command.ts";
import { exitToEvent } from "./exit.ts";
import { forks } from "./forks.ts";
import { keyToJournal } from "./key.ts";
import { listing } from "./listing.ts";
import { pipelined } from "./pipelined.ts";
import { table, verdicts } from "./print.ts";
import type { Result } from "./result.ts";
import { journalThroughput } from "./throughput.ts";

const questions: readonly ((arena: Arena) => Promise<Result>)[] = [
  oneCommand,
  pipelined,
  listing,
  exitToEvent,
  keyToJournal,
  journalThroughput,
  forks,
];

/** Asks every question on a server of its own; names on the command line choose some. */
async function bench(names: readonly string[]): Promise<boolean> {
  const results: Result[] = [];
  for (const question of questions.filter(({ name }) => names.length === 0 || names.includes(name))) {
    process.stderr.write(`measuring ${question.name} …\n`);
    results.push(await inArena(question));
  }
  const targets = results.flatMap((result) => result.targets);
  console.log(`\n${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}\n`);
  console.log(table(results.flatMap(({ rows }) => rows)));
  console.log(`\n${verdicts(targets)}`);
  return targets.every(({ reached }) => reached);
}

process.exitCode = (await bench(process.argv.slice(2))) ? 0 : 1;
