import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { readForeign, readForeignSync } from "@paneward/sdk/node/files";

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "paneward-foreign-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Both readers, which must agree. */
async function outcome(path: string, options: Parameters<typeof readForeign>[1]): Promise<string | undefined> {
  const refused = (error: unknown) => {
    if (!(error instanceof PanewardError)) throw error;
    return Buffer.from(`${error.code}: ${error.message.replace(path, "it")}`);
  };
  const sync = () => {
    try {
      return readForeignSync(path, options);
    } catch (error) {
      return refused(error);
    }
  };
  const [one, other] = [await readForeign(path, options).catch(refused), sync()];
  assert.deepEqual(one, other);
  return one?.toString("utf8");
}

test("a plain file is read up to its limit; a missing one is undefined", async (t) => {
  const folder = folderFor(t);
  const path = join(folder, "file");
  writeFileSync(path, "ten bytes!");
  assert.equal(await outcome(path, { maxBytes: 10 }), "ten bytes!");
  assert.match((await outcome(path, { maxBytes: 9 })) ?? "", /^wrong_state: it has more than 9 bytes/);
  assert.equal(await outcome(join(folder, "none"), { maxBytes: 9 }), undefined);
  assert.equal(await outcome(join(path, "below"), { maxBytes: 9 }), undefined);
  writeFileSync(path, "");
  assert.equal(await outcome(path, { maxBytes: 10 }), "");
});

test("a file without a size, as in /proc, is cut off at the limit too", async () => {
  assert.match((await outcome("/proc/self/environ", { maxBytes: 1 })) ?? "", /more than 1 bytes/);
});

test("a FIFO, a device, a socket, a folder and a link are refused at once", { timeout: 20_000 }, async (t) => {
  const folder = folderFor(t);
  execFileSync("mkfifo", [join(folder, "fifo")]);
  writeFileSync(join(folder, "target"), "text");
  symlinkSync("target", join(folder, "link"));
  symlinkSync("fifo", join(folder, "link-to-fifo"));
  mkdirSync(join(folder, "folder"));
  const server = createServer().listen(join(folder, "socket"));
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const cases = { fifo: "a FIFO", socket: "a socket", folder: "a folder", link: "a link", "link-to-fifo": "a link" };
  for (const [name, kind] of Object.entries(cases)) {
    const said = await outcome(join(folder, name), { maxBytes: 100 });
    assert.equal(said, `wrong_state: it is ${kind}; only a plain file is used there`);
  }
  assert.match((await outcome("/dev/zero", { maxBytes: 100 })) ?? "", /is a device/);
  const followed = await outcome(join(folder, "link-to-fifo"), { maxBytes: 100, followLinks: true });
  assert.match(followed ?? "", /is a FIFO/);
  assert.equal(await outcome(join(folder, "link"), { maxBytes: 100, followLinks: true }), "text");
});

test("a huge file is refused without being read", async (t) => {
  const path = join(folderFor(t), "huge");
  writeFileSync(path, "");
  truncateSync(path, 2 ** 40);
  assert.match((await outcome(path, { maxBytes: 1_000_000 })) ?? "", /more than 1000000 bytes/);
});

test("a folder on the way may not be a link that leaves the repository", async (t) => {
  const folder = folderFor(t);
  mkdirSync(join(folder, "outside"));
  mkdirSync(join(folder, "repository", "real"), { recursive: true });
  writeFileSync(join(folder, "outside", "file"), "secret");
  writeFileSync(join(folder, "repository", "real", "file"), "text");
  symlinkSync("../outside", join(folder, "repository", "out"));
  symlinkSync("real", join(folder, "repository", "in"));
  const options = { maxBytes: 100, below: join(folder, "repository") };
  assert.match((await outcome(join(folder, "repository", "out", "file"), options)) ?? "", /behind a link that leaves/);
  assert.equal(await outcome(join(folder, "repository", "in", "file"), options), "text");
  assert.equal(await outcome(join(folder, "repository", "none", "file"), options), undefined);
});
