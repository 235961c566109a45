import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { terminal } from "../../src/notify/channels/terminal.ts";
import { afterwards, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";
import { asked, realTools } from "./support/tools.ts";

test("a notice is a line in the attached terminal, and nothing in it is obeyed by tmux", async (t) => {
  const folder = await temporaryFolder(t);
  const tmuxSocket = join(folder, "tmux.sock");
  const tmux = (...args: readonly string[]) =>
    spawnSync("tmux", ["-S", tmuxSocket, "-f", "/dev/null", ...args], { encoding: "utf8" });
  tmux("new-session", "-d", "-s", "work", "sleep 60");
  afterwards(t, () => void tmux("kill-server"));
  const tools = realTools({ tmuxSocket });
  const send = (body: string) => terminal.send({ ...asked, title: "fix-login asks", body }, { settings: {} }, tools);
  assert.deepEqual(await send("x"), { kind: "refused", said: "nobody is attached" });

  const env = { PATH: process.env.PATH, TERM: "xterm-256color", LANG: "C.UTF-8" };
  const person = spawn("script", ["-qec", `tmux -S '${tmuxSocket}' attach -t work`, "/dev/null"], {
    stdio: ["pipe", "pipe", "ignore"],
    env,
  });
  let seen = "";
  person.stdout.setEncoding("utf8").on("data", (piece: string) => {
    seen += piece;
  });
  await until("a person is attached", () => tmux("list-clients").stdout !== "");
  const file = join(folder, "made-by-tmux");
  const outcome = await send(`#(touch ${file}) %H #{pid}`);
  assert.deepEqual(outcome, { kind: "sent", said: "1 attached", delivered: true });
  await until("it is drawn", () => seen.includes("fix-login asks: #(touch"));
  assert.ok(seen.includes("%H #{pid}"));
  assert.equal(existsSync(file), false);
});
