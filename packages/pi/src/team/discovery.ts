import { createClient, placesOf, teamRuntimeFile } from "@paneward/sdk";
import { unixTransport } from "@paneward/sdk/node";
import { readForeign } from "@paneward/sdk/node/files";
import { ToolFailure } from "./failure.ts";
import type { Membership } from "./membership.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** How to reach teamd: by the daemon's socket if it is known, else by url. */
export interface Reached {
  readonly url?: string;
  readonly socket?: string;
  readonly token?: string;
}

/** Finds the team in teamd's order: the environment, then the team's runtime.json; never another team's. */
export async function discover(membership: Membership, env: Environment, root: string): Promise<Reached> {
  const { given, teamId, isWorker, agentId } = membership;
  if (given) {
    const token = given.token ?? (given.tokenFile ? tokenIn(await textOf(given.tokenFile)) : undefined);
    return { url: given.url, ...(token === undefined ? {} : { token }) };
  }
  const runtime = await runtimeFile(env, teamId);
  if (isWorker && runtime) return runtime;
  const socket = runtime?.socket ?? placesOf(env).socket;
  const opened = await openTeam(socket, teamId, agentId, root);
  if (opened) return opened;
  if (runtime) return runtime;
  throw new ToolFailure(
    "missing_teamd_discovery",
    `no daemon serves team ${teamId}; \`paneward daemon start\` starts one`,
  );
}

/** The daemon's runtime.json, if that daemon still runs. */
async function runtimeFile(env: Environment, team: string): Promise<Reached | undefined> {
  try {
    const { pid, url, token, socket } = JSON.parse(await textOf(teamRuntimeFile(env, team)));
    if (typeof pid !== "number" || !runs(pid)) return undefined;
    return { ...(url ? { url } : {}), ...(socket ? { socket } : {}), token };
  } catch {
    return undefined;
  }
}

async function textOf(path: string): Promise<string> {
  const bytes = await readForeign(path, { maxBytes: 65_536, followLinks: true });
  if (!bytes) throw new ToolFailure("missing_teamd_discovery", `there is no file ${path}`);
  return bytes.toString("utf8");
}

async function openTeam(socket: string, team: string, agent: string, root: string): Promise<Reached | undefined> {
  const transport = unixTransport(socket, "pi");
  try {
    const { url, token } = await createClient(transport).team_open({ team, agent, root });
    return { token, socket, ...(url === undefined ? {} : { url }) };
  } catch {
    return undefined;
  } finally {
    transport.close();
  }
}

// A file with only the token, or a runtime.json.
function tokenIn(text: string): string {
  try {
    return String((JSON.parse(text) as { token?: unknown }).token);
  } catch {
    return text.trim();
  }
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
