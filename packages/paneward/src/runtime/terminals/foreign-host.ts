/** A server of the user's own is a host that is named after its socket. */
export function foreignHost(socket: string): string {
  return `tmux:${socket}`;
}

export function foreignSocket(host: string): string | undefined {
  return host.startsWith("tmux:") ? host.slice("tmux:".length) : undefined;
}
