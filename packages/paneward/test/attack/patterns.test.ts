import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, fetchTransport } from "@paneward/sdk";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { pingBeside } from "./support/beside.ts";

const calls = 190;

test(`${calls} waits with a hostile pattern block neither the daemon nor a wait of another caller`, async (t) => {
  const daemon = await startDaemon(t);
  const { client, port } = daemon;
  const { id } = await client.run({ argv: ["sh", "-c", `echo ${"a".repeat(60)}; exec cat`], cwd: "/" });
  await client.wait({ ids: [id], for: [{ kind: "output", pattern: "^a+$" }], timeout: 60 });
  const { token } = await client.token_create({ scope: "read" });
  const reader = createClient(fetchTransport(`http://127.0.0.1:${port}`, token));
  const beside = pingBeside(daemon);
  const ends: string[] = [];
  const attacks = Array.from({ length: calls }, () =>
    reader.wait({ ids: [id], for: [{ kind: "output", pattern: "(a+)+b" }], timeout: 600 }).then(
      () => ends.push("answered"),
      (error: { readonly code?: string }) => ends.push(error.code ?? String(error)),
    ),
  );
  await until("some of them are over", () => ends.length >= 3, 120_000);
  const { results } = await client.wait({ ids: [id], for: [{ kind: "output", pattern: "^a+$" }], timeout: 60 });
  assert.equal(results[0]?.kind, "output");
  const refused = [...ends];
  assert.deepEqual([...new Set(refused)], ["bad_input"]);
  assert.ok(refused.length < calls / 2, `${refused.length} of ${calls} were refused before`);
  const { worstMs, pings } = await beside.stop();
  t.diagnostic(`worst of ${pings} pings: ${worstMs} ms; ${refused.length} of ${calls} attacks were over`);
  assert.ok(worstMs < 1_000, `no answer for ${worstMs} ms`);
  // Without the caller, its other waits are not searched for any more.
  await client.token_revoke({ id: token.split("_")[1] ?? "" });
  await Promise.all(attacks);
});

test("a line of blanks blocks no other caller, however it is read", async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const does = async (action: "send" | "read" | "wait", params: Readonly<Record<string, string>>) => {
    const { results } = await client.capability({ action, params });
    return JSON.stringify(results);
  };
  await does("read", { since: "true" });
  await does("send", { command: `awk 'BEGIN { for (i = 0; i < 150000; i++) printf " "; print "x" "yz" }'` });
  await does("wait", { pattern: "xyz$", timeout: "60" });
  const beside = pingBeside(daemon);
  for (const how of [{ since: "true", lines: "5000" }, { all: "true" }] as const)
    assert.match(await does("read", how), /xyz/);
  const { worstMs } = await beside.stop();
  assert.ok(worstMs < 1_000, `no answer for ${worstMs} ms`);
});
