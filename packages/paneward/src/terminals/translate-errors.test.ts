import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { TmuxError } from "@paneward/tmux";
import { translateConnectErrors, translateErrors } from "./translate-errors.ts";

async function translated(error: TmuxError): Promise<PanewardError> {
  const failure = await translateErrors(() => Promise.reject(error)).catch((one: unknown) => one);
  assert.ok(failure instanceof PanewardError);
  return failure;
}

describe("a container that is not running", () => {
  const messages = [
    "Error response from daemon: container 4f1e9a is not running",
    "Error response from daemon: Container 4f1e9a is not running",
    "Error response from daemon: No such container: coachartie-sandbox",
    "Error: can only create exec sessions on running containers: container state improper",
    'Error: no container with name or ID "coachartie-sandbox" found: no such container',
  ];
  for (const stderr of messages) {
    test(`is recognised by ${JSON.stringify(stderr)}`, async () => {
      const { code, message, hint } = await translated(
        new TmuxError("unknown", "no answer", { stderr, delivered: "maybe" }),
      );
      assert.equal(code, "unavailable");
      assert.equal(message, "Sandbox container not running");
      assert.equal(hint, "Start container: docker-compose up -d sandbox");
    });
  }

  test("is not recognised in other messages", async () => {
    const stderr = "the build container is running; no such file";
    assert.notEqual(
      (await translated(new TmuxError("subprocess_failed", "x", { stderr }))).message,
      "Sandbox container not running",
    );
  });
});

describe("a missing answer", () => {
  const late = (delivered: "no" | "maybe") =>
    new TmuxError("timeout", "no answer within 500 ms; the command may still have happened", { delivered });

  test("is outcome_unknown only if something may have happened", async () => {
    assert.equal((await translated(late("maybe"))).code, "outcome_unknown");
    assert.equal((await translated(late("no"))).code, "unavailable");
  });

  test("while connecting reports that nothing was done, and how to test the connection", async () => {
    const host = { name: "box", prefix: ["ssh", "box"] };
    const failure: unknown = await translateConnectErrors(host, () => Promise.reject(late("maybe"))).catch(
      (one) => one,
    );
    assert.ok(failure instanceof PanewardError);
    assert.equal(failure.code, "unavailable");
    assert.equal(failure.message, 'cannot connect to host "box": no answer within 500 ms; nothing was done there');
    assert.equal(failure.hint, "try it by hand: ssh box true");
  });

  test("an error of a prefix names the host, and how to test it", async () => {
    const table = [
      ["subprocess_failed", "the host does not answer: ssh: connect to host box port 22: refused", "ssh box true"],
      ["subprocess_failed", "cannot start ssh: it is not installed or not on PATH", "ssh box true"],
      ["tmux_not_installed", "cannot run tmux on this host: sh: 1: tmux: not found", "ssh box tmux -V"],
    ] as const;
    for (const [type, message, byHand] of table) {
      const host = { name: "box", prefix: ["ssh", "box"] };
      const failing = () => Promise.reject(new TmuxError(type, message));
      const failure: unknown = await translateConnectErrors(host, failing).catch((one) => one);
      assert.ok(failure instanceof PanewardError);
      assert.equal(failure.code, "unavailable");
      const why = message.replace("the host does not answer: ", "");
      assert.equal(failure.message, `cannot connect to host "box": ${why}; nothing was done there`);
      assert.equal(failure.hint, `try it by hand: ${byHand}`);
    }
  });

  test("an error of the local tmux is passed on unchanged", async () => {
    const missing = new TmuxError("tmux_not_installed", "tmux is not installed");
    const failing = () => Promise.reject(missing);
    const failure: unknown = await translateConnectErrors({ name: "local", prefix: [] }, failing).catch((one) => one);
    assert.ok(failure instanceof PanewardError);
    assert.deepEqual([failure.code, failure.message], ["unavailable", "tmux is not installed"]);
  });
});
