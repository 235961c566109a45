import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hookCommand } from "../packages/paneward/src/agents/hook-script.ts";
import type { DaemonArena } from "./daemon-arena.ts";
import { interleaved, median, percentile, repeated } from "./measure.ts";
import { atMost, type Result } from "./result.ts";

const payload = JSON.stringify({
  session_id: "bench",
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_response: "x".repeat(2_000),
});

/** How long an agent waits for one hook, with and without a daemon, compared with a Node process that does nothing. */
export async function hookTime(arena: DaemonArena): Promise<Result> {
  const { client, folder } = arena;
  const env = { ...arena.env, ...(await paneOfAnAgent(arena)) };
  const hook = ["/bin/sh", "-c", hookCommand(join(folder, "state", "hooks", "hook.sh"), "tell", "claude")];
  const samples = await interleaved(60, {
    running: () => repeated(1, () => ended(hook, env)),
    away: () => repeated(1, () => ended(hook, { ...env, PANEWARD_SOCKET_PATH: join(folder, "nobody") })),
    node: () => repeated(1, () => ended([process.execPath, "-e", "0"], env)),
  });
  const { agents } = await client.agents({});
  if (!agents.some(({ session_id }) => session_id === "bench")) throw new Error("the daemon ignored the hooks");
  const bare = median(samples.node);
  const note = "bare: node -e 0";
  return {
    rows: [
      { question: "one hook, median", unit: "ms", ours: median(samples.running), bare, note },
      { question: "one hook, p95", unit: "ms", ours: percentile(samples.running, 95), bare, note },
      { question: "one hook without a daemon, median", unit: "ms", ours: median(samples.away), bare, note },
    ],
    targets: [atMost("one hook, median", median(samples.running), 50, " ms")],
  };
}

/** Starts a stand-in for Claude Code that prints what its hooks would know of its pane. */
async function paneOfAnAgent({ client, folder }: DaemonArena): Promise<Readonly<Record<string, string>>> {
  const program = join(folder, "claude");
  const steps = `printf 'pane %s %s\\n' "$TMUX" "$TMUX_PANE"\nexec sleep 1000000\n`;
  writeFileSync(program, `#!/bin/sh\n${steps}`, { mode: 0o755 });
  const { id } = await client.run({ argv: [program], columns: 400 });
  await client.wait({ ids: [id], for: [{ kind: "output", pattern: "pane .*%\\d" }], timeout: 30 });
  const { output } = await client.read({ id });
  const [, TMUX = "", TMUX_PANE = ""] = /pane (\S+) (%\d+)/.exec(output) ?? [];
  return { TMUX, TMUX_PANE };
}

async function ended([program = "", ...args]: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(program, args, { env, stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.on("error", () => {});
  child.stdin.end(payload);
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}
