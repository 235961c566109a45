import { lstat, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { connect } from "node:net";
import { dirname } from "node:path";
import { PanewardError } from "@paneward/sdk";
import { checkSocketPath, ownFolder } from "@paneward/sdk/node";

/** Listens on a socket that only its owner can open. A stale one is replaced. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  checkSocketPath(path);
  ownFolder(dirname(path), "set PANEWARD_SOCKET_PATH to a path in a folder of its own");
  if (await hasListener(path)) {
    throw new PanewardError("wrong_state", `another daemon listens on ${path}`, {
      hint: "`paneward daemon status` shows it; `paneward daemon stop` ends it",
    });
  }
  await removeStale(path);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new PanewardError("unavailable", `cannot listen on ${path}: ${cause.message}`, { cause })),
    );
    listenPrivately(server, path, resolve);
  });
}

// Node makes the socket before `listen` returns; a mode set afterwards would leave others a moment to connect.
function listenPrivately(server: Server, path: string, ready: () => void): void {
  const before = process.umask(0o177);
  try {
    server.listen({ path }, ready);
  } finally {
    process.umask(before);
  }
}

async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket())
    throw new PanewardError("unavailable", `${path} exists and is not a socket`, { hint: "move it away" });
  await rm(path, { force: true });
}

function hasListener(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const answer = (listened: boolean) => {
      socket.destroy();
      resolve(listened);
    };
    socket.once("connect", () => answer(true));
    socket.once("error", () => answer(false));
  });
}
