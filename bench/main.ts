import { cpus, loadavg } from "node:os";
import { inArena } from "./arena.ts";
import { startedTogether } from "./burst.ts";
import { busy } from "./busy.ts";
import { oneCommand } from "./command.ts";
import { crowd } from "./crowd.ts";
import { inDaemonArena } from "./daemon-arena.ts";
import { dashboard } from "./dashboard.ts";
import { delivery } from "./delivery.ts";
import { exitToEvent } from "./exit.ts";
import { forks } from "./forks.ts";
import { growth } from "./growth.ts";
import { hookTime } from "./hook.ts";
import { keyToJournal } from "./key.ts";
import { listing } from "./listing.ts";
import { mcpCall } from "./mcp.ts";
import { questionToNotice } from "./notice.ts";
import { phone } from "./phone.ts";
import { piIdle } from "./pi.ts";
import { pipelined } from "./pipelined.ts";
import { table, verdicts } from "./print.ts";
import { listTime } from "./ps.ts";
import { questionToClient } from "./question.ts";
import { readCost } from "./read.ts";
import { requests } from "./requests.ts";
import { joined, type Result } from "./result.ts";
import { eventBesideStreams } from "./streams.ts";
import { teamNews } from "./team.ts";
import { journalThroughput } from "./throughput.ts";
import { terminalInterface } from "./tui.ts";

type Question = { readonly name: string; readonly answer: () => Promise<Result> };

const ofDriver = [oneCommand, pipelined, listing, exitToEvent, keyToJournal, journalThroughput, forks];
const ofDaemon = [
  ...[listTime, requests, hookTime, readCost, mcpCall, delivery, teamNews],
  ...[eventBesideStreams, questionToClient, questionToNotice, startedTogether, busy, crowd, terminalInterface],
];
const questions: readonly Question[] = [
  ...ofDriver.map((question) => ({ name: question.name, answer: () => inArena(question) })),
  ...ofDaemon.map((question) => ({ name: question.name, answer: () => inDaemonArena(question) })),
  { name: dashboard.name, answer: dashboard },
  { name: phone.name, answer: phone },
  { name: growth.name, answer: growth },
  { name: piIdle.name, answer: piIdle },
];

/** Runs every benchmark on a server of its own; names on the command line select some. */
async function bench(names: readonly string[]): Promise<boolean> {
  const results: Result[] = [];
  const load = [loadNow()];
  for (const { name, answer } of questions.filter(({ name }) => names.length === 0 || names.includes(name))) {
    process.stderr.write(`measuring ${name} …\n`);
    results.push(await answer());
    load.push(loadNow());
  }
  const { rows, targets } = joined(results);
  console.log(`\n${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}`);
  console.log(`load average before and after each benchmark: ${load.join(" ")}\n`);
  console.log(table(rows));
  console.log(`\n${verdicts(targets)}`);
  return targets.every(({ reached }) => reached);
}

function loadNow(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

process.exitCode = (await bench(process.argv.slice(2))) ? 0 : 1;
