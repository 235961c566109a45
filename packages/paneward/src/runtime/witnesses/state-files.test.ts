import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { WitnessStage } from "../../../test/support/witness-stage.ts";
import type { StateFiles } from "../ports.ts";
import { followStateFiles, type StateFileDeps } from "./state-files.ts";

/** Claude's folder in memory; one terminal with Claude in it. */
async function stage(t: TestContext, { hasAgent = true, runs = true } = {}) {
  const on = await WitnessStage.on(t);
  const files = new Map<string, string>();
  let folder = "";
  let looks = 0;
  let report: (name: string, text: string) => void = () => {};
  const stateFiles: StateFiles = {
    follow(at, onChange) {
      folder = at;
      report = onChange;
      return {
        async lookAgain() {
          looks += 1;
          for (const [name, text] of files) onChange(name, text);
        },
        stop() {
          report = () => {};
        },
      };
    },
  };
  const { store, clock, agents, attention } = on;
  const deps = { store, clock, agents, attention, env: { HOME: "/home/dev" }, machine: { runs: () => runs } };
  if (hasAgent) on.begins(1, "claude");
  else on.runs(1, "claude");
  const following = followStateFiles(deps as unknown as StateFileDeps, stateFiles);
  t.after(() => following.stop());
  return {
    on,
    following,
    write(status: string, more: object = {}, reported = true): void {
      const text = JSON.stringify({
        status,
        sessionId: "s1",
        tmux: "pw-t1:@1.%1",
        statusUpdatedAt: clock.now(),
        ...more,
      });
      files.set("77.json", text);
      if (reported) report("77.json", text);
    },
    file: () => attention.witnesses("t1").find(({ witness }) => witness === "state_file"),
    folder: () => folder,
    looks: () => looks,
  };
}

test("Claude's file is evidence with its own date, and names the conversation", async (t) => {
  const { on, write, file, folder } = await stage(t);
  assert.equal(folder(), "/home/dev/.claude/sessions");
  for (const [status, says] of [
    ["busy", "working"],
    ["waiting", "needs_input"],
    ["idle", "idle"],
  ] as const) {
    await on.clock.advance(5_000);
    write(status, { statusUpdatedAt: on.clock.now() - 300 });
    assert.deepEqual([file()?.says, on.clock.now() - (file()?.at ?? 0)], [says, 300]);
  }
  assert.equal(on.agents.of("t1")?.session_id, "s1");
});

for (const [name, options, more] of [
  ["of another pane", {}, { tmux: "pw-t1:@1.%9", sessionId: "s9" }],
  ["of another session of tmux", {}, { tmux: "main:@1.%1", sessionId: "s9" }],
  ["of a process that is dead", { runs: false }, {}],
  ["half-written", {}, { status: "bu" }],
] as const) {
  test(`a file ${name} says nothing`, async (t) => {
    const { write, file } = await stage(t, options);
    write("busy", more);
    assert.equal(file(), undefined);
  });
}

test("a file without a pane is known by its conversation", async (t) => {
  const { on, write, file } = await stage(t);
  on.agents.learned("a1", { session_id: "s1" });
  write("busy", { tmux: undefined });
  assert.equal(file()?.says, "working");
});

test("a change that the file system did not report is found within a second of the agent's news", async (t) => {
  const { on, write, file, looks, following } = await stage(t);
  assert.equal(looks(), 1, "at the start");
  write("waiting", {}, false);
  on.agents.said("a1", { actor: "user", intent: "command", text: "go", way: "given" });
  on.agents.said("a1", { actor: "agent", intent: "progress", way: "seen" });
  await on.clock.advance(999);
  assert.equal(file(), undefined);
  await on.clock.advance(1);
  assert.equal(file()?.says, "needs_input");
  assert.ok(looks() === 2, "news of one second are one look");
  following.stop();
  on.agents.said("a1", { actor: "agent", intent: "completion", way: "seen" });
  await on.clock.advance(5_000);
  assert.equal(looks(), 2);
});

test("without a living Claude nothing is looked at", async (t) => {
  const { on, looks } = await stage(t, { hasAgent: false });
  on.store.write((writer) => writer.append("sessions_changed", { reason: "" }));
  on.begins(2, "codex");
  await on.clock.advance(10_000);
  assert.equal(looks(), 1);
});

for (const by of [-3_600_000, 86_400_000]) {
  test(`a file that is read again keeps its age when the clock was set by ${by} ms`, async (t) => {
    const { on, write, file } = await stage(t);
    write("idle");
    await on.clock.advance(1_000);
    on.clock.setWall(by);
    await on.clock.advance(1_000);
    // Its hook says that it works; the same file, written before that, must not seem newer.
    on.says("hook", "working");
    write("idle", { statusUpdatedAt: on.clock.now() - by - 2_000 });
    assert.equal(on.clock.now() - (file()?.at ?? 0), 2_000);
    assert.equal(on.status, "working by hook");
    await on.clock.advance(10);
    write("busy");
    assert.equal(on.clock.now() - (file()?.at ?? 0), 0, "what is written after that has its own date");
  });
}
