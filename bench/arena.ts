import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killServer, openPrivateServer, openSession, type Server } from "@paneward/tmux";
import { endTmux, undoOnInterrupt } from "./interrupt.ts";
import { BareControl } from "./ways.ts";

/** One private server and three ways to reach it: the driver, bare control mode, and a process per command. */
export interface Arena {
  readonly server: Server;
  readonly bare: BareControl;
  readonly folder: string;
  /** A unique name. */
  readonly name: () => string;
}

export async function inArena<Result>(work: (arena: Arena) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "paneward-bench-"));
  let names = 0;
  const socketPath = join(folder, "tmux.sock");
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  const finished = undoOnInterrupt(() => {
    endTmux(socketPath);
    remove();
  });
  const server = await openPrivateServer({ socketPath });
  const bare = await BareControl.open(socketPath);
  try {
    return await work({ server, bare, folder, name: () => `t${++names}` });
  } finally {
    bare.close();
    await killServer(server);
    remove();
    finished();
  }
}

/** Opens terminals without output. */
export async function openQuiet({ server, name }: Arena, count: number): Promise<void> {
  const atOnce = 20;
  for (let left = count; left > 0; left -= atOnce) {
    const batch = Array.from({ length: Math.min(left, atOnce) }, () =>
      openSession(server, { name: name(), argv: ["sleep", "1000000"] }),
    );
    await Promise.all(batch);
  }
}
