import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Cleanup } from "../../../test/support/folder.ts";
import { memoryWorld } from "../../../test/support/memory-world.ts";
import { Adopted, lookEveryMs } from "./adopted.ts";
import { foreignHost } from "./foreign-host.ts";
import { Supervisor } from "./supervisor.ts";

const socket = "/tmp/tmux-0/default";
const host = foreignHost(socket);

async function watching(t: Cleanup) {
  const world = await memoryWorld(t);
  const supervisor = new Supervisor(world.deps);
  const adopted = new Adopted({ ...world.deps, supervisor });
  adopted.begin();
  t.after(() => adopted.stop());
  const place = world.terminals.has({ pane: "%7", pid: 77 }, "mine", host);
  return { ...world, adopted, place };
}

describe("a pane of the user's own tmux", () => {
  test("is adopted once, as the agent that its hook names or that runs in it", async (t) => {
    const { adopted, store, terminals, events } = await watching(t);
    const agent = await adopted.adopt(socket, "%7", undefined);
    assert.deepEqual([agent.kind, agent.adopted, agent.tmux_pane_id], ["claude", true, "%7"]);
    assert.equal((await adopted.adopt(socket, "%7", "codex")).id, agent.id);
    terminals.has({ pane: "%8", pid: 88 }, "mine", host);
    const hooked = await adopted.byHook({ pane: "%8", tmux: `${socket},123,0` } as never, "codex");
    assert.equal(hooked?.kind, "codex");
    assert.deepEqual(
      store.terminals().map(({ name, host, phase, adopted }) => [name, host, phase, adopted]),
      [
        ["claude", host, "running", true],
        ["codex", host, "running", true],
      ],
    );
    assert.deepEqual(events("terminal"), ["terminal_opened t1", "terminal_opened t2"]);
    assert.deepEqual(terminals.log, []);
  });

  test("that does not exist, or that is Paneward's own, is refused", async (t) => {
    const { adopted, deps, warnings } = await watching(t);
    await assert.rejects(adopted.adopt(socket, "%9", undefined), { code: "not_found" });
    await assert.rejects(adopted.adopt(deps.places.tmuxSocket, "%7", undefined), { code: "wrong_state" });
    assert.equal(await adopted.byHook({ pane: "%9", tmux: socket } as never, "claude"), undefined);
    assert.deepEqual(warnings, ["an agent could not be adopted"]);
    assert.equal(await adopted.byHook({ pane: "%7", tmux: deps.places.tmuxSocket } as never, "claude"), undefined);
  });

  test("that a hook names without its server is looked for on the default server", async (t) => {
    const { adopted } = await watching(t);
    assert.equal((await adopted.byHook({ pane: "%7" } as never, "claude"))?.tmux_pane_id, "%7");
  });

  test("is looked at every second; a different screen is output, the first one is old", async (t) => {
    const { adopted, terminals, place, clock, attention } = await watching(t);
    await adopted.adopt(socket, "%7", "claude");
    const outputs = () => attention.log.filter((line) => line.startsWith("output"));
    const timeline: readonly (readonly [string, readonly string[]])[] = [
      ["hello", ["output t1 old"]],
      ["hello", ["output t1 old"]],
      ["hello you", ["output t1 old", "output t1"]],
      ["hello you", ["output t1 old", "output t1"]],
    ];
    for (const [screen, heard] of timeline) {
      terminals.show(place, screen);
      await clock.advance(lookEveryMs);
      assert.deepEqual(outputs(), heard);
    }
    adopted.stop();
    terminals.show(place, "more");
    await clock.advance(10 * lookEveryMs);
    assert.equal(outputs().length, 2);
    assert.equal(clock.waiting, 0);
  });

  const gone: readonly (readonly [string, (world: Awaited<ReturnType<typeof watching>>) => void])[] = [
    ["its pane is gone", ({ terminals, place }) => terminals.drop(place)],
    [
      "another process runs in it",
      ({ terminals, place }) => {
        terminals.drop(place);
        terminals.has({ ...place, pid: 78 }, "mine", host);
      },
    ],
    [
      "another server answers",
      ({ terminals, place }) => {
        terminals.drop(place);
        terminals.has({ ...place, server: "server-2" }, "mine", host);
      },
    ],
    [
      "it cannot be looked at and is not there",
      ({ terminals }) => {
        terminals.find = () => Promise.reject(new Error("no server"));
        terminals.health = async () => ({ available: false, running: false });
      },
    ],
  ];
  for (const [why, happens] of gone) {
    test(`has ended when ${why}`, async (t) => {
      const world = await watching(t);
      await world.adopted.adopt(socket, "%7", "claude");
      await world.clock.advance(lookEveryMs);
      happens(world);
      await world.clock.advance(3 * lookEveryMs);
      assert.deepEqual(world.store.terminal("t1")?.end, { kind: "unknown" });
      assert.deepEqual(world.events("terminal_closed"), ["terminal_closed t1"]);
      assert.deepEqual(world.terminals.log, [], "nothing is closed or signalled there");
    });
  }

  test("that cannot be looked at for a moment stays adopted", async (t) => {
    const { adopted, terminals, store, clock } = await watching(t);
    await adopted.adopt(socket, "%7", "claude");
    terminals.look = () => Promise.reject(new Error("busy"));
    await clock.advance(5 * lookEveryMs);
    assert.equal(store.terminal("t1")?.phase, "running");
  });
});
