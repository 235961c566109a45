import { Readable } from "node:stream";
import { run } from "node:test";
import { spec, type TestEvent } from "node:test/reporters";
import { lightNode } from "../../packages/paneward/test/support/light-node.ts";
import { type Count, countOf } from "./count.ts";
import { type Ran, ranIn } from "./ran.ts";

/** What came of one test file. */
export interface FileRun {
  /** Its path from the root of the repository. */
  readonly file: string;
  readonly count: Count;
  /** The tests that passed. */
  readonly ran: readonly Ran[];
  readonly seconds: number;
  /** All that it printed, failures in full. */
  readonly output: string;
}

/** Runs a test file in a process of its own. */
export async function runFile(root: string, file: string): Promise<FileRun> {
  const started = performance.now();
  const events: TestEvent[] = [];
  const settings = { cwd: root, files: [`${root}/${file}`], execArgv: [...lightNode] };
  for await (const event of run(settings)) events.push(event as TestEvent);
  const seconds = (performance.now() - started) / 1_000;
  const printed = await Readable.from(events.filter(isOfFile)).compose(new spec()).toArray();
  const output = `${file} (${seconds.toFixed(1)} s)\n${printed.join("")}`;
  return { file, count: countOf(events), ran: ranIn(root, events), seconds, output };
}

// The counts at the end of a run are of no use while there are more files to come.
function isOfFile(event: TestEvent): boolean {
  return event.type !== "test:diagnostic" || event.data.file !== undefined;
}
