import assert from "node:assert/strict";
import { test } from "node:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { Typist } from "../runtime/courier/typist.ts";
import type { PaneInput, WorkspacePane } from "../runtime/ports.ts";
import { typeCommand } from "./send.ts";
import type { Work } from "./work.ts";

/** Types these commands at once, and returns what the pane and its notes got, with the times. */
function typed(pane: Partial<WorkspacePane>, ...commands: readonly { command: string; clear: boolean }[]) {
  return typedAt(false, pane, ...commands);
}

async function typedAt(
  isSilent: boolean,
  pane: Partial<WorkspacePane>,
  ...commands: readonly { command: string; clear: boolean }[]
) {
  const clock = new FakeClock(0);
  const got: string[] = [];
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
  const work = {
    world: { terminals: { listens: async () => ({ reads: "yes", hidden: isSilent, raw: false }) } },
    typist: new Typist(input, clock),
    spec: { host: "local", enterDelayMs: 100 },
    workspaces: {
      revive: () => note("revives"),
      noteCommand: (_spec: unknown, _pane: unknown, command: string, at: string) => note(`notes ${command} ${at}`),
    },
  } as unknown as Work;
  const there = { place: { server: "1.1", pane: "%1", pid: 7, session: "$1" }, ...pane } as WorkspacePane;
  const all = commands.map(({ command, clear }) => typeCommand(work, there, command, { at: 0, clear }));
  await clock.advance(10_000);
  await Promise.all(all);
  return got;
}

const noted = (command: string) => `notes ${command} 1970-01-01T00:00:00.000Z`;

test("a command is typed, noted when its echo is printed, and entered", async () => {
  assert.deepEqual(await typed({}, { command: "ls", clear: false }), ["0 types ls", `100 ${noted("ls")}`, "100 Enter"]);
});

test("what the terminal does not echo is typed, and not noted", async () => {
  const got = await typedAt(true, {}, { command: "hunter2", clear: false });
  assert.deepEqual(got, ["0 types hunter2", `100 ${noted("")}`, "100 Enter"]);
});

test("two commands for one pane do not mix", async () => {
  const commands = ["ls", "pwd"].map((command) => ({ command, clear: false }));
  const first = ["0 types ls", `100 ${noted("ls")}`, "100 Enter"];
  assert.deepEqual(await typed({}, ...commands), [...first, "100 types pwd", `200 ${noted("pwd")}`, "200 Enter"]);
});

test("a pane whose shell ended gets a new one first, and is cleared if that is asked for", async () => {
  const got = await typed({ end: { kind: "exited", code: 0 } }, { command: "ls", clear: true });
  assert.deepEqual(got.slice(0, 3), ["0 revives", "0 clears", "0 types ls"]);
});

test("Enter alone waits for nothing", async () => {
  assert.deepEqual(await typed({}, { command: "", clear: false }), ["0 types ", `0 ${noted("")}`, "0 Enter"]);
});
