import { isTeamName } from "@paneward/sdk";

type Environment = Readonly<Record<string, string | undefined>>;

/** The team of this pi, and its agent id. */
export interface Membership {
  readonly teamId: string;
  readonly agentId: string;
  /** Started by a leader; it does not lead. */
  readonly isWorker: boolean;
  /** An explicitly configured teamd; otherwise it is discovered. */
  readonly given?: { readonly url: string; readonly token?: string; readonly tokenFile?: string };
}

/** Undefined for a pi outside any team, which stays unchanged. A name that is none is an error, not another team. */
export function membershipOf(env: Environment, pid: number): Membership | { readonly error: string } | undefined {
  const { PI_TEAM_ID: named, PI_TEAMD_URL: url, PI_TEAMD_TOKEN: token, PI_TEAMD_TOKEN_FILE: tokenFile } = env;
  if (!named && !url) return undefined;
  const teamId = named || "default";
  for (const [variable, name] of [
    ["PI_TEAM_ID", teamId],
    ["PI_AGENT_ID", env.PI_AGENT_ID],
  ]) {
    if (name && !isTeamName(name)) return { error: `${variable} is ${JSON.stringify(name)}, ${notAName}` };
  }
  const given = {
    url: url ?? "",
    ...(token ? { token } : {}),
    ...(tokenFile ? { tokenFile } : {}),
  };
  return {
    teamId,
    agentId: agentOf(env, pid),
    isWorker: env.PI_TEAM_ROLE === "worker",
    ...(url ? { given } : {}),
  };
}

const notAName =
  "which is no name: 1 to 100 of A-Z a-z 0-9 . _ -. Until pi is started with another one it writes nothing, because no lease can be checked";

function agentOf(env: Environment, pid: number): string {
  const user = [env.USER, env.LOGNAME, env.USERNAME].find((name) => name && isTeamName(name));
  if (env.PI_AGENT_ID) return env.PI_AGENT_ID;
  return user ? `${user}-auto` : `agent-${pid}`;
}
