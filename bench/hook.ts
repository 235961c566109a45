import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { hookCommand } from "../packages/paneward/src/agents/hook-script.ts";
import type { DaemonArena } from "./daemon-arena.ts";
import { interleaved, median, percentile, repeated } from "./measure.ts";
import { atMost, type Result } from "./result.ts";
import { spawned } from "./ways.ts";

const payload = JSON.stringify({
  session_id: "bench",
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_response: "x".repeat(2_000),
});

/** How long does an agent wait for one hook, when the daemon runs and when it does not? Beside it a Node that does nothing. */
export async function hookTime(arena: DaemonArena): Promise<Result> {
  const { client, folder } = arena;
  await client.run({ argv: ["sleep", "1000000"] });
  const tmuxSocket = arena.env.PANEWARD_TMUX_SOCKET_PATH ?? "";
  const panes = await spawned(tmuxSocket, "list-panes", "-a", "-F", "#{pane_current_command} #{pane_id}");
  const pane = /^sleep (%\d+)$/m.exec(panes)?.[1] ?? "";
  const env = { ...arena.env, TMUX: `${tmuxSocket},${arena.tmuxPid},0`, TMUX_PANE: pane };
  const hook = ["/bin/sh", "-c", hookCommand(join(folder, "state", "hooks", "hook.sh"), "tell", "claude")];
  const samples = await interleaved(60, {
    told: () => repeated(1, () => ended(hook, env)),
    away: () => repeated(1, () => ended(hook, { ...env, PANEWARD_SOCKET_PATH: join(folder, "nobody") })),
    node: () => repeated(1, () => ended([process.execPath, "-e", "0"], env)),
  });
  const { agents } = await client.agents({});
  if (!agents.some(({ session_id }) => session_id === "bench")) throw new Error("the daemon did not believe the hooks");
  const bare = median(samples.node);
  const note = "bare: node -e 0";
  return {
    rows: [
      { question: "one hook, median", unit: "ms", ours: median(samples.told), bare, note },
      { question: "one hook, p95", unit: "ms", ours: percentile(samples.told, 95), bare, note },
      { question: "one hook without a daemon, median", unit: "ms", ours: median(samples.away), bare, note },
    ],
    targets: [atMost("one hook, median", median(samples.told), 50, " ms")],
  };
}

async function ended([program = "", ...args]: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(program, args, { env, stdio: ["pipe", "ignore", "inherit"] });
  child.stdin.on("error", () => {});
  child.stdin.end(payload);
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}
