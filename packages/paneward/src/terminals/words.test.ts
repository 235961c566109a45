import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { TmuxError } from "@paneward/tmux";
import { inOurWords, whileConnecting } from "./words.ts";

async function said(error: TmuxError): Promise<PanewardError> {
  const failure = await inOurWords(() => Promise.reject(error)).catch((one: unknown) => one);
  assert.ok(failure instanceof PanewardError);
  return failure;
}

describe("a container that does not run", () => {
  const complaints = [
    "Error response from daemon: container 4f1e9a is not running",
    "Error response from daemon: Container 4f1e9a is not running",
    "Error response from daemon: No such container: coachartie-sandbox",
    "Error: can only create exec sessions on running containers: container state improper",
    'Error: no container with name or ID "coachartie-sandbox" found: no such container',
  ];
  for (const stderr of complaints) {
    test(`is known by ${JSON.stringify(stderr)}`, async () => {
      const { code, message, hint } = await said(new TmuxError("unknown", "no answer", { stderr, delivered: "maybe" }));
      assert.equal(code, "unavailable");
      assert.equal(message, "Sandbox container not running");
      assert.equal(hint, "Start container: docker-compose up -d sandbox");
    });
  }

  test("is not seen in what other programs say", async () => {
    const stderr = "the build container is running; no such file";
    assert.notEqual(
      (await said(new TmuxError("subprocess_failed", "x", { stderr }))).message,
      "Sandbox container not running",
    );
  });
});

describe("an answer that does not come", () => {
  const late = (delivered: "no" | "maybe") =>
    new TmuxError("timeout", "no answer within 500 ms; the command may still have happened", { delivered });

  test("leaves the outcome unknown only if something may have happened", async () => {
    assert.equal((await said(late("maybe"))).code, "outcome_unknown");
    assert.equal((await said(late("no"))).code, "unavailable");
  });

  test("while connecting means that nothing was done, and how to try it", async () => {
    const host = { name: "box", prefix: ["ssh", "box"] };
    const failure: unknown = await whileConnecting(host, () => Promise.reject(late("maybe"))).catch((one) => one);
    assert.ok(failure instanceof PanewardError);
    assert.equal(failure.code, "unavailable");
    assert.equal(failure.message, 'cannot connect to host "box": no answer within 500 ms; nothing was done there');
    assert.equal(failure.hint, "try it by hand: ssh box true");
  });

  test("what a prefix complains about names the host, and how to try it", async () => {
    const table = [
      ["subprocess_failed", "the host does not answer: ssh: connect to host box port 22: refused", "ssh box true"],
      ["subprocess_failed", "cannot start ssh: it is not installed or not on PATH", "ssh box true"],
      ["tmux_not_installed", "cannot run tmux on this host: sh: 1: tmux: not found", "ssh box tmux -V"],
    ] as const;
    for (const [type, message, byHand] of table) {
      const host = { name: "box", prefix: ["ssh", "box"] };
      const failing = () => Promise.reject(new TmuxError(type, message));
      const failure: unknown = await whileConnecting(host, failing).catch((one) => one);
      assert.ok(failure instanceof PanewardError);
      assert.equal(failure.code, "unavailable");
      const why = message.replace("the host does not answer: ", "");
      assert.equal(failure.message, `cannot connect to host "box": ${why}; nothing was done there`);
      assert.equal(failure.hint, `try it by hand: ${byHand}`);
    }
  });

  test("what is wrong with tmux on this machine is said as it is", async () => {
    const missing = new TmuxError("tmux_not_installed", "tmux is not installed");
    const failing = () => Promise.reject(missing);
    const failure: unknown = await whileConnecting({ name: "local", prefix: [] }, failing).catch((one) => one);
    assert.ok(failure instanceof PanewardError);
    assert.deepEqual([failure.code, failure.message], ["unavailable", "tmux is not installed"]);
  });
});
