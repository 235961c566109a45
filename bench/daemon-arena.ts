import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "@paneward/sdk";
import { unixTransport } from "@paneward/sdk/node";
import { environmentIn } from "../packages/paneward/test/support/daemon.ts";
import { endTmux, undoOnInterrupt } from "./interrupt.ts";
import { installedProduct } from "./product.ts";
import { spawned } from "./ways.ts";

/** A daemon as users run it, with its own state, sockets and tmux server. */
export interface DaemonArena {
  readonly client: Client;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly socket: string;
  /** The entry file of the installed command line. */
  readonly cli: string;
  /** The pids of the daemon and of its tmux server. */
  readonly pid: number;
  readonly tmuxPid: number;
}

export async function inDaemonArena<Result>(work: (arena: DaemonArena) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "paneward-bench-"));
  const env = environmentIn(folder);
  const socket = env.PANEWARD_SOCKET_PATH ?? "";
  const tmuxSocket = env.PANEWARD_TMUX_SOCKET_PATH ?? "";
  const transport = unixTransport(socket, "cli");
  let daemon: ChildProcess | undefined;
  const remove = () => {
    // Kill the daemon first: otherwise it could start another tmux server.
    daemon?.kill("SIGKILL");
    endTmux(tmuxSocket);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  const finished = undoOnInterrupt(remove);
  try {
    const { cli } = await installedProduct(folder);
    configure(folder);
    daemon = spawn(process.execPath, [cli, "daemon", "run"], { env, stdio: ["ignore", "ignore", "inherit"] });
    const client = createClient(transport);
    await answering(client, daemon);
    const tmuxPid = Number(await spawned(tmuxSocket, "display-message", "-p", "#{pid}"));
    return await work({ client, folder, env, socket, cli, pid: daemon.pid ?? 0, tmuxPid });
  } finally {
    transport.close();
    await ended(daemon);
    remove();
    finished();
  }
}

/** Opens terminals without output. */
export async function openIdle({ client }: DaemonArena, count: number): Promise<void> {
  const atOnce = 10;
  for (let left = count; left > 0; left -= atOnce) {
    const batch = Array.from({ length: Math.min(left, atOnce) }, () => client.run({ argv: ["sleep", "1000000"] }));
    await Promise.all(batch);
  }
}

// Any free port, and room for the largest journal of the benchmarks.
function configure(folder: string): void {
  mkdirSync(join(folder, "config", "paneward"), { recursive: true });
  const config = "[daemon]\njournal_max_mb = 256\n[web]\nport = 0\n";
  writeFileSync(join(folder, "config", "paneward", "config.toml"), config);
}

async function answering(client: Client, daemon: ChildProcess): Promise<void> {
  for (;;) {
    try {
      await client.ping({});
      return;
    } catch (error) {
      if (daemon.exitCode !== null) throw new Error("the daemon exited before it answered", { cause: error });
      await delay(20);
    }
  }
}

async function ended(daemon: ChildProcess | undefined): Promise<void> {
  if (!daemon || daemon.exitCode !== null || daemon.signalCode !== null) return;
  const exit = once(daemon, "exit");
  daemon.kill("SIGTERM");
  await exit;
}
