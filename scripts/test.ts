// Runs every test file, several side by side, those that fail once more alone, and ends with one line that counts the
// tests. Usage: test.ts [--record] [file…]; --record writes down how long each file took.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { compileCache } from "../packages/paneward/test/support/compile-cache.ts";
import { packedCli, packedDaemon } from "../packages/paneward/test/support/packed.ts";
import { buildDashboard } from "../packages/web/build.ts";
import { type FileRun, runFile } from "./suite/file-run.ts";
import { suiteFiles } from "./suite/files.ts";
import { idleMeter } from "./suite/idle.ts";
import { keepOutputs } from "./suite/kept-outputs.ts";
import { leftBehind } from "./suite/left-behind.ts";
import { longestFirst, tableOf } from "./suite/order.ts";
import { notRun } from "./suite/ran.ts";
import { scratchFolder } from "./suite/scratch.ts";
import { testsOfTheSeeds } from "./suite/seed-tests.ts";
import { oneByOne, sideBySide, type Width } from "./suite/side-by-side.ts";
import { failed, lastLines, verdictOf } from "./suite/verdict.ts";

const root = join(import.meta.dirname, "..");
const table = join(root, "scripts/suite/seconds.json");

const named = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const files = named.length > 0 ? named : suiteFiles(root);
// Most wait for other programs most of the time: with fewer, cores are idle. The longest, which begin, wait most.
const cores = Math.max(2, availableParallelism());
const idle = idleMeter();
const width: Width = { least: 3 * cores, most: 6 * cores, hasRoom: () => idle() > 0.3 };

const scratch = scratchFolder(process.env);
process.env.TMPDIR = scratch;
// Programs that tests start take no threads from each other; what runFile gives to the tests themselves says why.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --v8-pool-size=0`;
// All of them load much the same code.
process.env.NODE_COMPILE_CACHE ??= compileCache;
// Made once, before several files would make them at the same time.
await Promise.all([packedDaemon(), packedCli(), buildDashboard()]);
process.setMaxListeners(0);
const show = async (file: string): Promise<FileRun> => {
  const run = await runFile(root, file);
  process.stdout.write(`${run.output}\n`);
  return run;
};

const first = await sideBySide(longestFirst(files, JSON.parse(readFileSync(table, "utf8"))), width, show);
if (named.length === 0 && process.argv.includes("--record"))
  writeFileSync(table, `${JSON.stringify(tableOf(first), undefined, 2)}\n`);
const again = first.filter(failed).map(({ file }) => file);
if (again.length > 0) process.stdout.write(`once more, alone: ${again.join(" ")}\n\n`);
const second = await sideBySide(again, oneByOne, show);

const left = await leftBehind(scratch);
if (left.length > 0) process.stdout.write(`processes that tests left behind:\n  ${left.join("\n  ")}\n`);
const verdict = verdictOf(first, second);
const unseen = named.length > 0 ? [] : notRun(testsOfTheSeeds(), [...first, ...second]);
if (unseen.length > 0) {
  const lines = unseen.map(({ file, name }) => `  ${file}: ${name}`);
  process.stdout.write(`tests that docs/seeds names, and that did not pass:\n${lines.join("\n")}\n`);
}
const placeOf = keepOutputs(join(root, "node_modules/.cache/flaky"), verdict.flaky);
process.stdout.write(`${lastLines(verdict, placeOf).join("\n")}\n`);
process.exitCode = verdict.passes && left.length === 0 && unseen.length === 0 ? 0 : 1;
