import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { test } from "node:test";
import { sendKeys } from "../../src/input.ts";
import { openJournal } from "../../src/journal.ts";
import type { Exit } from "../../src/protocol/formats.ts";
import { openSession, respawnPane } from "../../src/terminal.ts";
import { watched } from "../support/events.ts";
import { privateServer } from "../support/place.ts";
import { until } from "../support/until.ts";
import { ended, openTerminal, type PlaceOf, printed, shell, wholeJournal } from "./fixture.ts";

const ends: readonly (readonly [string, Exit])[] = [
  ["exit 0", { kind: "exited", code: 0 }],
  ["exit 3", { kind: "exited", code: 3 }],
  ["exit 137", { kind: "exited", code: 137 }],
  ["exit 255", { kind: "exited", code: 255 }],
  ["kill -9 $$", { kind: "killed", signal: 9 }],
  ["kill -15 $$", { kind: "killed", signal: 15 }],
  ["kill -1 $$", { kind: "killed", signal: 1 }],
  ["kill -11 $$", { kind: "killed", signal: 11 }],
  // It removes the file into which its wrapper's shell writes how it ended.
  ["rm \"$(tr '\\0' '\\n' </proc/$PPID/cmdline | grep '/wrapper.err$')\"; kill -9 $$", { kind: "killed", signal: 9 }],
];

/** A program's exit is reported once, correctly. */
export function exitsContract(place: PlaceOf): void {
  test("exit codes and signals are exact, and the journal is complete when they are reported", async (t) => {
    const { server, folder } = await privateServer(t, place());
    const { watcher, of, first } = await watched(t, server);
    const ending = ends.map(async ([script, exit], at) => {
      const journal = await openJournal(server.files, join(folder, `journal${at}`));
      const argv = shell(`seq 1 500; printf 'the end'; ${script}`);
      const { pane, pid } = await openSession(server, { name: `work${at}`, argv, journal });
      watcher.addJournal(pane, journal);
      const died = await first("pane_died", (event) => event.pane === pane);
      assert.deepEqual(died, { kind: "pane_died", pane, pid, exit }, script);
      assert.match((await wholeJournal(journal)).text, /^1\r\n.*500\r\nthe end$/s);
    });
    await Promise.all(ending);
    assert.equal(of("pane_died").length, ends.length);
  });

  test("the exit of a program without a journal is reported too", async (t) => {
    const { server } = await privateServer(t, place());
    const { of, first } = await watched(t, server);
    const ending = ends.slice(0, 5).map(async ([script, exit], at) => {
      const { pane } = await openSession(server, { name: `work${at}`, argv: shell(script) });
      assert.deepEqual((await first("pane_died", (event) => event.pane === pane)).exit, exit, script);
    });
    await Promise.all(ending);
    assert.equal(of("pane_died").length, 5);
  });

  test("a program that prints every secret it finds as an exit mark has not ended", async (t) => {
    const { server, folder } = await privateServer(t, place());
    const { watcher, of, first } = await watched(t, server);
    const journal = await openJournal(server.files, join(folder, "journal"));
    const asked = t.mock.method(server.files, "processStatus");
    // As if it had found the right one after all: its parent's process contradicts it.
    const secret = "0123456789abcdef".repeat(2);
    journal.markHashes.add(createHash("sha256").update(secret).digest("hex"));
    const { pane } = await openSession(server, {
      name: "forger",
      argv: shell(forger(journal.folder, secret)),
      journal,
    });
    watcher.addJournal(pane, journal);
    await printed(journal, "forged");
    assert.match((await wholeJournal(journal)).text, /]1717;[^0]/, "it found something else to try");
    await openSession(server, { name: "later", argv: ["sleep", "1000"] });
    await first("session_opened", ({ name }) => name === "later");
    // Both processes that it named were asked about while it ran: afterwards the wrapper would confirm its mark.
    await until("the marks were looked at", () => asked.mock.callCount() >= 2);
    await Promise.allSettled(asked.mock.calls.map(({ result }) => result));
    assert.deepEqual(of("pane_died"), []);
    await sendKeys(server, pane, ["Enter"]);
    assert.deepEqual((await first("pane_died")).exit, { kind: "exited", code: 5 });
    assert.equal(of("pane_died").length, 1);
  });

  test("Ctrl-C ends the program by its signal and the terminal stays", async (t) => {
    const { server, pane, journal } = await openTerminal(t, place(), shell("echo up; exec sleep 1000"));
    const { watcher, first } = await watched(t, server);
    watcher.addJournal(pane, journal);
    await printed(journal, "up");
    await until("sleep has the terminal", async () => {
      const [line] = await server.run([["display-message", "-p", "-t", pane, "#{pane_current_command}"]]);
      return line !== "";
    });
    await sendKeys(server, pane, ["C-c"]);
    assert.deepEqual((await first("pane_died")).exit, { kind: "killed", signal: 2 });
  });

  test("programs respawned in one pane end once each, and the pane is free as soon as the exit is reported", async (t) => {
    const { server, pane, journal } = await openTerminal(t, place(), shell("read x; exit 0"));
    const { watcher, of, first } = await watched(t, server);
    watcher.addJournal(pane, journal);
    await sendKeys(server, pane, ["Enter"]);
    const pids = [(await first("pane_died")).pid];
    for (let code = 1; code <= 4; code++) {
      const { pid } = await respawnPane(server, pane, { argv: shell(`echo ${code}; exit ${code}`), journal });
      const died = await first("pane_died", (event) => event.pid === pid);
      assert.deepEqual(died.exit, { kind: "exited", code });
      pids.push(pid);
    }
    assert.deepEqual(await ended(server, pane), { kind: "exited", code: 4 });
    assert.deepEqual(
      of("pane_died").map(({ pid }) => pid),
      pids,
    );
    assert.equal((await wholeJournal(journal)).text, "\r\n1\r\n2\r\n3\r\n4\r\n");
  });

  test("a watcher that starts later does not report exits of earlier programs", async (t) => {
    const { server, pane, journal } = await openTerminal(t, place(), shell("exit 5"));
    await ended(server, pane);
    const { pid } = await respawnPane(server, pane, { argv: shell("read x; exit 6"), journal });
    const { watcher, of, first } = await watched(t, server);
    watcher.addJournal(pane, journal);
    await sendKeys(server, pane, ["Enter"]);
    assert.equal((await first("pane_died", (event) => event.pid === pid)).exit.kind, "exited");
    assert.equal(of("pane_died").length, 1);
  });
}

// Everything that may be the secret of its own mark: its parents' arguments and environments, and the journal's files.
function forger(folder: string, secret: string): string {
  const parents = 'q=$(cut -d " " -f 4 "/proc/$PPID/stat")';
  const files = `"/proc/$PPID/cmdline" "/proc/$PPID/environ" "/proc/$q/cmdline" "/proc/$q/environ" '${folder}'/[a-z]*[.]* '${folder}'/marks`;
  const found = `cat ${files} 2>/dev/null | tr -c 0-9a-f '\\n' | grep -E '^[0-9a-f]{8,}$'`;
  const forge = `printf '\\033]1717;%s;%s;x0\\033\\\\' "$n" "$p"`;
  return `${parents}; for n in ${secret} $(${found}); do for p in $PPID $q; do ${forge}; done; done; echo forged; read x; exit 5`;
}
