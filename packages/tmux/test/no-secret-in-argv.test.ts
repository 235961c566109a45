import assert from "node:assert/strict";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sendText } from "../src/input.ts";
import { openSession, respawnPane } from "../src/terminal.ts";
import { shell, sleeper } from "./contract/fixture.ts";
import { temporaryFolder } from "./support/folder.ts";
import { hereSpawned, privateServer, written } from "./support/place.ts";

test("while control mode is down, no process shows a variable's value or typed text in its command line", async (t) => {
  const folder = await temporaryFolder(t);
  const seen = join(folder, "seen");
  const tmux = join(folder, "tmux");
  // What every user of the machine can read of the process while it runs.
  await writeFile(tmux, `#!/bin/sh\ntr '\\0' '\\n' <"/proc/$$/cmdline" >>${seen}\nexec tmux "$@"\n`);
  await chmod(tmux, 0o755);
  const place = { ...hereSpawned, host: { ...hereSpawned.host, tmux } };
  const { server, folder: own } = await privateServer(t, place);
  const out = join(own, "env");
  const env = { KEY: "s3cret-value; $HOME #{pid}\n'\"" };
  const argv = shell('printf %s "$KEY" >"$1.tmp"; mv "$1.tmp" "$1"; sleep 1000', out);
  const { pane } = await openSession(server, { name: "work", argv, env });
  assert.equal(await written(out), env.KEY);
  await respawnPane(server, pane, { argv: sleeper, env, kill: true });
  await sendText(server, pane, "typed-s3cret");
  await sendText(server, pane, "pasted-s3cret\nline");
  const shown = await readFile(seen, "utf8");
  assert.match(shown, /source-file/);
  assert.doesNotMatch(shown, /s3cret/);
});
