import { dirname } from "node:path";
import { findFilteringSplit } from "./protocol/cursor.ts";
import { TmuxError } from "./protocol/errors.ts";
import { hookCommands } from "./protocol/events.ts";
import { sessionName } from "./protocol/names.ts";
import type { Command, Sequence } from "./protocol/quote.ts";
import { parseVersion, requireSupported, type TmuxVersion } from "./protocol/version.ts";
import { type Launcher, startServer } from "./start-server.ts";
import { type Finished, runChild } from "./transport/child.ts";
import { type Files, localFiles } from "./transport/files.ts";
import { type Host, isLocal, thisMachine } from "./transport/host.ts";
import { Link, type LinkStatus } from "./transport/link.ts";
import { ownFolder, ownFolderScript, sharedFolder } from "./transport/own-folder.ts";
import { RemoteFiles } from "./transport/remote-files.ts";
import { type Address, spawnTransport } from "./transport/spawn.ts";
import { type RunOptions, startLimitMs } from "./transport/transport.ts";

/** Identifies a tmux process. Ids such as %12 are meaningful only together with it. */
export interface ServerIdentity {
  readonly pid: number;
  readonly startTime: number;
}

export interface Server {
  readonly host: Host;
  readonly socketPath: string;
  readonly identity: ServerIdentity;
  readonly version: TmuxVersion;
  /** The hidden session that control clients attach to; absent on a foreign server. */
  readonly keeper: string | undefined;
  /** Whether control mode is used at all. */
  readonly controlMode: boolean;
  /** Files on the server's host, where the journals are stored. */
  readonly files: Files;
  readonly status: () => LinkStatus;
  readonly controlPid: () => number | undefined;
  readonly run: (sequence: Sequence, options?: RunOptions) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

export interface PrivateServerOptions {
  readonly socketPath: string;
  readonly host?: Partial<Host>;
  /** Lines of history per pane. */
  readonly historyLimit?: number;
  /** More global options, set before the first pane is created. */
  readonly options?: Readonly<Record<string, string>>;
  /** `spawn` never uses control mode: for a tmux whose control mode is broken. */
  readonly transport?: "control" | "spawn";
  readonly onStatus?: (status: LinkStatus) => void;
  /** Through what a new server is started on this machine: the first that works, else nothing. */
  readonly launchers?: readonly Launcher[];
}

export const keeperSession = sessionName("paneward-keeper");

/** Starts a private server, or connects to the one already running on this socket. */
export async function openPrivateServer(options: PrivateServerOptions): Promise<Server> {
  const address = addressOf(options);
  const version = await makeReady(address.host, dirname(options.socketPath));
  const { launchers = [] } = options;
  await startServer(address, { sequence: startSequence(options), keeper: keeperSession, launchers });
  return connected(address, version, options);
}

/**
 * Uses an existing server that Paneward did not start. Changes nothing on it: attaches no control client, sets no
 * option or hook.
 */
export async function openForeignServer(options: {
  readonly socketPath: string;
  readonly host?: Partial<Host>;
}): Promise<Server> {
  const address = addressOf(options);
  const version = await checkVersion(address.host);
  const spawn = spawnTransport(address);
  const files = isLocal(address.host) ? localFiles : new RemoteFiles(address.host);
  return {
    ...address,
    version,
    identity: await identify(spawn.run),
    keeper: undefined,
    controlMode: false,
    files,
    status: () => ({ transport: "spawn", reason: "control mode is not used on a foreign server", attempts: 0 }),
    controlPid: () => undefined,
    run: spawn.run,
    close: () => files.close(),
  };
}

/** The socket path from `$TMUX`, which has the form `path,pid,session`. */
export function socketPathFrom(tmuxVariable: string): string {
  const [, path] = /^(.+),\d+,\d+$/s.exec(tmuxVariable) ?? [];
  if (path !== undefined) return path;
  throw new TmuxError(
    "server_lost",
    `$TMUX is ${JSON.stringify(tmuxVariable)}, which names no tmux server; run this inside tmux`,
  );
}

/** Kills the server and everything in it. */
export async function killServer(server: Server): Promise<void> {
  await server.close();
  try {
    await spawnTransport(server).run([["kill-server"]], { timeoutMs: startLimitMs(server.host) });
  } catch (error) {
    if (!(error instanceof TmuxError && error.type === "server_lost")) throw error;
  }
}

/** Whether the same server process still runs. A new one on the same socket does not count. */
export async function isSameServer(server: Server): Promise<boolean> {
  try {
    const now = await identify(spawnTransport(server).run);
    return now.pid === server.identity.pid && now.startTime === server.identity.startTime;
  } catch (error) {
    if (error instanceof TmuxError && error.type === "server_lost") return false;
    throw error;
  }
}

async function connected(
  address: Address,
  version: TmuxVersion,
  { onStatus, transport = "control" }: PrivateServerOptions,
): Promise<Server> {
  const controlMode = transport === "control";
  const link = new Link(address, { session: keeperSession, controlMode, ...(onStatus ? { onStatus } : {}) });
  const [files] = await Promise.all([filesOn(address.host), link.connect()]);
  return {
    ...address,
    version,
    identity: await identify((sequence, options) => link.run(sequence, options)),
    keeper: keeperSession,
    controlMode,
    files,
    status: () => link.status,
    controlPid: () => link.controlPid,
    run: (sequence, options) => link.run(sequence, options),
    close: async () => {
      await Promise.all([link.close(), files.close()]);
    },
  };
}

function addressOf(options: { readonly socketPath: string; readonly host?: Partial<Host> }): Address {
  return { host: { ...thisMachine, ...options.host }, socketPath: options.socketPath };
}

/** The server's pipes run with this environment; the `split` found in it is named by its path. */
async function filesOn(host: Host): Promise<Files> {
  const found = await runChild(host, ["sh", "-c", findFilteringSplit], {
    timeoutMs: startLimitMs(host),
    harmless: true,
  }).catch(() => undefined);
  const path = found?.code === 0 ? found.stdout.trim() : "";
  const filteringSplit = path.startsWith("/") ? path : undefined;
  return isLocal(host) ? { ...localFiles, filteringSplit } : new RemoteFiles(host, filteringSplit);
}

function checkVersion(host: Host): Promise<TmuxVersion> {
  return versionFrom(runChild(host, [host.tmux, "-V"], { timeoutMs: startLimitMs(host), harmless: true }));
}

async function versionFrom(child: Promise<Finished>): Promise<TmuxVersion> {
  const { code, stdout, stderr } = await child;
  if (code === 0) return requireSupported(parseVersion(stdout));
  const type = code === 127 ? "tmux_not_installed" : "subprocess_failed";
  throw new TmuxError(type, `cannot run tmux on this host: ${stderr.trim() || `exit code ${code}`}`, { stderr });
}

// Checks the version and creates the private folder; behind a prefix in one process, because each is expensive there.
async function makeReady(host: Host, folder: string): Promise<TmuxVersion> {
  if (isLocal(host)) {
    const version = await checkVersion(host);
    await ownFolder(folder);
    return version;
  }
  const script = `${ownFolderScript}\nexec "$2" -V`;
  const argv = ["sh", "-c", script, "paneward", folder, host.tmux];
  const child = runChild(host, argv, { timeoutMs: startLimitMs(host), harmless: true });
  const { code, stderr } = await child;
  if (code === 98) throw new TmuxError("subprocess_failed", sharedFolder(folder), { argv, stderr });
  if (code === 99) {
    throw new TmuxError("subprocess_failed", `cannot make the folder ${folder}: ${stderr.trim()}`, { argv, stderr });
  }
  return versionFrom(child);
}

function startSequence({ historyLimit = 10_000, options = {} }: PrivateServerOptions): Sequence {
  const settings: Readonly<Record<string, string>> = {
    // Keeps the status and screen of an ended pane; set later, it would miss a program that ends at once.
    "remain-on-exit": "on",
    // The default text "Pane is dead" would scroll the last screen away.
    "remain-on-exit-format": "",
    "history-limit": String(historyLimit),
    // Variables of a client must not change a session.
    "update-environment": "",
    ...options,
  };
  const set = Object.entries(settings).map(([name, value]): Command => ["set-option", "-gq", name, value]);
  return [
    ["start-server"],
    ...set,
    ...hookCommands(),
    ["new-session", "-d", "-s", keeperSession, "-x", "80", "-y", "24", "sleep", "2147483647"],
  ];
}

async function identify(run: Server["run"]): Promise<ServerIdentity> {
  const [line = ""] = await run([["display-message", "-p", "#{pid} #{start_time}"]], { readOnly: true });
  const [pid, startTime] = line.split(" ").map(Number);
  return { pid: pid ?? 0, startTime: startTime ?? 0 };
}
