import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { tokenFor } from "../mcp/support/doors.ts";
import { openSession, post } from "../mcp/support/wire.ts";
import { startDaemon } from "../support/daemon.ts";
import { type AgentKind, scriptedAgent } from "../support/scripted-agent.ts";
import { until } from "../support/until.ts";
import { liveView } from "./support/live-view.ts";

test("a token of scope send approves nothing: keys and a live view press 1 until the dialog is open", async (t) => {
  for (const kind of ["codex", "claude"] as const) {
    const { agent, client, id, send, authorization, port } = await stage(t, kind);
    const view = await liveView(t, { port, id, authorization });
    await client.send({ id, text: "SLOW 1\nRUN: touch pwned" });
    const pressing = send({ keys: Array.from({ length: 30 }, () => "1"), ack: 10 });
    const typing = setInterval(() => view.type("1"), 25);
    t.after(() => clearInterval(typing));
    await agent.noted("asked");
    assert.equal(await pressing, 403);
    const before = view.refused();
    await until("twenty more were refused while the dialog was open", () => view.refused() > before + 20 || undefined);
    assert.deepEqual(
      agent.notes().filter((note) => note.kind === "approved"),
      [],
      kind,
    );
  }
});

test("a token of scope send runs nothing in an agent's shell", async (t) => {
  const tries: readonly (readonly object[])[] = [
    [{ keys: [..."!touch", "ENTER"] }],
    [{ keys: [..."!touch"] }, { keys: ["enter"] }],
    [{ keys: [..."!touch"] }, { keys: ["KPENTER"] }],
    [{ keys: ["!"] }, { text: "touch pwned", force: true }],
    [{ keys: [..."!touch"] }, { text: "", force: true, enter: true }],
  ];
  const { agent, client, id, send } = await stage(t, "gemini");
  for (const bodies of tries) {
    const statuses: number[] = [];
    for (const body of bodies) statuses.push(await send({ ...body, ack: 2 }));
    assert.equal(statuses.at(-1), 403, JSON.stringify(bodies));
    await client.send({ id, keys: Array.from({ length: 8 }, () => "BSpace"), ack: 5 });
  }
  assert.deepEqual(agent.prompts(), []);
});

test("a token of scope send does not switch what an agent does without asking, through any door", async (t) => {
  const { daemon, client, id, send, token, authorization, port } = await stage(t, "gemini");
  for (const keys of [["C-y"], ["BTab"], ["a", "C-Y"]]) assert.equal(await send({ keys }), 403, keys.join(" "));
  const session = await openSession(daemon, token);
  const params = { name: "terminal_send", arguments: { id, keys: ["C-y"] } };
  const answer = await post(daemon, { ...session, body: { jsonrpc: "2.0", id: 2, method: "tools/call", params } });
  assert.match(await answer.text(), /"code":"not_allowed"/);
  const view = await liveView(t, { port, id, authorization });
  for (const [at, data] of ["\u0019", "\u001b[Z", "\u001b[121;5u"].entries()) {
    view.type(data);
    await until(`${JSON.stringify(data)} was refused`, () => view.refused() > at || undefined);
  }
  assert.equal((await client.send({ id, keys: ["C-y"], ack: 0 })).state === "failed", false, "who may approve can");
});

async function stage(t: TestContext, kind: AgentKind) {
  const daemon = await startDaemon(t);
  const agent = scriptedAgent(daemon.folder, kind);
  const { id } = await daemon.client.run({ argv: [...agent.argv], cwd: daemon.folder });
  await agent.noted("ready");
  await daemon.client.wait({ ids: [id], for: [{ kind: "idle" }], timeout: 20 });
  const token = await tokenFor(daemon, "send");
  const authorization = `Bearer ${token}`;
  const send = async (body: object) => {
    const url = `http://127.0.0.1:${daemon.port}/api/terminals/${id}/send`;
    const headers = { authorization, "content-type": "application/json" };
    return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
  };
  return { daemon, token, agent, client: daemon.client, port: daemon.port, id, send, authorization };
}
