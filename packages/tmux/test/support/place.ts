import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { killServer, openPrivateServer, type PrivateServerOptions, type Server } from "../../src/server.ts";
import { type Host, thisMachine } from "../../src/transport/host.ts";
import { afterwards, type Cleanup, temporaryFolder } from "./folder.ts";
import { until } from "./until.ts";

/** Where a server of a test runs, and how it is spoken to. Files under the test's folder are the same on both sides. */
export interface Place {
  readonly name: string;
  readonly host: Host;
  readonly transport: "control" | "spawn";
  /** Makes a folder that both sides see. */
  readonly folder: (t: Cleanup) => Promise<string>;
}

/** A named PATH, so that programs are found; nothing else. */
export const plainEnv = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" };

/** For hosts of tests: what is tested is never how busy the machine is. */
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

/** A server of the test's own in a folder of its own; both are gone when the test is over. */
export async function privateServer(
  t: Cleanup,
  place: Place = here,
  options: Partial<PrivateServerOptions> = {},
): Promise<TestServer> {
  const folder = await place.folder(t);
  const { host, transport } = place;
  const server = await openPrivateServer({ socketPath: join(folder, "private", "s"), host, transport, ...options });
  afterwards(t, () => endServer(server));
  return { server, folder };
}

export async function endServer(server: Server): Promise<void> {
  await killServer(server);
  if (server.host.prefix.length === 0) await until("the server is gone", () => !isAlive(server.identity.pid));
}

/** Does the process run? One that has ended and was not fetched by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** The content of a file that a program in a pane is going to write. */
export function written(path: string, isWhole: (text: string) => boolean = (text) => text !== ""): Promise<string> {
  return until(`${path} is written`, async () => {
    const text = await readFile(path, "utf8").catch(() => "");
    return isWhole(text) ? text : undefined;
  });
}
