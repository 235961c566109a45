import type { HostInfo } from "../runtime/ports.ts";
import type { HostConnection, HostSettings } from "./host-connection.ts";
import { inOurWords } from "./words.ts";

/** How a connected host is spoken to, and why it is not spoken to better. */
export interface HostStatus {
  readonly transport: string;
  readonly reason: string;
}

interface Known {
  readonly name: string;
  readonly settings: HostSettings | undefined;
  readonly status: HostStatus | undefined;
  /** Why the last try to connect failed. */
  readonly failure: string | undefined;
}

/** A host that is being connected to is not waited for: it may take its whole patience. */
export function connectingInfo({ name, settings, failure }: Known, ms: number): HostInfo {
  const before = failure === undefined ? "" : `; the last time: ${failure}`;
  const reason = `connecting for ${Math.round(ms / 1_000)} s${before}`;
  return { ...bare(name, settings), state: "connecting", reason };
}

/** What is known of a host now. One that does not answer at once is said to be silent; the list does not wait for it. */
export async function hostInfo(known: Known, host: HostConnection | undefined): Promise<HostInfo> {
  const { name, settings, status, failure } = known;
  if (!host) {
    const rest = bare(name, settings);
    return failure === undefined ? { ...rest, state: "not_used" } : { ...rest, state: "unavailable", reason: failure };
  }
  const socket = host.server.socketPath;
  const there = { ...bare(name, settings), socket, tmux: host.server.version.text, transport: status?.transport ?? "" };
  try {
    const latency = await inTime(inOurWords(() => host.latency()));
    if (latency === undefined) return { ...there, state: "silent", reason: `no answer within ${atOnceMs} ms` };
    const reason = status?.reason ? { reason: status.reason } : {};
    return { ...there, state: "connected", latency_ms: latency, ...reason };
  } catch (error) {
    return { ...there, state: "unavailable", reason: (error as Error).message };
  }
}

const atOnceMs = 1_000;

function bare(name: string, settings: HostSettings | undefined) {
  return { name, prefix: settings?.prefix ?? [], socket: settings?.socketPath ?? "", transport: "" };
}

async function inTime<Value>(work: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), atOnceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
