import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { paneward } from "../cli/support/cli.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

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

  test("keeps to a budget, reports what it omitted, and continues after it", async (t) => {
    const daemon = await startDaemon(t);
    const { client } = daemon;
    const id = await ran(daemon, "seq 1 20000");
    const { output, left_out, cursor, has_more } = await client.read({ id, max_tokens: 100 });
    assert.match(output, /^1\n2\n[\s\S]*\n\[… \d+ lines, \d+ bytes left out …\]\n[\s\S]*19999\n20000\n$/);
    assert.ok(output.length < 500);
    assert.ok((left_out?.lines ?? 0) > 19_000 && (left_out?.bytes ?? 0) > 100_000);
    assert.equal(has_more, false);
    assert.equal((await client.read({ id, since: cursor })).output, "");
    const { output: whole, left_out: nothing } = await client.read({ id, max_bytes: 4_194_304 });
    assert.deepEqual([whole.split("\n").length, nothing], [20_001, undefined]);
  });

  test("returns exactly the last lines", async (t) => {
    const daemon = await startDaemon(t);
    const id = await ran(daemon, "seq 1 200000");
    const { output, lines } = await daemon.client.read({ id, lines: 3 });
    assert.deepEqual([output, lines], ["199998\n199999\n200000\n", 3]);
  });

  test("omits nothing when read in pages", async (t) => {
    const daemon = await startDaemon(t);
    const id = await ran(daemon, "seq 1 20000");
    let text = "";
    for (let since: string | undefined, hasMore = true; hasMore; ) {
      const asked = { id, pages: "true", max_bytes: 10_000, ...(since === undefined ? {} : { since }) } as const;
      const page = await daemon.client.read(asked);
      text += page.output;
      since = page.cursor;
      hasMore = page.has_more;
    }
    assert.deepEqual(text.split("\n"), [...Array.from({ length: 20_000 }, (_, at) => String(at + 1)), ""]);
  });

  test("keeps escape sequences with raw", async (t) => {
    const daemon = await startDaemon(t);
    const id = await ran(daemon, "printf '\\033[31mred\\033[0m\\n'");
    const { output } = await daemon.client.read({ id, raw: "true" });
    assert.equal(output, "\u001b[31mred\u001b[0m\r\n");
  });

  test("waits for visible output, not for invisible changes", async (t) => {
    const { client } = await startDaemon(t);
    const script = "printf 'ready'; read a; printf '\\033[31m\\033[0m'; read b; printf ' news'; read c";
    const { id } = await client.run({ argv: ["sh", "-c", `stty -echo; ${script}`] });
    const first = await until("the program is ready", async () => {
      const read = await client.read({ id });
      return read.output === "ready" && read;
    });
    const waiting = client.read({ id, since: first.cursor, wait: 20 });
    await client.send({ id, text: "" });
    await client.send({ id, text: "" });
    assert.equal((await waiting).output, " news");
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
