import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

// The power cannot be cut here. What survives it is what the kernel was asked to put on the disk: strace counts that.
test("what is acknowledged is on the disk before", { timeout: 120_000 }, async (t) => {
  const daemon = await startDaemon(t);
  const { client } = daemon;
  const trace = join(daemon.folder, "trace");
  const strace = spawn("strace", ["-f", "-y", "-e", "trace=fsync,fdatasync", "-o", trace, "-p", String(daemon.pid)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  t.after(() => end(strace));
  let printed = "";
  strace.stderr?.on("data", (text) => {
    printed += text;
  });
  strace.once("error", (error) => {
    printed += `this attack needs strace: ${error.message}`;
  });
  await until("strace has said something", () => printed !== "");
  assert.match(printed, /attached/, printed);
  const synced = () =>
    readFileSync(trace, "utf8")
      .split("\n")
      .filter((line) => /paneward\.db-wal>?.*= 0|resumed.*= 0/.test(line)).length;
  const syncsOf = async (call: () => Promise<unknown>) => {
    const before = synced();
    await call();
    return synced() - before;
  };
  const { id } = await client.run({ argv: ["cat"], name: "cat" });

  await t.test("a token, its revocation and a receipt wait for the disk", async () => {
    let token = "";
    const made = await syncsOf(async () => {
      ({ id: token } = await client.token_create({ scope: "read", name: "x" }));
    });
    const revoked = await syncsOf(() => client.token_revoke({ id: token }));
    const sent = await syncsOf(() => client.send({ id, text: "hello" }));
    for (const [what, count] of Object.entries({ made, revoked, sent })) assert.ok(count >= 1, `${what}: ${count}`);
  });

  await t.test("what need not last does not wait for it", async () => {
    assert.equal(await syncsOf(() => client.refresh({ reason: "x" })), 0);
    assert.equal(await syncsOf(() => client.ps({})), 0);
  });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}
