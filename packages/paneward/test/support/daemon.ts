import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@paneward/sdk";
import { unixTransport } from "@paneward/sdk/node";
import { compileCache } from "./compile-cache.ts";
import { afterwards, type Cleanup } from "./folder.ts";
import { lightNode } from "./light-node.ts";
import { packedDaemon } from "./packed.ts";

/** A daemon for one test, with its own state, sockets and tmux server; all removed afterwards. */
export interface TestDaemon {
  readonly client: Client;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
  /** The HTTP port on loopback. */
  readonly port: number;
  start(): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

export async function startDaemon(
  t: Cleanup,
  config = "",
  more: Readonly<Record<string, string>> = {},
  places: Readonly<Record<string, string>> = {},
): Promise<TestDaemon> {
  const folder = mkdtempSync(join(tmpdir(), "pw-"));
  const env = { ...environmentIn(folder), ...places };
  mkdirSync(join(folder, "config", "paneward"), { recursive: true });
  writeFileSync(join(folder, "config", "paneward", "config.toml"), withFreePort(config));
  writeFileSync(join(folder, ".gitconfig"), gitSettings);
  const transport = unixTransport(env.PANEWARD_SOCKET_PATH ?? "", "cli");
  let child: ChildProcess | undefined;
  let port = 0;
  const daemon: TestDaemon = {
    client: createClient(transport),
    folder,
    env,
    get pid() {
      return child?.pid ?? 0;
    },
    get port() {
      return port;
    },
    async start() {
      child = spawn(process.execPath, [...lightNode, await packedDaemon()], {
        env: { ...env, ...more, NODE_COMPILE_CACHE: compileCache },
        stdio: ["ignore", "pipe", "inherit"],
      });
      port = await ready(child);
    },
    async kill(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill(signal);
      await gone;
    },
  };
  afterwards(t, async () => {
    transport.close();
    await daemon.kill("SIGTERM");
    killTmux(env.PANEWARD_TMUX_SOCKET_PATH ?? "");
    // The servers of teams' workers, where pi looks for them.
    for (const socket of globSync(".pi/agent/tmux/*/tmux.sock", { cwd: folder })) killTmux(join(folder, socket));
    // Programs that just got SIGHUP from tmux may still write files.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  await daemon.start();
  return daemon;
}

/** A configuration of a test may have keys of `[web]` too. */
function withFreePort(config: string): string {
  const port = "[web]\nport = 0\n";
  return config.includes("[web]\n") ? config.replace("[web]\n", port) : `${config}\n${port}`;
}

// After each commit git would start a process that looks whether there is something to tidy.
const gitSettings = "[user]\nname = Test\nemail = test@localhost\n[core]\nfsync = none\n[maintenance]\nauto = false\n";

/** The environment of the test's programs, without the developer's settings. */
export function environmentIn(folder: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
    XDG_CONFIG_HOME: join(folder, "config"),
    PANEWARD_HOME: join(folder, "state"),
    PANEWARD_SOCKET_PATH: join(folder, "run", "daemon.sock"),
    PANEWARD_TMUX_SOCKET_PATH: join(folder, "run", "tmux.sock"),
    GIT_CONFIG_NOSYSTEM: "1",
    // Nothing that a test types by a pane's id may reach the tmux of the person who runs it.
    TMUX_TMPDIR: folder,
  };
}

async function ready(child: ChildProcess): Promise<number> {
  let printed = "";
  for await (const chunk of child.stdout ?? []) {
    printed += chunk;
    const [, port] = /ready (\d+)\n/.exec(printed) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`the daemon ended before it was ready: ${printed}`);
}

/** A control client of a killed daemon may remain and keep the server from exiting. */
export function killTmux(socket: string): void {
  const tmux = (...args: readonly string[]) => spawnSync("tmux", ["-S", socket, ...args], { encoding: "utf8" }).stdout;
  const clients = tmux("list-clients", "-F", "#{client_pid}").split("\n").filter(Boolean);
  tmux("kill-server");
  for (const pid of clients) {
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It exited with its server.
    }
  }
}
