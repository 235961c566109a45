import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cliArgv } from "../cli/support/cli.ts";
import { compileCache } from "../support/compile-cache.ts";
import { startDaemon } from "../support/daemon.ts";
import { afterwards } from "../support/folder.ts";
import { until } from "../support/until.ts";

/** What a program may print for the terminal of the person who looks at it; none of it is text. */
const sequences = [
  "\\033]0;EVIL\\007",
  "\\033]1;EVIL\\007",
  "\\033]2;EVIL\\033\\\\",
  "\\033kEVIL\\033\\\\",
  "\\033_EVIL\\033\\\\",
  "\\033^EVIL\\033\\\\",
  "\\033XEVIL\\033\\\\",
  "\\033PEVIL\\033\\\\",
  "\\033Ptmux;\\033\\033]0;EVIL\\007\\033\\\\",
  "\\033Ptmux;\\033\\033]52;c;RVZJTA==\\007\\033\\\\",
  "\\033]52;c;RVZJTA==\\007",
  "\\033]7;file://host/EVIL\\033\\\\",
  "\\033]9;EVIL\\007",
  "\\033]99;;EVIL\\033\\\\",
  "\\033]777;notify;EVIL;EVIL\\007",
  "\\033]1337;SetUserVar=EVIL=RVZJTA==\\007",
  "\\033]4;1;EVIL\\007",
  "\\302\\2350;EVIL\\302\\234",
  "\\033]2;\\033[31mEVIL\\n#(touch EVIL)#{pid}\\007",
  "\\033[22t\\033[21t",
] as const;

test("what a program prints for the terminal does not reach that of the person who attaches", async (t) => {
  const daemon = await startDaemon(t);
  const { client, folder, env } = daemon;
  const script = join(folder, "evil.sh");
  const all = sequences.map((one) => `printf '${one.replaceAll("%", "%%")}'`).join("\n");
  writeFileSync(script, `n=0\nwhile :; do\n${all}\nn=$((n+1)); echo "round $n"; sleep 0.1\ndone\n`);
  const { id } = await client.run({ argv: ["sh", script], cwd: folder });
  const outer = (...args: readonly string[]) =>
    spawnSync("tmux", ["-f", "/dev/null", "-S", join(folder, "outer.sock"), ...args], { encoding: "utf8" });
  afterwards(t, () => void outer("kill-server"));
  const variables = Object.entries({ ...env, NODE_COMPILE_CACHE: compileCache, TERM: "xterm-256color" });
  const words = ["env", "-i", ...variables.map(([name, value]) => `${name}=${value}`), ...cliArgv, "attach", id];
  outer("new-session", "-d", "-x", "90", "-y", "20", "sleep", "1000");
  const raw = join(folder, "raw");
  outer("pipe-pane", "-O", `cat > '${raw}'`);
  outer("respawn-pane", "-k", ...words);
  const seen = () => (existsSync(raw) ? readFileSync(raw, "latin1") : "");
  const rounds = () => new Set(seen().match(/round \d+/g)).size;
  await until("several rounds were shown while attached", () => rounds() >= 8);
  const text = seen();
  assert.doesNotMatch(text, /RVZJTA/, "the clipboard");
  const strings = text.match(/\u001b[\]PX^_k][^\u0007\u001b]*/g) ?? [];
  assert.deepEqual(strings, [], "strings for the terminal");
  assert.equal(existsSync(join(folder, "EVIL")), false);
});
