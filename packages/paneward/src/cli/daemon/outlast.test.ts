import assert from "node:assert/strict";
import { test } from "node:test";
import { type Client, type ErrorCode, PanewardError } from "@paneward/sdk";
import { outlasting } from "./outlast.ts";

const fails = (code: ErrorCode, cause?: string) => () => {
  throw new PanewardError(code, code, cause === undefined ? {} : { cause: { code: cause } });
};

/** Clients that answer by these scripts, one entry per call, the last one again and again. */
function clients(scripts: Readonly<Record<string, readonly (() => unknown)[]>>) {
  const asked: [string, object][] = [];
  const one = (who: string) => {
    const call = (name: string) => async (input: object) => {
      asked.push([`${who} ${name}`, input]);
      const script = scripts[`${who} ${name}`] ?? scripts[name] ?? [];
      const at = asked.filter(([key]) => key === `${who} ${name}`).length - 1;
      return (script[at] ?? script.at(-1) ?? (() => ({})))();
    };
    return Object.fromEntries(
      ["wait", "read", "send", "ping", "stop"].map((name) => [name, call(name)]),
    ) as never as Client;
  };
  return { asked, clients: { client: one("client"), running: one("running") } };
}

const daemon = (pid: number) => () => ({ pid, startedAt: pid });
const waits = { ids: ["t1"], for: [{ kind: "idle" as const }], timeout: 100 };

test("a wait that a restart cut off is made again, for the time that is left, by what starts no daemon", async () => {
  const { asked, clients: both } = clients({
    "client wait": [fails("outcome_unknown")],
    "running wait": [() => ({ results: [] })],
    "running ping": [fails("unavailable", "ENOENT"), daemon(2)],
  });
  assert.deepEqual(await outlasting(both).wait(waits), { results: [] });
  assert.deepEqual(
    asked.map(([name]) => name),
    ["client wait", "running ping", "running ping", "running wait"],
  );
  const timeout = Reflect.get(asked.at(-1)?.[1] ?? {}, "timeout");
  assert.ok(timeout < 100 && timeout > 90, String(timeout));
});

test("it outlasts any number of daemons, and reports the one that breaks off twice", async () => {
  const broken = Array.from({ length: 5 }, () => fails("outcome_unknown"));
  const many = clients({
    wait: [...broken, () => ({ results: [] })],
    "running ping": [1, 2, 3, 4, 5, 6].map(daemon),
  });
  assert.deepEqual(await outlasting(many.clients).wait(waits), { results: [] });
  const one = clients({ wait: broken, "running ping": [daemon(1)] });
  await assert.rejects(outlasting(one.clients).wait(waits), { code: "outcome_unknown" });
  assert.equal(one.asked.filter(([name]) => name.endsWith("wait")).length, 2);
});

test("after a daemon that was killed the next may be started; one that stopped is waited for, and then missed", async () => {
  const killed = clients({
    "client read": [fails("outcome_unknown")],
    "running ping": [fails("unavailable", "ECONNREFUSED")],
    "client ping": [daemon(2)],
  });
  assert.deepEqual(await outlasting(killed.clients).read({ id: "t1" }), {});
  const stopped = clients({
    "client wait": [fails("outcome_unknown")],
    "running ping": [fails("unavailable", "ENOENT")],
  });
  await assert.rejects(outlasting(stopped.clients, 100).wait(waits), { code: "unavailable", hint: /daemon start/ });
  assert.ok(!stopped.asked.some(([name]) => name === "client ping"));
});

test("what accepts connections and breaks off each of them is named, long before a daemon would be missed", async () => {
  const { clients: both } = clients({ wait: [fails("outcome_unknown")], ping: [fails("outcome_unknown")] });
  const began = performance.now();
  await assert.rejects(outlasting(both).wait(waits), { code: "unavailable", message: /is no Paneward daemon/ });
  assert.ok(performance.now() - began < 10_000);
});

test("what cannot be repeated is not: a text without a key, a stop, an error that the daemon reports", async () => {
  const again = [fails("outcome_unknown"), () => ({})];
  const { asked, clients: both } = clients({
    send: again,
    stop: again,
    wait: [fails("not_found"), () => ({})],
    ping: [daemon(2)],
  });
  const client = outlasting(both);
  await assert.rejects(client.send({ id: "t1", text: "x" }), { code: "outcome_unknown" });
  await assert.rejects(client.stop({ id: "t1" }), { code: "outcome_unknown" });
  await assert.rejects(client.wait(waits), { code: "not_found" });
  assert.equal(asked.length, 3);
});

test("a text with a key is sent again, which types it no second time; a cancelled call is not", async () => {
  const again = [fails("outcome_unknown"), () => ({})];
  const { clients: both } = clients({ "client send": again, "client wait": again, ping: [daemon(2)] });
  const client = outlasting(both);
  assert.deepEqual(await client.send({ id: "t1", text: "x", idempotency_key: "k" }), {});
  await assert.rejects(client.wait(waits, { signal: AbortSignal.abort() }), { code: "outcome_unknown" });
});
