import { setTimeout as delay } from "node:timers/promises";
import { PanewardError } from "@paneward/sdk";
import { TmuxError } from "@paneward/tmux";
import { callEach } from "../model/call-each.ts";
import type { HostInfo, TerminalNews } from "../runtime/ports.ts";
import { HostConnection, type HostSettings } from "./host-connection.ts";
import { connectingInfo, type HostStatus, hostInfo } from "./host-info.ts";
import { translateConnectErrors, translateErrors } from "./translate-errors.ts";

/** Connections to hosts. A host is connected on first use, and again after it was lost. */
export interface Hosts {
  on<Result>(name: string, work: (host: HostConnection) => Promise<Result>): Promise<Result>;
  /** Works on a host only if it is connected; undefined, and nothing is connected, otherwise. */
  ifConnected<Result>(name: string, work: (host: HostConnection) => Promise<Result>): Promise<Result | undefined>;
  /** Like `on`; if the host's tmux server turns out to be gone, reconnects and runs the work once more. */
  onWithReconnect<Result>(name: string, work: (host: HostConnection) => Promise<Result>): Promise<Result>;
  settings(name: string): HostSettings | undefined;
  names(): readonly string[];
  info(): Promise<readonly HostInfo[]>;
  onNews(listener: (news: TerminalNews) => void): () => void;
  stop(): Promise<void>;
}

export function createHosts(
  settingsOf: (name: string) => HostSettings | undefined,
  names: () => readonly string[],
): Hosts {
  const open = new Map<string, Promise<HostConnection>>();
  const status = new Map<string, HostStatus>();
  const failures = new Map<string, string>();
  const connecting = new Map<string, number>();
  const listeners = new Set<(news: TerminalNews) => void>();
  let isStopped = false;
  const forget = (name: string) => {
    const lost = open.get(name);
    open.delete(name);
    lost?.then((host) => host.close()).catch(() => {});
  };
  const emit = (news: TerminalNews) => {
    if (news.kind === "host_status") status.set(news.host, news);
    if (news.kind === "host_lost") forget(news.host);
    callEach(listeners, news);
  };
  const connect = (name: string): Promise<HostConnection> => {
    const known = open.get(name);
    if (known) return known;
    // Pending work must not reconnect: the connection would keep the daemon from exiting.
    if (isStopped) return Promise.reject(new PanewardError("unavailable", "the daemon is stopping"));
    const settings = settingsOf(name);
    if (!settings) {
      const hint = "`paneward hosts` lists them";
      const message = `there is no host ${JSON.stringify(name)}; known: ${names().join(", ")}`;
      return Promise.reject(new PanewardError("not_found", message, { hint }));
    }
    const opening = translateConnectErrors(settings, () => HostConnection.open(settings, emit));
    open.set(name, opening);
    connecting.set(name, performance.now());
    opening.then(
      () => {
        connecting.delete(name);
        failures.delete(name);
      },
      (error: Error) => {
        connecting.delete(name);
        failures.set(name, error.message);
        open.delete(name);
      },
    );
    return opening;
  };

  return {
    on: (name, work) => translateErrors(settingsOf(name), async () => work(await connect(name))),
    ifConnected: (name, work) =>
      translateErrors(settingsOf(name), async () => {
        const host = connecting.has(name) ? undefined : await open.get(name)?.catch(() => undefined);
        return host && work(host);
      }),
    onWithReconnect: (name, work) =>
      translateErrors(settingsOf(name), async () => {
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
    names,
    info: () =>
      Promise.all(
        names().map(async (name) => {
          const since = connecting.get(name);
          const known = { name, settings: settingsOf(name), status: status.get(name), failure: failures.get(name) };
          if (since !== undefined) return connectingInfo(known, performance.now() - since);
          return hostInfo(known, await open.get(name)?.catch(() => undefined));
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
      // Do not wait for a host that does not answer.
      await Promise.race([Promise.allSettled(closing), delay(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}

const closeTimeoutMs = 5_000;
