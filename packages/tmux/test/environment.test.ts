import assert from "node:assert/strict";
import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openPrivateServer } from "../src/server.ts";
import { openSession } from "../src/terminal.ts";
import { shell } from "./contract/fixture.ts";
import { afterwards, temporaryFolder } from "./support/folder.ts";
import { endServer, here, hereSpawned, privateServer, written } from "./support/place.ts";

for (const place of [here, hereSpawned]) {
  test(`nothing of the caller's environment reaches a pane unless it is named, on ${place.name}`, async (t) => {
    process.env.PANEWARD_TEST_SECRET = "secret";
    t.after(() => delete process.env.PANEWARD_TEST_SECRET);
    const { server, folder } = await privateServer(t, place);
    const out = join(folder, "env");
    const argv = shell('env -0 >"$1.tmp"; mv "$1.tmp" "$1"; sleep 1000', out);
    await openSession(server, { name: "work", argv, env: { NAMED: "yes" } });
    const names = (await written(out)).split("\0").flatMap((entry) => entry.split("=")[0] || []);
    // tmux itself sets the terminal, the pane and the shell from the password file; the shell sets its folder.
    const expected = ["NAMED", "PATH", "PWD", "TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TMUX", "TMUX_PANE"];
    const allowed = [...expected, "SHELL", "SHLVL", "OLDPWD", "_"];
    assert.deepEqual(
      names.filter((name) => !allowed.includes(name)),
      [],
    );
    for (const name of ["NAMED", "PATH", "TMUX_PANE"]) assert.ok(names.includes(name), name);
    const global = await server.run([["show-environment", "-g"]]);
    assert.deepEqual(
      global.map((line) => line.split("=")[0]).filter((name) => !["PATH", "PWD"].includes(name ?? "")),
      [],
    );
  });
}

test("only its owner can access the socket; the mode of a folder that existed before is kept", async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, "seen"));
  await chmod(join(folder, "seen"), 0o755);
  for (const [name, mode] of [["seen", 0o755] as const, ["new/deep", 0o700] as const]) {
    const server = await openPrivateServer({ socketPath: join(folder, name, "s"), host: here.host });
    afterwards(t, () => endServer(server));
    assert.equal((await stat(join(folder, name))).mode & 0o777, mode, name);
    assert.equal((await stat(join(folder, name, "s"))).mode & 0o077, 0, name);
  }
});

// `env` as a prefix: everything runs here, in the way it runs on another host.
for (const prefix of [[], ["env"]]) {
  test(`a folder that others can write to is refused and not changed, ${prefix.length ? "elsewhere" : "here"}`, async (t) => {
    const folder = await temporaryFolder(t);
    for (const mode of [0o1777, 0o777, 0o770]) {
      const shared = join(folder, mode.toString(8));
      await mkdir(shared);
      await chmod(shared, mode);
      const opening = openPrivateServer({ socketPath: join(shared, "s"), host: { ...here.host, prefix } });
      await assert.rejects(opening, { type: "subprocess_failed", message: /shared with other users/ });
      assert.equal((await stat(shared)).mode & 0o7777, mode);
      assert.deepEqual(await readdir(shared), []);
    }
  });
}

test("options are set before the first pane, and the user's configuration is not read", async (t) => {
  const { server } = await privateServer(t, here, { historyLimit: 77, options: { "base-index": "5" } });
  const value = async (name: string) => (await server.run([["show-options", "-gv", name]]))[0];
  assert.equal(await value("remain-on-exit"), "on");
  assert.equal(await value("history-limit"), "77");
  assert.equal(await value("base-index"), "5");
  const [keeper] = await server.run([["list-panes", "-a", "-F", "#{history_limit} #{window_index}"]]);
  assert.equal(keeper, "77 5");
});
