/**
 * What a request on the daemon's socket carries to show that no proxy passed it on: behind one, strangers would have the
 * rights of the socket's owner. `Connection` names a header that ends at the next hop (RFC 9110, 7.6.1), so a proxy removes
 * it; nginx, which does not, drops names with an underscore. And no proxy asks for this name by itself.
 */
export const directHeaders = { host: "paneward", connection: "paneward_direct", paneward_direct: "1" } as const;
