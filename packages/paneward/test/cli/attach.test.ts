import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { random } from "../../../tmux/test/support/random.ts";
import { attachmentName } from "../../src/model/attachment.ts";
import { startDaemon, type TestDaemon } from "../support/daemon.ts";
import { hostileWords } from "../support/hostile-names.ts";
import { makeRepository } from "../support/repository.ts";
import { until } from "../support/until.ts";
import { paneward } from "./support/cli.ts";

describe("attached files", () => {
  const cleanups: (() => void | Promise<void>)[] = [];
  let daemon: TestDaemon;
  before(async () => {
    const t = { after: (clean: () => void | Promise<void>) => void cleanups.push(clean) };
    daemon = await startDaemon(t, '[agents.cat]\ncmd = ["cat"]\n');
  });
  after(async () => {
    for (const clean of cleanups.toReversed()) await clean();
  });

  const file = (name: string, content: string | Buffer) => {
    const path = join(daemon.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  const printed = async (id: string) => (await daemon.client.read({ id, lines: 50 })).output.replaceAll("\n", "");

  test("are copied for the program, privately, with their paths behind the text; removed with the terminal", async () => {
    const { id } = await daemon.client.run({ argv: ["cat"], name: "reader" });
    const note = file("my notes.md", "it fails here\n");
    const picture = file("shot.png", Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1"));
    const argv = ["send", id, "look:", "--attach", note, "--attach", picture, "--timeout", "0"];
    const sent = await paneward(argv, { env: daemon.env });
    assert.equal(sent.stderr.includes("error"), false, sent.stderr);
    const kept = join(daemon.folder, "state", "tasks", id, "attachments");
    const paths = ["1-my-notes.md", "2-shot.png"].map((name) => join(kept, name));
    await until("it was typed", async () => (await printed(id)).includes(`look: ${paths.join(" ")}`));
    assert.equal(readFileSync(paths[0] ?? "", "utf8"), "it fails here\n");
    assert.deepEqual(readFileSync(paths[1] ?? ""), readFileSync(picture));
    for (const path of paths) assert.equal(statSync(path).mode & 0o777, 0o600);
    await daemon.client.stop({ id });
    await daemon.client.rm({ id });
    assert.equal(existsSync(kept), false);
  });

  test("of a task are kept with it, also for a draft, and removed with it", async () => {
    const { root } = makeRepository(daemon);
    const { id } = await daemon.client.new({ root, text: "later", agent: "cat", draft: true });
    const data = Buffer.from("text").toString("base64");
    const { path } = await daemon.client.attachment_add({ id: String(id), name: "../../escape.txt", data });
    assert.equal(path, join(daemon.folder, "state", "tasks", String(id), "attachments", "1-escape.txt"));
    await daemon.client.rm({ id: String(id) });
    assert.equal(existsSync(path), false);
  });

  test("have a safe name, whatever they are called", (t) => {
    const chance = random(t);
    for (let count = 0; count < 2_000; count++) {
      const given = hostileWords(chance);
      const name = attachmentName(given, "text", []);
      assert.match(name, /^1-[A-Za-z0-9_][A-Za-z0-9._-]{0,60}\.[A-Za-z0-9]{1,10}$/, JSON.stringify(given));
      assert.ok(!name.includes(".."), name);
    }
  });

  const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      "no text",
      ["--attach", "notes.txt"],
      /--attach needs a text that says what the file is for\n.*hint: .*--attach FILE/s,
    ],
    ["a missing file", ["x", "--attach", "missing"], /cannot read missing/],
    ["an empty file", ["x", "--attach", "empty"], /is not a file with content/],
    ["a folder", ["x", "--attach", "."], /./],
    ["a program", ["x", "--attach", "program"], /neither a picture, nor a PDF, nor text\nhint: attach PNG/],
    ["too much", ["x", "--attach", "large.txt"], /more than 8 MB\nhint: attach a part/],
  ];
  test("that cannot be taken are refused with a hint, and nothing is typed", async () => {
    const { id } = await daemon.client.run({ argv: ["cat"], name: "refuser" });
    file("files/notes.txt", "text");
    file("files/empty", "");
    file("files/program", Buffer.from("\x7fELF\x02\0", "latin1"));
    file("files/large.txt", "x".repeat(9 * 1_048_576));
    for (const [what, argv, why] of refused) {
      const { stderr, code } = await paneward(["send", id, ...argv], {
        env: daemon.env,
        cwd: join(daemon.folder, "files"),
      });
      assert.notEqual(code, 0, what);
      assert.match(stderr, why, what);
    }
    assert.equal((await printed(id)).trim(), "");
    assert.deepEqual((await daemon.client.deliveries({ id })).deliveries, []);
    await daemon.client.stop({ id });
  });

  test("are twenty at most, also when they come at once, and forty megabytes", async () => {
    const { id } = await daemon.client.run({ argv: ["cat"], name: "collector" });
    const data = Buffer.from("text").toString("base64");
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, () =>
        daemon.client.attachment_add({ id, name: "note.txt", data }).then(
          ({ path }) => path,
          (error: PanewardError) => error.code,
        ),
      ),
    );
    assert.equal(new Set(outcomes).size, 21, "twenty paths, all different, and one refusal");
    assert.equal(outcomes.filter((one) => one === "too_large").length, 4);
    assert.equal(readdirSync(join(daemon.folder, "state", "tasks", id, "attachments")).length, 20);
    const other = await daemon.client.run({ argv: ["cat"], name: "heavy" });
    const large = Buffer.alloc(8 * 1_048_576 - 1, "x").toString("base64");
    for (let count = 0; count < 5; count++)
      await daemon.client.attachment_add({ id: other.id, name: "a", data: large });
    await assert.rejects(daemon.client.attachment_add({ id: other.id, name: "a", data: large }), { code: "too_large" });
    const nothing = await daemon.client
      .attachment_add({ id: "t999", name: "a", data })
      .catch((error: unknown) => error);
    assert.ok(nothing instanceof PanewardError && nothing.code === "not_found");
    for (const one of [id, other.id]) await daemon.client.stop({ id: one });
  });
});
