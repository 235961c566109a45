import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { openForeignServer, type Sequence, type Server, socketPathFrom } from "@paneward/tmux";

type Environment = Readonly<Record<string, string | undefined>>;

/** The socket of plain `tmux` with these variables: inside tmux that server's, else the default one. */
export function plainSocketPath(env: Environment, uid: number): string {
  if (env.TMUX) return socketPathFrom(env.TMUX);
  const folder = [env.TMUX_TMPDIR, "/tmp"].map((path) => path && realPath(path)).find(Boolean) ?? "/tmp";
  return join(folder, `tmux-${uid}`, "default");
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/**
 * The server of plain `tmux`. It belongs to the user: each command is a process of its own, and no control client
 * attaches (docs/decisions/0017).
 */
export class PlainServer {
  readonly socketPath: string;
  /** A line for a shell in which plain `tmux` is to call this server; empty where it does so already. */
  readonly exported: string;
  #server: Server | undefined;

  constructor(socketPath = plainSocketPath(process.env, process.getuid?.() ?? 0)) {
    this.socketPath = socketPath;
    const isPlain = socketPath === plainSocketPath(process.env, process.getuid?.() ?? 0);
    this.exported = isPlain ? "" : `export TMUX='${socketPath.replaceAll("'", "'\\''")},0,0'\n`;
  }

  /** False also if there is no such server. */
  async hasSession(session: string): Promise<boolean> {
    if (!existsSync(this.socketPath)) return false;
    return this.run([["has-session", "-t", `=${session}`]], { readOnly: true }).then(
      () => true,
      () => false,
    );
  }

  async run(sequence: Sequence, options: { readonly readOnly?: boolean } = {}): Promise<readonly string[]> {
    this.#server ??= await openForeignServer({ socketPath: this.socketPath });
    return this.#server.run(sequence, options);
  }
}
