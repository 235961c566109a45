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

/** Undefined for a pi outside any team, which stays unchanged. */
export function membershipOf(env: Environment, pid: number): Membership | undefined {
  const { PI_TEAM_ID: named, PI_TEAMD_URL: url, PI_TEAMD_TOKEN: token, PI_TEAMD_TOKEN_FILE: tokenFile } = env;
  if (!named && !url) return undefined;
  const teamId = named || "default";
  if (!isTeamName(teamId)) return undefined;
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

function agentOf(env: Environment, pid: number): string {
  const user = [env.USER, env.LOGNAME, env.USERNAME].find((name) => name && isTeamName(name));
  if (env.PI_AGENT_ID && isTeamName(env.PI_AGENT_ID)) return env.PI_AGENT_ID;
  return user ? `${user}-auto` : `agent-${pid}`;
}
