import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { PiContext } from "../src/pi/api.ts";
import { ToolFailure } from "../src/team/failure.ts";
import { startWorker } from "../src/team/start.ts";
import { TeamTmux } from "../src/team/team-tmux.ts";
import { runTmux } from "../src/team/tmux-runner.ts";
import { until } from "./support/until.ts";

/**
 * A worker with an editor like pi's. It starts late and ignores the first Enter: the draft stays until a second one.
 */
const worker = `rule=────────────────────────────────────────
draw() { printf '\\033[2J\\033[H%s\\n%s\\n%s\\n\\033[2A' "$rule" "$1" "$rule"; }
while [ ! -e ready ]; do sleep 0.05; done
draw ""
IFS= read -r text
draw "$text"
IFS= read -r second
draw ""
printf '%s|%s' "$text" "$second" > taken.new
mv taken.new taken
sleep 1000`;

test("without a daemon the extension types the prompt itself, once the editor is ready, and until it is submitted", async (t) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pw-alone-")));
  const socket = join(folder, "sock", "tmux.sock");
  mkdirSync(join(folder, "sock"));
  t.after(() => {
    spawnSync("tmux", ["-S", socket, "kill-server"]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  writeFileSync(join(folder, "worker.sh"), worker);
  const env = { ...process.env, HOME: folder, LANG: "C.UTF-8" };
  const nobody = () => Promise.reject(new ToolFailure("missing_teamd_discovery", "no daemon"));
  const team = {
    membership: { teamId: "demo", agentId: "lead", isWorker: false },
    teamd: { get: nobody, post: nobody },
    tmux: new TeamTmux(socket, runTmux, env),
    settings: { env: ["LANG"], cmd: ["sh", "worker.sh"] },
    leases: { held: () => {}, gone: () => {} },
  };
  const call = { id: "call-1", signal: undefined, ctx: { cwd: folder } as PiContext };
  const begun = startWorker(team, { taskPrompt: "Fix it; $(now) 'quoted'", lines: 10 }, call);
  const program = () => spawnSync("tmux", ["-S", socket, "list-sessions", "-F", "#{session_name}"]).stdout.toString();
  await until("the session exists", () => program() === "worker1\n");
  writeFileSync(join(folder, "ready"), "");
  const answer = await begun;
  const { created, threadId, delivered } = answer as Readonly<Record<string, unknown>>;
  assert.deepEqual([created, threadId, delivered], [true, null, "typed by the extension"]);
  await until("the worker has it", () => existsSync(join(folder, "taken")));
  assert.equal(readFileSync(join(folder, "taken"), "utf8"), "Fix it; $(now) 'quoted'|");
});
