import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { TmuxError } from "@paneward/tmux";
import { translateConnectErrors, translateErrors } from "./translate-errors.ts";

const sandbox = { name: "box", prefix: ["docker", "exec", "-i", "coachartie-sandbox"] };

async function translated(error: TmuxError, host: Parameters<typeof translateErrors>[0] = sandbox) {
  const failure = await translateErrors(host, () => Promise.reject(error)).catch((one: unknown) => one);
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
      assert.equal(message, 'Sandbox container not running: coachartie-sandbox of host "box"');
      assert.equal(hint, "Start container: docker-compose up -d sandbox");
    });
  }

  test("is not recognised in other messages", async () => {
    const stderr = "the build container is running; no such file";
    const { message } = await translated(new TmuxError("subprocess_failed", "x", { stderr }));
    assert.doesNotMatch(message, /Sandbox container not running/);
  });

  test("of another name is started by its engine, and made by compose if there is none", async () => {
    const stopped = "container state improper";
    const missing = "no such container";
    const compose = "docker-compose up -d sandbox";
    for (const [prefix, stderr, container, start] of [
      [["podman", "--root", "/r", "exec", "-i", "work"], stopped, "work", "podman --root /r start work"],
      [["sudo", "docker", "exec", "--user", "1", "work"], stopped, "work", "sudo docker start work"],
      [["podman", "exec", "-i", "work"], missing, "work", compose],
      [["kubectl", "exec", "-i", "pod", "--"], stopped, "pod", compose],
    ] as const) {
      const error = new TmuxError("unknown", "no answer", { stderr });
      const { message, hint } = await translated(error, { name: "there", prefix });
      assert.equal(message, `Sandbox container not running: ${container} of host "there"`);
      assert.equal(hint, `Start container: ${start}`);
    }
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
