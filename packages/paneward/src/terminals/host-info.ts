import type { HostInfo } from "../runtime/ports.ts";
import type { HostConnection, HostSettings } from "./host-connection.ts";
import { translateErrors } from "./translate-errors.ts";

/** The transport of a connected host, and why it is not a better one. */
export interface HostStatus {
  readonly transport: string;
  readonly reason: string;
}

interface Known {
  readonly name: string;
  readonly settings: HostSettings | undefined;
  readonly status: HostStatus | undefined;
  /** Why the last attempt to connect failed. */
  readonly failure: string | undefined;
}

/** Connecting may take the whole timeout, so the list does not wait for it. */
export function connectingInfo({ name, settings, failure }: Known, ms: number): HostInfo {
  const before = failure === undefined ? "" : `; last failure: ${failure}`;
  const reason = `connecting for ${Math.round(ms / 1_000)} s${before}`;
  return { ...baseInfo(name, settings), state: "connecting", reason };
}

/** The current state of a host. One that does not answer within a second is reported as silent. */
export async function hostInfo(known: Known, host: HostConnection | undefined): Promise<HostInfo> {
  const { name, settings, status, failure } = known;
  if (!host) {
    const rest = baseInfo(name, settings);
    return failure === undefined ? { ...rest, state: "not_used" } : { ...rest, state: "unavailable", reason: failure };
  }
  const socket = host.server.socketPath;
  const there = {
    ...baseInfo(name, settings),
    socket,
    tmux: host.server.version.text,
    transport: status?.transport ?? "",
  };
  try {
    const latency = await withinTimeout(translateErrors(settings, () => host.latency()));
    if (latency === undefined) return { ...there, state: "silent", reason: `no answer within ${silentAfterMs} ms` };
    const reason = status?.reason ? { reason: status.reason } : {};
    return { ...there, state: "connected", latency_ms: latency, ...reason };
  } catch (error) {
    return { ...there, state: "unavailable", reason: (error as Error).message };
  }
}

const silentAfterMs = 1_000;

function baseInfo(name: string, settings: HostSettings | undefined) {
  return { name, prefix: settings?.prefix ?? [], socket: settings?.socketPath ?? "", transport: "" };
}

async function withinTimeout<Value>(work: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), silentAfterMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
