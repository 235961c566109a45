import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { openJournal } from "../../src/journal.ts";
import { listeningTo } from "../../src/listening.ts";
import type { Listening } from "../../src/protocol/listening.ts";
import { openSession } from "../../src/terminal.ts";
import { isLocal } from "../../src/transport/host.ts";
import { privateServer } from "../support/place.ts";
import { until } from "../support/until.ts";
import { type PlaceOf, shell } from "./fixture.ts";

const reads: Listening = { reads: "yes", hidden: false, raw: false };
const busy: Listening = { reads: "no", hidden: false, raw: false };
const cases: Readonly<Record<string, readonly [string, Listening]>> = {
  "a program that prompts and reads a line reads its terminal": ["printf 'Name: '; read x", reads],
  "one that reads a line without echo reads a secret": [
    "stty -echo; printf 'パスワード: '; read x",
    { ...reads, hidden: true },
  ],
  "one that takes every key is no secret": ["stty raw -echo; printf up; sleep 1000", { ...reads, raw: true }],
  "one that prints a prompt and works does not read": ["printf 'GitHub token: '; sleep 1000", busy],
  "a pipeline that works does not read": ["printf up; sleep 1000 | cat", busy],
  "a child that reads, reads for its parent": ["printf up; sh -c 'read x'; :", reads],
};

/** What the kernel knows of a terminal, and printed output cannot fake. */
export function listeningContract(place: PlaceOf): void {
  test("whether a program reads its terminal, and whether that is hidden, is seen", async (t) => {
    const { server, folder } = await privateServer(t, place());
    const seen = Object.entries(cases).map(async ([name, [script, expected]], at) => {
      const journal = await openJournal(server.files, join(folder, `journal${at}`));
      const { pid } = await openSession(server, { name: `work${at}`, argv: shell(script), journal });
      await until(name, async () => {
        const { waits = false, ...listening } = await listeningTo(server, pid);
        // Behind a prefix nothing tells a read of the terminal from one of a socket.
        const isPossible = waits ? script.includes("read x") : !isLocal(server.host) || !script.includes("read x");
        return isPossible && JSON.stringify(listening) === JSON.stringify(expected);
      });
    });
    await Promise.all(seen);
    assert.equal((await listeningTo(server, 4_194_303)).reads, "unknown", "a process that is gone");
  });
}
