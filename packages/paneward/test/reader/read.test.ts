import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { paneward } from "../cli/support/cli.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";

const imitations = new URL("support/imitations.ts", import.meta.url).pathname;

/** Runs a shell script to its end. */
async function ran({ client }: TestDaemon, script: string): Promise<string> {
  const { id } = await client.run({ argv: ["sh", "-c", script], columns: 100, rows: 30 });
  const { results } = await client.wait({ ids: [id], for: [{ kind: "exited" }], timeout: 30 });
  assert.equal(results[0]?.kind, "exited");
  return id;
}

describe("read", { concurrency: 2 }, () => {
  test("returns the last state of a progress display of many lines", async (t) => {
    const daemon = await startDaemon(t);
    const id = await ran(daemon, `${process.execPath} ${imitations} docker`);
    const { output, lines } = await daemon.client.read({ id });
    assert.match(output, /^latest: Pulling.*\n(\w{12}: Pull complete\n){5}Digest: .*\nStatus: .*\n$/);
    assert.equal(lines, 8);
  });

  test("follows a full-screen program and the output after it", async (t) => {
    const daemon = await startDaemon(t);
    const { client } = daemon;
    const script = `${process.execPath} ${imitations} agent-fullscreen; read answer; printf '\\033[?1049l'; echo "got $answer"`;
    const { id } = await client.run({ argv: ["sh", "-c", script], columns: 100, rows: 30 });
    await client.wait({ ids: [id], for: [{ kind: "output", pattern: "May I run npm test" }], timeout: 30 });
    const asked = await client.read({ id });
    assert.match(asked.output, /^hello from the shell\n[\s\S]*│ May I run npm test\? y\/n\n[\s\S]*thinking 499/);
    assert.ok(asked.lines <= 32, asked.output);
    await client.send({ id, text: "yes" });
    await client.wait({ ids: [id], for: [{ kind: "exited" }], timeout: 30 });
    const answered = await client.read({ id, since: asked.cursor });
    assert.match(answered.output, /got yes\n$/);
    assert.doesNotMatch(answered.output, /May I run/);
    assert.equal((await client.read({ id, all: "true" })).output, "hello from the shell\ngot yes\n");
  });

  test("continues across restarts of the program and of the daemon", async (t) => {
    const daemon = await startDaemon(t);
    const { client } = daemon;
    const id = await ran(daemon, "echo one; printf 'cut \\033[3'");
    const { output, cursor } = await client.read({ id });
    assert.equal(output, "one\ncut");
    await client.restart({ id });
    await client.wait({ ids: [id], for: [{ kind: "exited" }], timeout: 30 });
    await daemon.kill("SIGKILL");
    await daemon.start();
    const again = await client.read({ id, since: cursor });
    assert.equal(again.output.trim(), "one\ncut");
    assert.equal(again.missed, 0);
  });
});

describe("paneward read", () => {
  test("accepts all options, and logs omits nothing", async (t) => {
    const daemon = await startDaemon(t);
    const { env } = daemon;
    const id = await ran(daemon, "printf '\\033[1mbold\\033[0m\\n'; seq 1 30000");
    const say = async (...typed: readonly string[]) => (await paneward(typed, { env })).stdout;
    assert.equal(await say("read", id, "--lines", "2"), "29999\n30000\n");
    assert.match(
      await say("read", id, "--all", "--max-tokens", "20"),
      /^bold\n1\n[\s\S]*left out …\]\n[\s\S]*30000\n$/,
    );
    assert.match(await say("read", id, "--all", "--lines", "1", "--max-bytes", "99"), /^bold\n/);
    assert.match(await say("read", id, "--raw"), /^\u001b\[1mbold\u001b\[0m\r\n/);
    assert.equal((await say("logs", id)).split("\n").length, 30_002);
    const { cursor, left_out } = JSON.parse(await say("read", id, "--json"));
    assert.ok(left_out.lines > 0);
    assert.equal(await say("read", id, "--since", cursor), "");
  });
});
