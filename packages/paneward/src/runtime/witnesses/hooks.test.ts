import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { WitnessStage } from "../../../test/support/witness-stage.ts";
import type { HookPayload } from "../../agents/agent.ts";
import { reportsBeforePlacedMs } from "../../model/timing.ts";
import { Prompts } from "../courier/prompts.ts";
import { type HookCall, Hooks } from "./hooks.ts";

async function stage(t: TestContext) {
  const on = await WitnessStage.on(t);
  const adopted: string[] = [];
  const prompts = new Prompts(on.clock);
  const deps = { ...on, clock: on.clock, attention: on.attention, prompts, requests: on.requests };
  const hooks = new Hooks(deps, async ({ pane }, kind, known) => {
    adopted.push(`${kind} in ${pane}`);
    if (pane === "%404") return undefined;
    return known ? on.agents.foundIn(known.id, on.runs(50, kind)) : on.begins(50, kind);
  });
  /** A hook from pane 1 of our server and its conversation s1, unless the payload or the call says otherwise. */
  const fire = (event: string, payload: HookPayload = {}, call: Partial<HookCall> = {}) => {
    const origin = { kind: "claude", pane: "%1", tmux: "/tmp/tmux,100,0" };
    return hooks.receive({ event, payload: { session_id: "s1", cwd: "/shop/1", ...payload }, ...origin, ...call });
  };
  const status = () => on.attention.attention("t1")?.says;
  return { on, hooks, fire, adopted, prompts, status };
}

const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });

describe("hooks", () => {
  test("a prompt, a permission and an end move the agent, its status and its turns", async (t) => {
    const { on, fire, status } = await stage(t);
    const { id } = on.begins(1, "claude");
    const rows: unknown[] = [];
    for (const [event, payload] of [
      ["SessionStart", { source: "startup" }],
      ["UserPromptSubmit", { prompt: "make it" }],
      ["PreToolUse", bash("make")],
      ["PermissionRequest", bash("make")],
      ["PostToolUse", bash("make")],
      ["Stop", { last_assistant_message: "made" }],
    ] as const) {
      await fire(event, payload);
      await on.clock.advance(1_000);
      rows.push([event, on.store.agent(id)?.state, status(), on.questions.of("t1")?.proposal?.command]);
    }
    assert.deepEqual(rows, [
      ["SessionStart", "idle", "idle", undefined],
      ["UserPromptSubmit", "processing", "working", undefined],
      ["PreToolUse", "processing", "working", undefined],
      ["PermissionRequest", "awaiting_input", "needs_input", "make"],
      ["PostToolUse", "processing", "working", undefined],
      ["Stop", "complete", "idle", undefined],
    ]);
    assert.deepEqual(
      on.store.turns(id, 9).map(({ actor, intent, text }) => `${actor} ${intent}: ${text}`),
      ["user command: make it", "agent question: Bash: make", "agent completion: made"],
    );
  });

  test("hooks that are faster than tmux's answer about their pane count for its terminal, in their order", async (t) => {
    const { on, fire, adopted } = await stage(t);
    const { place, ...starting } = on.runs(1, "claude");
    on.store.write((writer) => writer.putTerminal({ ...starting, phase: "starting" }));
    const fired = [fire("SessionStart", { source: "startup" }), fire("UserPromptSubmit", { prompt: "make it" })];
    await on.clock.advance(1_000);
    assert.deepEqual([on.store.agents(), adopted], [[], []]);
    on.store.write((writer) => {
      writer.putTerminal({ ...starting, place: on.place(1), phase: "running" });
      const data = { terminal: "t1", name: "shop-1", argv: ["claude"], cwd: "/shop/1", restarted: false };
      writer.append("terminal_opened", data);
    });
    const outcomes = await Promise.all(fired);
    assert.deepEqual([...outcomes.map((one) => one.status), adopted], ["ok", "ok", []]);
    assert.deepEqual(
      on.store.agents().map(({ terminal, state }) => [terminal, state]),
      [["t1", "processing"]],
    );
  });

  test("a hook of another server waits for a terminal that is being opened only so long", async (t) => {
    const { on, fire, adopted } = await stage(t);
    const { place, ...starting } = on.runs(1, "claude");
    on.store.write((writer) => writer.putTerminal({ ...starting, phase: "starting" }));
    const fired = fire("UserPromptSubmit", { prompt: "make it" }, { tmux: "/tmp/other,777,0" });
    await on.clock.advance(reportsBeforePlacedMs);
    assert.equal((await fired).status, "ok");
    assert.deepEqual(adopted, ["claude in %1"]);
  });

  const alike: readonly (readonly [string, HookPayload, HookPayload])[] = [
    ["by another tool", bash("make"), { tool_name: "mcp__ci__run", tool_input: { command: "make" } }],
    [
      "outside of its sandbox",
      bash("make"),
      { tool_name: "Bash", tool_input: { command: "make", dangerouslyDisableSandbox: true } },
    ],
  ];
  for (const [name, one, other] of alike) {
    test(`of two installations, the same command ${name} is another request`, async (t) => {
      const { on, fire } = await stage(t);
      on.begins(1, "claude");
      const request = async (payload: HookPayload, source: string) => {
        const outcome = await fire("PermissionRequest", payload, { source });
        return outcome.status === "ok" ? outcome.asked?.request : undefined;
      };
      const first = await request(one, "settings");
      assert.notEqual(await request(other, "plugin"), first);
      assert.equal(await request(one, "plugin"), first);
    });
  }

  const beside: readonly (readonly [string, number, string, HookPayload, asksStill: boolean])[] = [
    ["another tool of the same batch begins", 1_500, "PreToolUse", bash("ls"), true],
    ["another tool of the same batch ends", 60_000, "PostToolUse", bash("ls"), true],
    ["the turn stops while the dialog is open", 60_000, "Stop", {}, true],
    ["its own tool ends", 60_000, "PostToolUse", bash("make"), false],
    ["its own tool fails", 60_000, "PostToolUseFailure", bash("make"), false],
    ["a tool begins later: the hook of the answer was lost", 3_000, "PreToolUse", bash("ls"), false],
    ["a prompt instead of an answer", 60_000, "UserPromptSubmit", { prompt: "never mind" }, false],
  ];
  for (const [name, after, event, payload, asksStill] of beside) {
    for (const by of [0, -3_600_000, 86_400_000]) {
      test(`an open dialog, then ${name}${by === 0 ? "" : `, with the clock set by ${by} ms in between`}`, async (t) => {
        const { on, fire, status } = await stage(t);
        on.begins(1, "claude");
        await fire("PermissionRequest", bash("make"));
        await on.clock.advance(500);
        assert.equal(on.questions.of("t1")?.proposal?.command, "make");
        on.clock.setWall(by);
        await on.clock.advance(after - 500);
        await fire(event, payload);
        assert.equal(status() === "needs_input", asksStill);
        assert.equal(on.questions.of("t1") !== undefined, asksStill);
      });
    }
  }

  for (const by of [0, -3_600_000, 86_400_000]) {
    const clockSet = by === 0 ? "" : `, with the clock set by ${by} ms before the restart and after`;
    test(`the end of a process that another one replaced is ignored for 10 s, and believed later${clockSet}`, async (t) => {
      const { on, fire } = await stage(t);
      const agent = on.begins(1, "claude");
      await fire("SessionStart", { source: "startup" });
      await on.clock.advance(60_000);
      on.clock.setWall(by);
      const restarted = on.runs(1, "claude");
      on.agents.resume(agent.id, restarted);
      on.clock.setWall(by);
      await on.clock.advance(9_000);
      assert.equal((await fire("SessionEnd", { reason: "other" })).status, "ignored");
      assert.equal(on.store.agent(agent.id)?.endedAt, undefined);
      await on.clock.advance(2_000);
      assert.equal((await fire("SessionEnd", { reason: "other" })).status, "ok");
      assert.equal(on.store.agent(agent.id)?.endedAt, on.clock.now());
    });
  }

  test("the end of a process that was never replaced is believed at once", async (t) => {
    const { on, fire } = await stage(t);
    const agent = on.begins(1, "claude");
    await fire("SessionStart", { source: "startup" });
    await on.clock.advance(1_000);
    assert.equal((await fire("SessionEnd", { reason: "prompt_input_exit" })).status, "ok");
    assert.notEqual(on.store.agent(agent.id)?.endedAt, undefined);
  });

  const elsewhere = { pane: "%9", tmux: "/tmp/other,777,0" };
  for (const [name, payload, call, method] of [
    ["its pane", {}, {}, "pane"],
    [
      "its folder, without a pane",
      { session_id: undefined },
      { pane: undefined, tmux: undefined },
      "working_directory",
    ],
    ["the pane id of another server is another pane", {}, { tmux: "/tmp/other,777,0" }, "adopted"],
    ["a pane of the user's own server", { cwd: "/" }, elsewhere, "adopted"],
    ["a pane that is gone", { cwd: "/" }, { ...elsewhere, pane: "%404" }, "dropped"],
    ["no pane, no conversation", { cwd: "/", session_id: undefined }, { pane: undefined, tmux: undefined }, "dropped"],
    ["only a pane, of the server that plain tmux reaches", { cwd: "/" }, { pane: "%9", tmux: undefined }, "adopted"],
    ["a terminal that is in no book of agents", { session_id: "s2", cwd: "/" }, { pane: "%2" }, "pane, new"],
  ] as const) {
    test(`a hook finds its agent: ${name}`, async (t) => {
      const { on, fire, adopted } = await stage(t);
      on.begins(1, "claude");
      on.runs(2, "sh");
      const heard = await fire("UserPromptSubmit", { prompt: "go", ...payload }, call);
      const found =
        heard.status === "ok"
          ? `${heard.method}${heard.isNew && heard.method === "pane" ? ", new" : ""}`
          : heard.status;
      assert.equal(found, method);
      const asksToAdopt = method === "adopted" || (method === "dropped" && call.pane !== undefined);
      assert.deepEqual(adopted, asksToAdopt ? [`claude in ${call.pane ?? "%1"}`] : []);
    });
  }

  test("a conversation that ended and speaks again in its terminal is the same agent", async (t) => {
    const { on, fire } = await stage(t);
    const agent = on.begins(1, "claude");
    await fire("SessionStart", { source: "startup" });
    await fire("SessionEnd", { reason: "other" });
    await on.clock.advance(60_000);
    const heard = await fire("SessionStart", { source: "resume" });
    assert.equal(heard.status === "ok" && heard.agent.id, agent.id);
    assert.equal(on.agents.active().length, 1);
  });

  test("a hook that says nothing is ignored, but its conversation is learned", async (t) => {
    const { on, fire } = await stage(t);
    const { id } = on.begins(1, "claude");
    assert.deepEqual(await fire("SomethingNew"), { status: "ignored", reason: "SomethingNew carries no status" });
    const { session_id, hookedAt } = on.store.agent(id) ?? {};
    assert.deepEqual([session_id, hookedAt], ["s1", on.clock.now()]);
  });

  test("a hook that is matched only by its folder is not a witness of a delivery", async (t) => {
    const { on, fire, prompts } = await stage(t);
    on.begins(1, "claude");
    for (const [call, isWitness] of [
      [{ pane: undefined, tmux: undefined }, false],
      [{}, true],
    ] as const) {
      prompts.expect("t1", "d1", [{ text: "go" }]);
      await fire("UserPromptSubmit", { prompt: "go", session_id: undefined }, call);
      assert.equal(prompts.matched("d1") === "hook", isWitness);
    }
  });
});

describe("an agent outside of tmux", () => {
  const outside = { pane: undefined, tmux: undefined } as const;
  const payload = { session_id: "away", cwd: "/elsewhere" };

  test("is known by its conversation, and moved by its hooks alone", async (t) => {
    const { on, fire } = await stage(t);
    on.begins(1, "claude");
    const rows: unknown[] = [];
    for (const [event, more] of [
      ["SessionStart", { source: "startup", iterm_pane_id: "w0t1p2" }],
      ["UserPromptSubmit", { prompt: "make it" }],
      ["PreToolUse", bash("make")],
      ["PermissionRequest", bash("make")],
      ["PostToolUse", bash("make")],
      ["Notification", { notification_type: "permission_prompt", message: "it needs you" }],
      ["Stop", { last_assistant_message: "made" }],
    ] as const) {
      const outcome = await fire(event, { ...payload, ...more }, outside);
      rows.push(outcome.status === "ok" ? [event, outcome.isNew, outcome.agent.state] : outcome);
    }
    assert.deepEqual(rows, [
      ["SessionStart", true, "idle"],
      ["UserPromptSubmit", false, "processing"],
      ["PreToolUse", false, "processing"],
      ["PermissionRequest", false, "awaiting_input"],
      ["PostToolUse", false, "processing"],
      ["Notification", false, "awaiting_input"],
      ["Stop", false, "complete"],
    ]);
    const [, agent] = on.store.agents();
    assert.deepEqual(
      [agent?.session_id, agent?.terminal, agent?.tmux_pane_id, agent?.iterm_pane_id, agent?.cwd],
      ["away", undefined, null, "w0t1p2", "/elsewhere"],
    );
    assert.equal((await fire("SessionEnd", { ...payload, reason: "other" }, outside)).status, "ok");
    assert.notEqual(on.store.agent(agent?.id ?? "")?.endedAt, undefined);
    assert.equal(on.store.agents()[0]?.state, "idle");
  });

  test("is in a pane as soon as one of its hooks names it, and stays the same agent", async (t) => {
    const { on, fire, adopted } = await stage(t);
    await fire("UserPromptSubmit", { ...payload, prompt: "go" }, outside);
    const found = await fire("Stop", payload, { pane: "%9", tmux: undefined });
    assert.equal(found.status, "ok");
    const [agent, ...more] = on.store.agents();
    assert.deepEqual([agent?.terminal, agent?.tmux_pane_id, agent?.state, more], ["t50", "%50", "complete", []]);
    assert.deepEqual(adopted, ["claude in %9"]);
    await fire("UserPromptSubmit", { ...payload, prompt: "again" }, { pane: "%404", tmux: undefined });
    assert.equal(on.store.agents().length, 1);
  });

  test("is not known by the end of its conversation, nor are endless made-up conversations", async (t) => {
    const { on, fire } = await stage(t);
    assert.equal((await fire("SessionEnd", { ...payload, reason: "other" }, outside)).status, "dropped");
    for (let one = 0; one < 205; one++) await fire("SessionStart", { session_id: `s${one}` }, outside);
    assert.equal(on.store.agents().length, 200);
  });
});

test("a notification that it asks is answered with the state that it leads to, and is one question with its dialog", async (t) => {
  const { on, fire } = await stage(t);
  const { id } = on.begins(1, "claude");
  await fire("UserPromptSubmit", { prompt: "make it" });
  await on.clock.advance(1_000);
  const asked = await fire("Notification", { notification_type: "permission_prompt", message: "Claude needs you" });
  assert.ok(asked.status === "ok");
  assert.deepEqual([asked.agent.state, asked.changed], ["awaiting_input", true]);
  await fire("Notification", { notification_type: "permission_prompt", message: "Claude still needs you" });
  await fire("PermissionRequest", bash("make"));
  await on.clock.advance(1_000);
  const questions = on.store.turns(id, 9).filter(({ intent }) => intent === "question");
  assert.equal(on.store.agent(id)?.state, "awaiting_input");
  assert.ok(questions.length <= 2, JSON.stringify(questions));
  await fire("PostToolUse", bash("make"));
  assert.equal(on.store.agent(id)?.state, "processing");
});
