import assert from "node:assert/strict";
import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { paneward } from "../cli/support/cli.ts";
import { environmentIn } from "../support/daemon.ts";
import { afterwards, temporaryFolder } from "../support/folder.ts";

describe("a folder that other users can write to", () => {
  const uses = {
    PANEWARD_SOCKET_PATH: (folder: string) => join(folder, "daemon.sock"),
    PANEWARD_TMUX_SOCKET_PATH: (folder: string) => join(folder, "tmux.sock"),
    PANEWARD_HOME: (folder: string) => folder,
  };
  for (const [variable, path] of Object.entries(uses)) {
    test(`is refused as ${variable}, and neither its mode nor its content changes`, { timeout: 60_000 }, async (t) => {
      const folder = await temporaryFolder(t);
      const shared = join(folder, "shared");
      await mkdir(shared);
      await chmod(shared, 0o1777);
      const { code, stderr } = await paneward(["daemon", "run"], {
        env: { ...environmentIn(folder), [variable]: path(shared) },
      });
      assert.match(stderr, /shared with other users/);
      assert.match(stderr, new RegExp(`set ${variable}`));
      assert.equal(code, 4);
      assert.equal((await stat(shared)).mode & 0o7777, 0o1777);
      assert.deepEqual(await readdir(shared), []);
    });
  }

  test("a command says nothing to a socket that others could have put there", async (t) => {
    const folder = await temporaryFolder(t);
    const shared = join(folder, "shared");
    await mkdir(shared);
    await chmod(shared, 0o777);
    let heard = "";
    const impostor = createServer((socket) => socket.on("data", (bytes) => (heard += bytes)).on("error", () => {}));
    afterwards(t, () => void impostor.close());
    await new Promise<void>((resolve) => impostor.listen(join(shared, "daemon.sock"), resolve));
    const env = { ...environmentIn(folder), PANEWARD_SOCKET_PATH: join(shared, "daemon.sock") };
    const { code, stderr } = await paneward(["send", "t1", "my password"], { env });
    assert.match(stderr, /other users can replace the socket/);
    assert.equal(code, 4);
    assert.equal(heard, "");
  });
});
