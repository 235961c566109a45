import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { cliArgv } from "./support/cli.ts";
import { fakeDaemon } from "./support/fake-daemon.ts";

const never = () => new Promise<never>(() => {});
const silent = { ping: never, ps: never, run: never, send: never, wait: never, shutdown: never };

describe("a daemon that takes calls and answers none", { concurrency: 7 }, () => {
  for (const [argv, code, failure] of [
    [["ps"], 4, /takes calls and does not answer/],
    [["daemon", "status"], 4, /takes calls and does not answer/],
    [["daemon", "stop"], 4, /takes calls and does not answer/],
    [["events", "--follow"], 4, /takes calls and does not answer/],
    [["run", "--", "true"], 5, /does not answer; it may still do what it was asked/],
    [["send", "t1", "x"], 5, /does not answer; it may still do what it was asked/],
  ] as const) {
    test(`is said by ${argv.join(" ")} soon, which then ends with code ${code}`, async (t) => {
      const { env } = await fakeDaemon(t, silent);
      const { after, ended } = started(argv, env);
      assert.equal(await after, "waiting, the daemon does not answer\n");
      const { stderr, exitCode } = await ended;
      assert.match(stderr, failure);
      assert.match(stderr, /^hint: its process may be stopped or hang: .*`kill -KILL /m);
      assert.equal(exitCode, code, stderr);
    });
  }

  test("is said by wait", async (t) => {
    const { env } = await fakeDaemon(t, silent);
    const { child, after, ended } = started(["wait", "t1", "--for", "exited"], env);
    assert.equal(await after, "waiting, the daemon does not answer\n");
    child.kill();
    await ended;
  });
});

/** What stderr has first, and how the command ends. */
function started(argv: readonly string[], env: Readonly<Record<string, string>>) {
  const [node = "", ...words] = cliArgv;
  const child = spawn(node, [...words, ...argv], { env, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  const after = once(child.stderr.setEncoding("utf8"), "data").then(([text]) => String(text));
  child.stderr.on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([exitCode]) => ({ stderr, exitCode: Number(exitCode) }));
  return { child, after, ended };
}
