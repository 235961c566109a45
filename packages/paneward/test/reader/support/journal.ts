import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type JournalOptions, journalEnd, openJournal, readJournal } from "@paneward/tmux";
import { newMarkSecret } from "../../../../tmux/src/journal-marks.ts";
import { localFiles } from "../../../../tmux/src/transport/files.ts";
import { Budget } from "../../../src/model/output/budget.ts";
import { LastLines } from "../../../src/model/output/budget-lines.ts";
import { formatReadCursor, type JournalCursor, readCursorFrom } from "../../../src/model/output/cursor.ts";
import type { Size } from "../../../src/model/output/fold-grid.ts";
import { JournalRead, type ReadOptions } from "../../../src/runtime/output/journal-read.ts";

/** A journal on disk, written like `split` does and read like the daemon does. */
export interface TestJournal {
  /** The text of an exit mark. */
  readonly mark: string;
  append(bytes: Uint8Array): void;
  /** Reopens the pipe. */
  newEpoch(): void;
  read(
    from: Partial<From>,
  ): Promise<{ readonly text: string; readonly cursor: string; readonly missed: number; readonly atEnd: boolean }>;
  /** How many bytes were read from the files so far. */
  readonly bytesRead: number;
  readonly folder: string;
}

interface From extends Pick<ReadOptions, "raw" | "maxBytes"> {
  readonly since: string;
  readonly lines: number;
  readonly isEnded: boolean;
}

export async function testJournal(t: TestContext, size: Size, options: JournalOptions = {}): Promise<TestJournal> {
  const folder = mkdtempSync(join(tmpdir(), "journal-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const journal = await openJournal(localFiles, folder, options);
  const secret = readFileSync(await newMarkSecret(journal), "utf8");
  let epoch = 1;
  let segment = 0;
  let bytesRead = 0;
  const source = {
    async read(cursor: JournalCursor | undefined, maxBytes: number) {
      const chunk = await readJournal(journal, cursor, maxBytes);
      bytesRead += chunk.bytes.length;
      return chunk;
    },
    async beforeEnd(bytes: number) {
      const end = await journalEnd(journal);
      return end && { ...end, offset: Math.max(0, end.offset - bytes) };
    },
  };
  return {
    mark: `\u001b]1717;${secret};42;x0\u001b\\\u001b[c`,
    folder,
    get bytesRead() {
      return bytesRead;
    },
    append(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const file = join(folder, `e${epoch}-${suffix(segment)}`);
        const room = journal.segmentBytes - (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
        appendFileSync(file, bytes.subarray(at, at + room));
        at += room;
        if (at <= bytes.length) segment++;
      }
    },
    newEpoch() {
      epoch++;
      segment = 0;
    },
    async read({ since, lines, raw = false, maxBytes = Number.MAX_SAFE_INTEGER, isEnded = false }) {
      const text = new Budget(Number.MAX_SAFE_INTEGER);
      const last = lines === undefined ? undefined : new LastLines(lines);
      const read = new JournalRead(
        source,
        { size, raw, maxBytes, signal: undefined, isEnded: () => isEnded },
        last ?? text,
      );
      const begin = () => (lines !== undefined && last ? read.lastLines(lines, last) : read.fromOldest());
      const done = await (since === undefined ? begin() : read.since(readCursorFrom(since)));
      for (const line of last?.finish() ?? []) text.write(line);
      return { ...done, cursor: formatReadCursor(done.cursor), text: text.finish().text };
    },
  };
}

function suffix(index: number): string {
  return [17_576, 676, 26, 1].map((unit) => String.fromCharCode(97 + (Math.floor(index / unit) % 26))).join("");
}
