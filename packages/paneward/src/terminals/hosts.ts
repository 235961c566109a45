import { setTimeout as delay } from "node:timers/promises";
import { PanewardError } from "@paneward/sdk";
import { TmuxError } from "@paneward/tmux";
import type { HostInfo, TerminalNews } from "../runtime/ports.ts";
import { HostConnection, type HostSettings } from "./host-connection.ts";
import { inOurWords, whileConnecting } from "./words.ts";

/** The hosts that are connected to. A host is reached when it is first needed, and again after it was lost. */
export interface Hosts {
  on<Result>(name: string, work: (host: HostConnection) => Promise<Result>): Promise<Result>;
  /** Like `on`; when the host's tmux server turns out to be gone, the work is done once more with a new one. */
  onLiving<Result>(name: string, work: (host: HostConnection) => Promise<Result>): Promise<Result>;
  settings(name: string): HostSettings | undefined;
  info(): Promise<readonly HostInfo[]>;
  onNews(listener: (news: TerminalNews) => void): () => void;
  stop(): Promise<void>;
}

export function createHosts(
  settingsOf: (name: string) => HostSettings | undefined,
  names: () => readonly string[],
): Hosts {
  const open = new Map<string, Promise<HostConnection>>();
  const status = new Map<string, { readonly transport: string; readonly reason: string }>();
  const failures = new Map<string, string>();
  const listeners = new Set<(news: TerminalNews) => void>();
  let isStopped = false;
  const forget = (name: string) => {
    const lost = open.get(name);
    open.delete(name);
    lost?.then((host) => host.close()).catch(() => {});
  };
  const tell = (news: TerminalNews) => {
    if (news.kind === "host_status") status.set(news.host, news);
    if (news.kind === "host_lost") forget(news.host);
    for (const listener of listeners) listener(news);
  };
  const connect = (name: string): Promise<HostConnection> => {
    const known = open.get(name);
    if (known) return known;
    // Work that is still under way must not connect again: the connection would keep the daemon from ending.
    if (isStopped) return Promise.reject(new PanewardError("unavailable", "the daemon is stopping"));
    const settings = settingsOf(name);
    if (!settings) {
      const hint = "`paneward hosts` lists them";
      return Promise.reject(new PanewardError("not_found", `there is no host ${JSON.stringify(name)}`, { hint }));
    }
    const opening = whileConnecting(settings, () => HostConnection.open(settings, tell));
    open.set(name, opening);
    opening.then(
      () => failures.delete(name),
      (error: Error) => {
        failures.set(name, error.message);
        open.delete(name);
      },
    );
    return opening;
  };

  return {
    on: (name, work) => inOurWords(async () => work(await connect(name))),
    onLiving: (name, work) =>
      inOurWords(async () => {
        const host = await connect(name);
        try {
          return await work(host);
        } catch (error) {
          if (!(error instanceof TmuxError && error.type === "server_lost")) throw error;
          if ((await open.get(name)?.catch(() => undefined)) === host) forget(name);
          return work(await connect(name));
        }
      }),
    settings: settingsOf,
    info: () =>
      Promise.all(
        names().map(async (name) => {
          const host = await open.get(name)?.catch(() => undefined);
          return hostInfo(name, settingsOf(name), host, status.get(name), failures.get(name));
        }),
      ),
    onNews(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      isStopped = true;
      const closing = [...open.values()].map((opening) => opening.then((host) => host.close()));
      open.clear();
      // A host that does not answer is not waited for.
      await Promise.race([Promise.allSettled(closing), delay(farewellMs, undefined, { ref: false })]);
    },
  };
}

const farewellMs = 5_000;

async function hostInfo(
  name: string,
  settings: HostSettings | undefined,
  host: HostConnection | undefined,
  status: { readonly transport: string; readonly reason: string } | undefined,
  failure: string | undefined,
): Promise<HostInfo> {
  const prefix = settings?.prefix ?? [];
  const socket = host?.server.socketPath ?? settings?.socketPath ?? "";
  if (!host) {
    const rest = { name, prefix, socket, transport: "" };
    return failure === undefined ? { ...rest, state: "not_used" } : { ...rest, state: "unavailable", reason: failure };
  }
  const known = { name, prefix, socket, tmux: host.server.version.text, transport: status?.transport ?? "" };
  try {
    const latency = await inOurWords(() => host.latency());
    const reason = status?.reason ? { reason: status.reason } : {};
    return { ...known, state: "connected", latency_ms: latency, ...reason };
  } catch (error) {
    return { ...known, state: "unavailable", reason: (error as Error).message };
  }
}
