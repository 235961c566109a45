/** A connection on IPv4, or a port that is listened on. */
export interface TcpRow {
  /** As the kernel writes it: `0100007F:1CFC` is 127.0.0.1:7420. */
  readonly local: string;
  readonly remote: string;
  readonly state: string;
  readonly uid: number;
  readonly inode: string;
}

export const established = "01";
export const listens = "0A";

/*
 *   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
 *    0: 0100007F:B32F 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 7133788 …
 */
export function tcpRows(table: string): readonly TcpRow[] {
  return table
    .split("\n")
    .slice(1)
    .map((row) => row.trim().split(/\s+/))
    .map(([, local = "", remote = "", state = "", , , , uid, , inode = ""]) => ({
      ...{ local, remote, state, inode },
      uid: Number(uid),
    }));
}

/** How the kernel writes an address, given as it writes the host. */
export function tcpAddress(host: string, port: number): string {
  return `${host}:${port.toString(16).toUpperCase().padStart(4, "0")}`;
}

export const loopback = "0100007F";
