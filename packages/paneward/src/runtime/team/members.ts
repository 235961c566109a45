import { isTeamName, type Team, teamSchemaVersion } from "@paneward/sdk";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Writer } from "../ports.ts";
import type { World } from "../world.ts";

/** What the functions of a team need. */
export type TeamPorts = Pick<World, "store" | "clock">;

/** Teams and their agents. */

export function requireTeam(ports: TeamPorts, id: string): Team {
  const team = ports.store.team.team(requireTeamName(id));
  if (team) return team;
  throw new TeamFailure("TEAM_NOT_FOUND", `there is no team ${id}; \`paneward team serve ${id}\` opens one`);
}

/** Opens the team, or creates it. Agents that are not in it yet are added. */
export function openTeam(
  ports: TeamPorts,
  writer: Writer,
  id: string,
  wanted: Partial<Pick<Team, "agents" | "root">>,
): Team {
  const known = ports.store.team.team(requireTeamName(id));
  for (const agent of wanted.agents ?? []) requireAgentName(agent.id);
  const before = known?.agents ?? [];
  const added = (wanted.agents ?? []).filter((agent) => !before.some((one) => one.id === agent.id));
  const root = known?.root ?? wanted.root;
  if (known && added.length === 0 && root === known.root) return known;
  const team: Team = {
    schemaVersion: teamSchemaVersion,
    teamId: id,
    agents: [...before, ...added],
    ...(root === undefined ? {} : { root }),
    createdAt: known?.createdAt ?? new Date(ports.clock.now()).toISOString(),
  };
  writer.team.putTeam(team);
  if (!known) audit(ports, writer, id, added[0]?.id ?? "user", "team_created", id);
  return team;
}

/** Adds an agent that takes part to the team, so that it gets notices about its board. */
export function joinTeam(ports: TeamPorts, writer: Writer, team: Team, agent: string, role: string): Team {
  return openTeam(ports, writer, team.teamId, { agents: [{ id: requireAgentName(agent), role }] });
}

export function leads(team: Team, agent: string): boolean {
  return team.agents.some(({ id, role }) => id === agent && role === "leader");
}

function requireTeamName(id: string): string {
  if (isTeamName(id)) return id;
  throw new TeamFailure("INVALID_TEAM_ID", "a team's id has 1 to 100 characters from A-Z a-z 0-9 . _ -");
}

export function requireAgentName(id: string): string {
  if (isTeamName(id)) return id;
  throw new TeamFailure("INVALID_AGENT_ID", "an agent's id has 1 to 100 characters from A-Z a-z 0-9 . _ -");
}

/** Adds an entry to the audit log that all operations share. */
export function audit(
  ports: TeamPorts,
  writer: Writer,
  team: string,
  agent: string,
  operation: string,
  subject: string,
): void {
  writer.audit({ at: ports.clock.now(), who: `${team}/${agent}`, door: "pi", operation, subject, outcome: "ok" });
}
