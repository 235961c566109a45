import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz, hostileText, type Random } from "../../../tmux/test/support/random.ts";
import { attachmentName } from "../../src/model/attachment.ts";
import { startDaemon } from "../support/daemon.ts";

const odd = [
  "../../../.bashrc",
  "/etc/passwd",
  "..",
  ".",
  "",
  "-rf",
  "a\u0000b",
  "a\nb",
  "x".repeat(300),
  ".env",
  "a..b",
];
const endings = ["", ".png", ".sh", ".html", ".PNG.exe", ".tar.gz", ".\u202egnp", ". ", ".constructor"];

const nameOf = (random: Random) =>
  random.below(3) === 0 ? hostileText(random) : `${random.pick(odd)}${random.pick(endings)}`;

/** Of every kind that is taken, and of some that are not. */
const contents: readonly (readonly [good: boolean, bytes: Buffer])[] = [
  [true, Buffer.from("plain words\n")],
  [true, Buffer.from("\x89PNG\r\n\x1a\n rest", "latin1")],
  [true, Buffer.from("%PDF-1.7 rest")],
  [true, Buffer.from("#!/bin/sh\ntouch owned\n")],
  [false, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 1, 0, 0])],
  [false, Buffer.from([0xc3, 0x28])],
  [false, Buffer.alloc(0)],
];

describe("a file from elsewhere", () => {
  test("gets a name that is one in every folder, shell and prompt, and new", () =>
    fuzz(
      (random) => {
        const taken = Array.from({ length: random.below(4) }, () => `${random.below(100)}-${nameOf(random)}`);
        for (const type of ["png", "text", "pdf"] as const) {
          const name = attachmentName(nameOf(random), type, taken);
          assert.match(name, /^\d+-[A-Za-z0-9_][A-Za-z0-9._-]*\.[A-Za-z0-9]{1,10}$/);
          assert.ok(name.length < 100 && !taken.includes(name) && !name.includes(".."), name);
        }
      },
      amount(500, 100_000),
    ));

  test("stays in the folder of its task, whatever it is called and whatever is in its way there", async (t) => {
    const { client, folder } = await startDaemon(t);
    const { id } = await client.run({ argv: ["sleep", "1000"], cwd: folder });
    const place = join(folder, "state", "tasks", id, "attachments");
    const victim = join(folder, "victim");
    writeFileSync(victim, "untouched");
    mkdirSync(place, { recursive: true });
    const add = (name: string, bytes: Buffer) => client.attachment_add({ id, name, data: bytes.toString("base64") });
    await t.test("links, FIFOs and folders at the next names", async () => {
      symlinkSync(victim, join(place, "1-photo.txt"));
      execFileSync("mkfifo", [join(place, "2-photo.txt")]);
      mkdirSync(join(place, "3-photo.txt"));
      symlinkSync(join(folder, "not-there"), join(place, "4-photo.txt"));
      for (let count = 0; count < 4; count++) {
        const { path } = await add("photo.txt", Buffer.from("mine"));
        assert.ok(lstatSync(path).isFile() && readFileSync(path, "utf8") === "mine", path);
      }
      assert.deepEqual([readFileSync(victim, "utf8"), existsSync(join(folder, "not-there"))], ["untouched", false]);
    });
    await t.test("a link in place of a folder, which nothing is written through", async () => {
      const elsewhere = join(folder, "elsewhere");
      mkdirSync(elsewhere);
      for (const above of [place, join(place, "..")]) {
        rmSync(above, { recursive: true });
        symlinkSync(elsewhere, above);
        await assert.rejects(add("photo.txt", Buffer.from("mine")), { code: "wrong_state" });
        assert.deepEqual(readdirSync(elsewhere), []);
        rmSync(above);
        await add("photo.txt", Buffer.from("mine"));
      }
    });
    await t.test("any names and contents, some at the same time", () =>
      fuzz(
        async (random) => {
          const own = (await client.run({ argv: ["sleep", "1000"], cwd: folder })).id;
          const wanted = Array.from(
            { length: 1 + random.below(25) },
            () => [nameOf(random), random.pick(contents)] as const,
          );
          const answers = await Promise.allSettled(
            wanted.map(([name, [, bytes]]) => client.attachment_add({ id: own, name, data: bytes.toString("base64") })),
          );
          const paths = answers.flatMap((one, at) => {
            const [good, bytes] = wanted[at]?.[1] ?? [];
            if (one.status === "rejected") {
              assert.ok(one.reason instanceof PanewardError && one.reason.row.status < 500, String(one.reason));
              return [];
            }
            const { path } = one.value;
            assert.ok(good && readFileSync(path).equals(bytes ?? Buffer.alloc(0)), path);
            assert.equal(lstatSync(path).mode & 0o777, 0o600);
            return [path];
          });
          const kept = join(folder, "state", "tasks", own, "attachments");
          const there = existsSync(kept) ? readdirSync(kept).map((name) => join(kept, name)) : [];
          assert.deepEqual(paths.toSorted(), there.toSorted());
          assert.ok(there.length <= 20);
          await client.stop({ id: own });
          await client.rm({ id: own });
          assert.equal(existsSync(kept), false);
        },
        amount(3, 100),
      ),
    );
  });
});
