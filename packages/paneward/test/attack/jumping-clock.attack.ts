import assert from "node:assert/strict";
import { existsSync, globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { browserAt } from "../http/support/browser.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

// libfaketime shifts the wall clock of the daemon alone, while it runs; deadlines of the kernel stay as they are.
const [library = ""] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
const hour = 3_600;

for (const [what, seconds] of [
  ["back", -5 * hour],
  ["forward", 5 * hour],
] as const) {
  test(`a clock that is set ${what} by hours while the daemon runs`, { timeout: 300_000 }, async (t) => {
    assert.ok(existsSync(library), "this attack needs libfaketime: `apt-get install faketime`");
    const shift = join(process.env.TMPDIR ?? "/tmp", `pw-shift-${process.pid}`);
    writeFileSync(shift, "+0\n");
    t.after(() => rmSync(shift));
    const faked = {
      ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: shift, FAKETIME_NO_CACHE: "1" },
      ...{ FAKETIME_DONT_FAKE_MONOTONIC: "1", DONT_FAKE_MONOTONIC: "1" },
    };
    const daemon = await startDaemon(t, "", faked);
    const { client } = daemon;
    const echo = ["sh", "-c", 'while read line; do echo "got $line"; done'];
    const { id } = await client.run({ argv: echo, name: "echo" });
    await client.send({ id, text: "one" });
    await until("it has printed", async () => (await client.read({ id })).output.includes("got one"));
    const { cursor } = await client.read({ id });
    const { url } = await client.login_link({ scope: "read" });
    const jumped = (await client.ping({})).startedAt;

    const jump = () => writeFileSync(shift, `${seconds >= 0 ? "+" : ""}${seconds}\n`);
    const jumpDuring = async <Answer>(begin: () => Promise<Answer>): Promise<Answer> => {
      writeFileSync(shift, "+0\n");
      const waiting = begin();
      for (let at = 0; at < 20; at++) await client.ping({});
      jump();
      return waiting;
    };
    jump();
    await client.refresh({ reason: "after the jump" });
    const { events } = await client.events({ after: 0, limit: 10_000 });
    const moved = (events.at(-1)?.at ?? 0) - jumped;
    assert.ok(Math.abs(moved - seconds * 1_000) < hour * 1_000, `the daemon's clock moved by ${moved} ms`);

    await t.test("`read --since` returns what is new, and waits for it", async () => {
      const waiting = client.read({ id, since: cursor, wait: 20 });
      await client.send({ id, text: "two" });
      assert.match((await waiting).output, /two/);
    });

    await t.test("`read --since` returns what a program prints that was started again", async () => {
      const { cursor: before } = await client.read({ id });
      await client.stop({ id });
      await client.restart({ id });
      await client.send({ id, text: "three" });
      await until("it is read", async () => (await client.read({ id, since: before })).output.includes("got three"));
    });

    await t.test("`wait --timeout 2` ends after two seconds", async () => {
      const began = performance.now();
      await jumpDuring(() => client.wait({ ids: [id], for: [{ kind: "output", pattern: "never" }], timeout: 2 }));
      const took = performance.now() - began;
      assert.ok(took > 1_900 && took < 60_000, `${took} ms`);
    });

    await t.test("`wait` of the capability ends after its seconds", async () => {
      const tag = (attributes: string) => ({ text: `<capability name="tmux" ${attributes} />` });
      await client.capability(tag('action="send" command="sleep 30"'));
      const began = performance.now();
      const wait = tag('action="wait" pattern="never" timeout="2"');
      const answer = JSON.stringify(await jumpDuring(() => client.capability(wait)));
      assert.match(answer, /timeout/);
      const took = performance.now() - began;
      assert.ok(took > 1_900 && took < 25_000, `${took} ms`);
    });

    await t.test("a login link is still valid, an agent that works is not stuck, nothing is forgotten", async () => {
      const browser = await browserAt(daemon.port);
      const answer = await browser.logIn({ link: url.split("/").at(-1) });
      assert.equal(answer.status, 200, answer.text);
      const { terminals } = await client.ps({ all: "true" });
      assert.equal(terminals.find((one) => one.id === id)?.end, undefined);
    });
  });
}
