import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type Files, localFiles } from "../src/transport/files.ts";
import { thisMachine } from "../src/transport/host.ts";
import { RemoteFiles } from "../src/transport/remote-files.ts";
import { afterwards, type Cleanup, temporaryFolder } from "./support/folder.ts";
import { plainEnv } from "./support/place.ts";
import { until } from "./support/until.ts";

const kinds: Readonly<Record<string, () => Files>> = {
  here: () => localFiles,
  "behind a prefix": () => new RemoteFiles({ ...thisMachine, prefix: ["env"], env: plainEnv }),
  "behind a greeting": () =>
    new RemoteFiles({ ...thisMachine, prefix: ["sh", "-c", 'echo Hi; printf 7; exec "$@"', "sh"], env: plainEnv }),
  // Joins its arguments and parses them again, as ssh does.
  "behind a shell": () =>
    new RemoteFiles({ ...thisMachine, prefix: ["sh", "-c", 'eval "$*"', "sh"], quoting: "posix", env: plainEnv }),
};

for (const [name, open] of Object.entries(kinds)) {
  const opened = async (t: Cleanup) => {
    const folder = await temporaryFolder(t);
    const files = open();
    afterwards(t, () => files.close());
    return { files, folder: join(folder, "it's a folder") };
  };

  test(`files ${name} are created, read in part, listed and removed`, async (t) => {
    const { files, folder } = await opened(t);
    assert.deepEqual(await files.list(folder), []);
    await files.makeFolder(folder);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    const path = join(folder, "a");
    await files.write(path, "$HOME 'x' \\n %s");
    await files.append(join(folder, "b"), "one\n");
    await files.append(join(folder, "b"), "two\n");
    assert.equal(await readFile(path, "utf8"), "$HOME 'x' \\n %s");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await files.read(join(folder, "b"), 2, 4)).toString(), "e\ntw");
    assert.equal((await files.read(join(folder, "b"), 100, 4)).length, 0);
    assert.equal((await files.read(join(folder, "missing"), 0, 4)).length, 0);
    assert.deepEqual(
      [...(await files.list(folder))].sort((a, b) => (a.name < b.name ? -1 : 1)),
      [
        { name: "a", size: 15 },
        { name: "b", size: 8 },
      ],
    );
    assert.deepEqual(await files.tail(join(folder, "b"), 5), { size: 8, bytes: Buffer.from("\ntwo\n") });
    await files.remove(path);
    assert.deepEqual(await files.list(folder), [{ name: "b", size: 8 }]);
  });

  test(`folders ${name} to which nothing was added for a day are found`, async (t) => {
    const { files, folder } = await opened(t);
    assert.deepEqual(await files.oldFolders(folder, 1), []);
    const ages = { t1: 25, "it's old": 49, t3: 23, t4: 0 };
    for (const [inside, hours] of Object.entries(ages)) {
      await files.makeFolder(join(folder, inside));
      const then = new Date(Date.now() - hours * 3_600_000);
      await utimes(join(folder, inside), then, then);
    }
    await files.write(join(folder, "file"), "");
    await utimes(join(folder, "file"), 0, 0);
    assert.deepEqual([...(await files.oldFolders(folder, 1))].sort(), ["it's old", "t1"]);
    assert.deepEqual(await files.oldFolders(folder, 2), ["it's old"]);
  });

  test(`files ${name} store any bytes, and answers keep their order while files vanish`, async (t) => {
    const { files, folder } = await opened(t);
    await files.makeFolder(folder);
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7) % 256));
    await writeFile(join(folder, "bytes"), bytes);
    for (let round = 0; round < 20; round++) {
      await writeFile(join(folder, "vanishing"), bytes);
      const [whole, gone, part] = await Promise.all([
        files.read(join(folder, "bytes"), 0, 200_000),
        files.read(join(folder, "vanishing"), 0, 200_000),
        files.read(join(folder, "bytes"), 50_000, 10),
        files.remove(join(folder, "vanishing")),
      ]);
      assert.ok(whole.equals(bytes) && part.equals(bytes.subarray(50_000, 50_010)));
      assert.ok(gone.length === 0 || gone.equals(bytes));
    }
  });

  test(`a change of files ${name} is noticed`, async (t) => {
    const { files, folder } = await opened(t);
    await files.makeFolder(folder);
    let changes = 0;
    afterwards(
      t,
      files.watch(folder, () => changes++),
    );
    for (const text of ["x", "xy", "xyz"]) {
      const before = changes;
      await writeFile(join(folder, "a"), text);
      await until("it is noticed", () => changes > before);
    }
  });

  test(`changes in several folders of files ${name} are distinguished`, async (t) => {
    const { files, folder } = await opened(t);
    const told = new Map<string, number>();
    const names = ["t1", "t2", "-x", "*", "a b", "t10"];
    for (const one of names) {
      await files.makeFolder(join(folder, one));
      const tell = () => told.set(one, (told.get(one) ?? 0) + 1);
      afterwards(t, files.watch(join(folder, one), tell));
    }
    for (const one of names) {
      told.clear();
      // At once there with its content: written in its place, it would be two changes, which may be noticed apart.
      await writeFile(join(folder, "new"), "x");
      await rename(join(folder, "new"), join(folder, one, "0000"));
      await until("it is noticed", () => told.has(one));
      assert.deepEqual([...told.keys()], [one]);
    }
  });
}

test("a reader behind a prefix restarts after it ended, and its lost answers are errors", async (t) => {
  const folder = await temporaryFolder(t);
  const flag = join(folder, "flag");
  const prefix = ["sh", "-c", 'if [ -e "$0" ]; then exec "$@"; else : >"$0"; exit 1; fi', flag];
  const files = new RemoteFiles({ ...thisMachine, prefix, env: plainEnv });
  afterwards(t, () => files.close());
  await assert.rejects(files.list(folder), { type: "unknown", delivered: "no" });
  assert.deepEqual(await files.list(folder), [{ name: "flag", size: 0 }]);
});

test("a reader that prints something else is given up and restarted", async (t) => {
  const folder = await temporaryFolder(t);
  const once = join(folder, "once");
  const prefix = ["sh", "-c", '"$@" | { [ -e "$0" ] || { : >"$0"; head -n 1; echo nonsense; }; cat; }', once];
  const files = new RemoteFiles({ ...thisMachine, prefix, env: plainEnv });
  afterwards(t, () => files.close());
  await assert.rejects(files.list(folder), /the host did not answer: "nonsense" is not an answer/);
  assert.deepEqual(
    (await files.list(folder)).map(({ name }) => name),
    ["once"],
  );
});

test("a folder unchanged for long is listed again as soon as a file is added, removed or restored", async (t) => {
  const folder = join(await temporaryFolder(t), "journal");
  const makeOld = async () => utimes(folder, 1, 1);
  const names = async () => [...(await localFiles.names(folder))].sort();
  await localFiles.makeFolder(folder);
  await makeOld();
  assert.deepEqual([await names(), await names()], [[], []]);
  for (let at = 100; at < 200; at++) {
    await writeFile(join(folder, `f${at}`), "");
    assert.equal((await names()).at(-1), `f${at}`);
    if (at % 10 === 0) await makeOld();
  }
  await makeOld();
  assert.equal((await names()).length, 100);
  await rm(join(folder, "f150"));
  assert.equal((await names()).includes("f150"), false);
  await rm(folder, { recursive: true });
  assert.deepEqual(await names(), []);
  await localFiles.makeFolder(folder);
  await makeOld();
  assert.deepEqual(await names(), []);
});

test("a FIFO at the place of a journal's file reads as empty, and nothing waits for its other side", async (t) => {
  const path = join(await temporaryFolder(t), "a");
  execFileSync("mkfifo", [path]);
  assert.deepEqual(await localFiles.tail(path, 100), { size: 0, bytes: Buffer.alloc(0) });
  assert.deepEqual(await localFiles.read(path, 0, 100), Buffer.alloc(0));
  await assert.rejects(localFiles.append(path, "text"), { code: "ENXIO" });
  await assert.rejects(localFiles.write(path, "text"), { code: "ENXIO" });
});
