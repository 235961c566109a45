import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { processTree } from "./processes.ts";
import { listens, loopback, tcpAddress, tcpRows } from "./tcp-table.ts";

/**
 * Whether a process or one of its descendants listens on this loopback port. False where this cannot be determined:
 * without /proc (macOS).
 */
export function processTreeListens(pid: number, port: number, proc = "/proc"): boolean {
  const sockets = listeners(textOf(`${proc}/self/net/tcp`), port);
  return sockets.size > 0 && processTree(pid, proc).some((one) => holds(`${proc}/${one}/fd`, sockets));
}

function listeners(table: string, port: number): ReadonlySet<string> {
  const wanted = new Set([loopback, "00000000"].map((host) => tcpAddress(host, port)));
  const found = tcpRows(table).filter(({ local, state }) => state === listens && wanted.has(local));
  return new Set(found.map(({ inode }) => `socket:[${inode}]`));
}

function holds(folder: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(folder).some((name) => sockets.has(linkAt(`${folder}/${name}`)));
  } catch {
    // The process ended, or belongs to another user.
    return false;
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
