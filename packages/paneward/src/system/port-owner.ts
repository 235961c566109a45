import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { processTree } from "./processes.ts";

/**
 * Whether a process or one of its descendants listens on this loopback port. False where this cannot be determined:
 * without /proc (macOS).
 */
export function processTreeListens(pid: number, port: number, proc = "/proc"): boolean {
  const sockets = listeners(textOf(`${proc}/self/net/tcp`), port);
  return sockets.size > 0 && processTree(pid, proc).some((one) => holds(`${proc}/${one}/fd`, sockets));
}

/*
 *   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
 *    0: 0100007F:B32F 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 7133788 …
 */
function listeners(table: string, port: number): ReadonlySet<string> {
  const wanted = new Set(["0100007F", "00000000"].map((host) => `${host}:${hex(port)}`));
  const rows = table.split("\n").map((row) => row.trim().split(/\s+/));
  const found = rows.filter(([, local = "", , state]) => state === "0A" && wanted.has(local));
  return new Set(found.map((row) => `socket:[${row[9]}]`));
}

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
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
