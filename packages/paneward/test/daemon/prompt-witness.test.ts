import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { startDaemon } from "../support/daemon.ts";
import { direct } from "../support/direct.ts";
import { until } from "../support/until.ts";

// It looks like Claude Code's input line, and what is typed there stays there whatever is pressed: no look can tell
// whether it arrived.
const program = `#!/bin/sh
stty -icanon -echo igncr
rule=────────────────────────
printf '%s\\n❯ \\n%s\\n  ? for shortcuts\\033[2A\\r\\033[2C' "$rule" "$rule"
exec cat
`;

test("a delivery is acknowledged by the hook that reports its text, and by no other", async (t) => {
  const { client, folder, env } = await startDaemon(t);
  const claude = join(folder, "claude");
  writeFileSync(claude, program);
  chmodSync(claude, 0o755);
  const { id } = await client.run({ argv: [claude], cwd: folder });
  await until("its input line is there", async () => (await client.screen({ id })).lines.join("\n").includes("❯"));

  const prompted = (payload: object) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = direct({ "content-type": "application/json" });
      const to = { socketPath: env.PANEWARD_SOCKET_PATH, path: "/hook/user-prompt-submit", method: "POST", headers };
      const asked = request(to, (answer) => answer.resume().on("end", () => resolve(answer.statusCode)));
      asked.on("error", reject).end(JSON.stringify({ session_id: "s1", cwd: folder, ...payload }));
    });
  const receipt = async () => (await client.deliveries({ id, limit: 1 })).deliveries[0];

  assert.equal(await prompted({ prompt: "fix the login" }), 200, "given before it was sent");
  const sent = await client.send({ id, text: "fix the login" });
  await until("it is submitted", async () => (await receipt())?.state === "submitted");
  for (const other of [
    { prompt: "fix the login please" },
    { prompt: "fix the" },
    { prompt: "" },
    { prompt: "fix the login", session_id: "s2", tmux_pane: "%99", tmux: "/tmp/other,1,0" },
    { prompt: "fix the login", timestamp: new Date(sent.createdAt - 1_000).toISOString() },
  ]) {
    await prompted(other);
    assert.equal((await receipt())?.state, "submitted", JSON.stringify(other));
  }
  assert.equal(await prompted({ prompt: "fix the login" }), 200);
  const done = await until("it is acknowledged", async () => {
    const now = await receipt();
    return now?.state === "acknowledged" && now;
  });
  assert.deepEqual([done.id, done.reason], [sent.id, "its hook reported it"]);
});
