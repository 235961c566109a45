import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { Typist } from "../runtime/courier/typist.ts";
import type { PaneInput, WorkspacePane } from "../runtime/ports.ts";
import { typeCommand } from "./send.ts";
import type { Work } from "./work.ts";

/** Types these commands at once, and returns what the pane and its notes got, with the times. */
function typed(pane: Partial<WorkspacePane>, ...commands: readonly { command: string; clear: boolean }[]) {
  return typedAt({}, pane, ...commands);
}

interface Shell {
  readonly isSilent?: boolean;
  /** When it begins to read, in ms; it prints its prompt then. */
  readonly readsAt?: number;
}

async function typedAt(
  { isSilent = false, readsAt = 0 }: Shell,
  pane: Partial<WorkspacePane>,
  ...commands: readonly { command: string; clear: boolean }[]
) {
  const clock = new FakeClock(0);
  const got: string[] = [];
  const notes: string[] = [];
  const note = (what: string) => {
    got.push(`${clock.monotonic()} ${what}`);
    return Promise.resolve();
  };
  const input: PaneInput = {
    type: (_host, _place, text) => note(`types ${text}`),
    press: (_host, _place, keys) => note(keys.join()),
    raw: (_host, _place, bytes) => note(`raw ${bytes}`),
    clear: () => note("clears"),
  };
  const place = { server: "1.1", pane: "%1", pid: 7, session: "$1" };
  const listeners = new Set<(news: object) => void>();
  const terminals = {
    listens: async () => ({ reads: clock.monotonic() < readsAt ? "no" : "yes", hidden: isSilent, raw: false }),
    onNews: (listener: (news: object) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  clock.timer(readsAt, () => {
    for (const listener of listeners) listener({ kind: "output", place });
  });
  const work = {
    world: { clock, terminals },
    caller: {},
    typist: new Typist(input, clock),
    spec: { host: "local", enterDelayMs: 100 },
    workspaces: {
      revive: async () => {
        await note("revives");
        return place;
      },
      noted: async () => notes.at(-1),
      noteCommand: (_spec: unknown, _pane: unknown, command: string, at: string) => {
        notes.push(at);
        return note(`notes ${command} ${at}`);
      },
    },
  } as unknown as Work;
  const there = { place, createdAt: new Date(clock.now()).toISOString(), ...pane } as WorkspacePane;
  const all = commands.map(({ command, clear }) => typeCommand(work, there, command, { clear }));
  await clock.advance(10_000);
  await Promise.all(all);
  return got;
}

const noted = (command: string, at = 0) => `notes ${command} ${new Date(at).toISOString()}`;

test("a command is typed, noted when its echo is printed, and entered", async () => {
  assert.deepEqual(await typed({}, { command: "ls", clear: false }), ["0 types ls", `100 ${noted("ls")}`, "100 Enter"]);
});

test("what the terminal does not echo is typed, and not noted", async () => {
  const got = await typedAt({ isSilent: true }, {}, { command: "hunter2", clear: false });
  assert.deepEqual(got, ["0 types hunter2", `100 ${noted("")}`, "100 Enter"]);
});

test("a command for a new shell waits until the shell reads, and the next one waits no longer", async () => {
  const commands = ["ls", "pwd"].map((command) => ({ command, clear: false }));
  const got = await typedAt({ readsAt: 730 }, {}, ...commands);
  assert.deepEqual(
    got.filter((one) => one.includes("types")),
    ["730 types ls", "830 types pwd"],
  );
});

test("a new shell that is busy with its start-up files gets its command after two seconds", async () => {
  const got = await typedAt({ readsAt: 5_000 }, {}, { command: "ls", clear: false });
  assert.equal(got[0], "2000 types ls");
});

test("a program that has run for a while is not waited for", async () => {
  const old = { createdAt: "1969-12-31T23:59:00.000Z" };
  const got = await typedAt({ readsAt: 5_000 }, old, { command: "y", clear: false });
  assert.equal(got[0], "0 types y");
});

test("two commands for one pane do not mix", async () => {
  const commands = ["ls", "pwd"].map((command) => ({ command, clear: false }));
  const first = ["0 types ls", `100 ${noted("ls")}`, "100 Enter"];
  assert.deepEqual(await typed({}, ...commands), [...first, "100 types pwd", `200 ${noted("pwd", 100)}`, "200 Enter"]);
});

test("a pane whose shell ended gets a new one first, and is cleared if that is asked for", async () => {
  const got = await typed({ end: { kind: "exited", code: 0 } }, { command: "ls", clear: true });
  assert.deepEqual(got.slice(0, 3), ["0 revives", "0 clears", "0 types ls"]);
});

test("Enter alone waits for nothing", async () => {
  assert.deepEqual(await typed({}, { command: "", clear: false }), ["0 types ", `0 ${noted("")}`, "0 Enter"]);
});
