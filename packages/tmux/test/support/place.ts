import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { killServer, openPrivateServer, type PrivateServerOptions, type Server } from "../../src/server.ts";
import { type Host, thisMachine } from "../../src/transport/host.ts";
import { afterwards, type Cleanup, temporaryFolder } from "./folder.ts";
import { until } from "./until.ts";

/** Where a test's server runs, and by which transport. Files under the test's folder are the same on both sides. */
export interface Place {
  readonly name: string;
  readonly host: Host;
  readonly transport: "control" | "spawn";
  /** Its servers end when it ends, so they need not be ended one by one. */
  readonly endsServers?: boolean;
  /** Creates a folder visible to both sides. */
  readonly folder: (t: Cleanup) => Promise<string>;
}

/** Only PATH, so that programs are found. */
export const plainEnv = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" };

/** For test hosts: a busy machine must not fail a test. */
export const patienceMs = 30_000;

export const here: Place = {
  name: "this machine by control mode",
  host: { ...thisMachine, env: plainEnv, patienceMs },
  transport: "control",
  folder: temporaryFolder,
};

export const hereSpawned: Place = { ...here, name: "this machine by spawning", transport: "spawn" };

export interface TestServer {
  readonly server: Server;
  readonly folder: string;
}

/** A private server in a folder of its own; both are removed after the test. */
export async function privateServer(
  t: Cleanup,
  place: Place = here,
  options: Partial<PrivateServerOptions> = {},
): Promise<TestServer> {
  const folder = await place.folder(t);
  const { host, transport } = place;
  const server = await openPrivateServer({ socketPath: join(folder, "private", "s"), host, transport, ...options });
  afterwards(t, () => (place.endsServers ? server.close() : endServer(server)));
  return { server, folder };
}

export async function endServer(server: Server): Promise<void> {
  await killServer(server);
  if (server.host.prefix.length === 0) await until("the server is gone", () => !isAlive(server.identity.pid));
}

/** Whether the process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits for the content of a file that a program in a pane writes. */
export function written(path: string, isWhole: (text: string) => boolean = (text) => text !== ""): Promise<string> {
  return until(`${path} is written`, async () => {
    const text = await readFile(path, "utf8").catch(() => "");
    return isWhole(text) ? text : undefined;
  });
}
