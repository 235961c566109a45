import { chmod, lstat, mkdir, rm, stat } from "node:fs/promises";
import type { Server } from "node:http";
import { connect } from "node:net";
import { dirname } from "node:path";
import { PanewardError } from "@paneward/sdk";

/** Listens on a socket that only its owner can open. A stale one is replaced. */
export async function listenOnSocket(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > maxPath) {
    throw new PanewardError("bad_input", `the socket's path is longer than ${maxPath} bytes: ${path}`, {
      hint: "set PANEWARD_SOCKET_PATH to a shorter one",
    });
  }
  await makePrivateFolder(dirname(path));
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
    server.listen({ path }, () => resolve());
  });
  await chmod(path, 0o600);
}

// The size of the kernel's sun_path, without its final zero.
const maxPath = process.platform === "linux" ? 107 : 103;

async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = await stat(folder);
  // Making a folder such as /tmp private would lock out all other users.
  if ((mode & 0o1000) !== 0 || uid !== process.getuid?.()) {
    throw new PanewardError("unavailable", `the folder ${folder} is shared with other users`, {
      hint: "set PANEWARD_SOCKET_PATH to a path in a folder of its own",
    });
  }
  await chmod(folder, 0o700);
}

async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket())
    throw new PanewardError("wrong_state", `${path} exists and is not a socket`, { hint: "move it away" });
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
