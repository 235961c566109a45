import assert from "node:assert/strict";
import { test } from "node:test";
import type { Handler, Pi, PiContext, ToolCallAnswer } from "../pi/api.ts";
import team from "../team.ts";

test("a pi whose team has no valid name says so and writes nothing", async (t) => {
  const { PI_TEAM_ID: before } = process.env;
  t.after(() => {
    if (before === undefined) delete process.env.PI_TEAM_ID;
    else process.env.PI_TEAM_ID = before;
  });
  process.env.PI_TEAM_ID = "my team";
  const handlers = new Map<string, Handler<never, unknown>>();
  team({ on: (event: string, handler: Handler<never, unknown>) => handlers.set(event, handler) } as unknown as Pi);
  const told: string[] = [];
  const ctx = { hasUI: true, ui: { notify: (text: string) => told.push(text) } } as unknown as PiContext;
  await handlers.get("session_start")?.({} as never, ctx);
  assert.match(told.join(), /^PI_TEAM_ID is "my team", which is no name: /);
  const call = async (toolName: string) =>
    (await handlers.get("tool_call")?.({ toolName, input: {} } as never, ctx)) as ToolCallAnswer | undefined;
  for (const tool of ["write", "edit", "bash"]) {
    const answer = await call(tool);
    assert.deepEqual([answer?.block, answer?.reason], [true, told[0]], tool);
  }
  assert.equal(await call("read"), undefined);
});
