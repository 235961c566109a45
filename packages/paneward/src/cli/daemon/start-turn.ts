import { rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";

/** Gives the turn to the process that waits for it. */
export type EndTurn = () => void;

/**
 * Of many commands at once one starts the daemon, and the others wait until its turn is over: twenty starts at once took longer
 * than a command waits. Whose turn it is listens on a socket, which the kernel closes however that command ends. Without an
 * answer it is somebody else's turn, now over.
 */
export async function takeTurn(path: string, patienceMs: number): Promise<EndTurn | undefined> {
  const turn = await listenOn(path);
  if (turn !== "taken") return turn;
  if ((await untilOver(path, patienceMs)) === "over") return undefined;
  // It was killed and left its socket.
  rmSync(path, { force: true });
  const mine = await listenOn(path);
  return mine === "taken" ? undefined : mine;
}

function listenOn(path: string): Promise<EndTurn | "taken"> {
  const waiting: Socket[] = [];
  const server = createServer((one) => waiting.push(one.on("error", () => {}).unref())).unref();
  return new Promise((resolve) => {
    // Where there can be no such socket, as when its path is too long, everybody has a turn.
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "EADDRINUSE" ? "taken" : () => {}));
    server.listen(path, () =>
      resolve(() => {
        server.close();
        for (const one of waiting) one.destroy();
      }),
    );
  });
}

function untilOver(path: string, patienceMs: number): Promise<"over" | "nobody"> {
  return new Promise((resolve) => {
    const attempt = connect(path);
    attempt.setTimeout(patienceMs, () => attempt.destroy());
    attempt.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code === "ECONNREFUSED" ? "nobody" : "over"));
    attempt.once("close", () => resolve("over"));
    attempt.resume();
  });
}
