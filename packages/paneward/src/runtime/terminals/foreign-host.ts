import type { World } from "../world.ts";

/** A server of the user's own is a host that is named after its socket. */
export function foreignHost(socket: string): string {
  return `tmux:${socket}`;
}

export function foreignSocket(host: string): string | undefined {
  return host.startsWith("tmux:") ? host.slice("tmux:".length) : undefined;
}

/** Where plain `tmux` listens for this user. */
export function plainSocket(env: World["env"]): string {
  return `${env.TMUX_TMPDIR ?? "/tmp"}/tmux-${process.getuid?.() ?? 0}/default`;
}
