import assert from "node:assert/strict";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { makeRepository } from "../support/repository.ts";
import { until } from "../support/until.ts";

// One daemon for all: what is removed must be whole again when a test ends.
describe("parts of the state folder that others remove while the daemon runs", () => {
  const cleanups: (() => unknown)[] = [];
  let daemon: TestDaemon;
  let id: string;
  const state = (...inside: readonly string[]) => join(daemon.folder, "state", ...inside);
  before(async () => {
    daemon = await startDaemon({ after: (cleanup: () => unknown) => cleanups.push(cleanup) });
    id = (await daemon.client.run({ argv: ["sh", "-c", 'while read l; do echo "got $l"; done'], name: "talk" })).id;
    await daemon.client.new({ root: makeRepository(daemon).root, text: "A task", agent: "shell" });
  });
  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });
  const printedAfter = async (text: string) => {
    await daemon.client.send({ id, text });
    return until(`${text} is read`, async () => {
      const found = await daemon.client.read({ id });
      return found.output.includes(`got ${text}`) ? found : undefined;
    });
  };
  const failed = async () => (await daemon.client.doctor({})).checks.filter(({ ok }) => !ok).map(({ name }) => name);

  test("journals are made again, what is lost counts as missed, and what is in their place is named", async () => {
    const { client } = daemon;
    await printedAfter("one");
    rmSync(state("journals"), { recursive: true });
    assert.ok((await client.read({ id })).missed > 0);
    // What is printed until the pipe is open again is lost.
    await until("output is kept again", async () => {
      await client.send({ id, text: "again" });
      return (await client.read({ id })).output.includes("got again");
    });
    rmSync(state("journals"), { recursive: true });
    writeFileSync(state("journals"), "a file");
    const missing = {
      code: "unavailable",
      message: /journals\/t\d+: a file is where a folder is needed/,
      hint: /move away/,
    };
    await assert.rejects(client.read({ id }), missing);
    await assert.rejects(client.run({ argv: ["true"] }), missing);
    assert.deepEqual(await failed(), ["state folder"]);
    rmSync(state("journals"));
    await until("output is kept once more", async () => {
      await client.send({ id, text: "more" });
      return (await client.read({ id })).output.includes("got more");
    });
    assert.deepEqual(await failed(), []);
  });

  test("the script of hooks is written again, and doctor looks for it", async () => {
    const script = readFileSync(state("hooks", "hook.sh"), "utf8");
    rmSync(state("hooks"), { recursive: true });
    assert.deepEqual(await failed(), ["state folder"]);
    await until("it is there", () => existsSync(state("hooks", "hook.sh")));
    assert.equal(readFileSync(state("hooks", "hook.sh"), "utf8"), script);
    rmSync(state("hooks"), { recursive: true });
    await daemon.client.new({ root: join(daemon.folder, "repo"), text: "Another", agent: "shell" });
    assert.ok(existsSync(state("hooks", "hook.sh")), "an agent needs it from its first moment");
  });

  test("git's view of a repository is made again", async () => {
    rmSync(state("git"), { recursive: true });
    assert.equal((await daemon.client.diff({ id: "1" })).diff, "");
  });

  test("a state folder that is moved away is one error with a hint, and nothing is lost when it comes back", async () => {
    const { client, folder } = daemon;
    const away = join(folder, "away");
    await printedAfter("before");
    renameSync(state(), away);
    const gone = { code: "unavailable", message: `the state folder ${state()} is gone`, hint: /move it back/ };
    const root = join(folder, "repo");
    for (const call of [
      () => client.new({ root, text: "Late", agent: "shell" }),
      () => client.run({ argv: ["true"] }),
      () => client.diff({ id: "1" }),
      () => client.rm({ id: "1" }),
    ]) {
      await assert.rejects(call(), gone);
    }
    assert.match((await client.ps({})).storage ?? "", /the state folder .* is gone/);
    assert.ok((await failed()).includes("state folder"));
    await until("it is reported", async () =>
      (await client.events({ after: 0 })).events.some(
        ({ type, data }) => type === "storage_changed" && /is gone/.test(JSON.stringify(data)),
      ),
    );
    assert.equal(existsSync(state()), false, "nothing is made in its place");
    renameSync(away, state());
    assert.equal((await client.ps({})).storage, undefined);
    assert.match((await printedAfter("after")).output, /got before.*got after/s);
    assert.equal((await client.ps({})).tasks.length, 2);
    assert.deepEqual(await failed(), []);
  });
});
