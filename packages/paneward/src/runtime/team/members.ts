import { isTeamName, type Team, teamSchemaVersion } from "@paneward/sdk";
import { TeamFailure } from "../../model/team/failure.ts";
import type { Writer } from "../ports.ts";
import type { World } from "../world.ts";

/** Teams and who is in them. */

export function requireTeam(world: World, id: string): Team {
  const team = world.store.team.team(requireTeamName(id));
  if (team) return team;
  throw new TeamFailure("TEAM_NOT_FOUND", `there is no team ${id}; \`paneward team serve ${id}\` opens one`);
}

/** The team as it is, or a new one. The first agent of a team leads it, unless a role is given. */
export function openTeam(
  world: World,
  writer: Writer,
  id: string,
  wanted: Partial<Pick<Team, "agents" | "root">>,
): Team {
  const known = world.store.team.team(requireTeamName(id));
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
    createdAt: known?.createdAt ?? new Date(world.clock.now()).toISOString(),
  };
  writer.team.putTeam(team);
  if (!known) audit(world, writer, id, added[0]?.id ?? "user", "team_created", id);
  return team;
}

/** Whoever takes part is an agent of the team from then on, and hears what happens on its board. */
export function joinTeam(world: World, writer: Writer, team: Team, agent: string, role: string): Team {
  return openTeam(world, writer, team.teamId, { agents: [{ id: requireAgentName(agent), role }] });
}

export function leads(team: Team, agent: string): boolean {
  return team.agents.some(({ id, role }) => id === agent && role === "leader");
}

function requireTeamName(id: string): string {
  if (isTeamName(id)) return id;
  throw new TeamFailure("INVALID_TEAM_ID", "a team's id has 1 to 100 of A-Z a-z 0-9 . _ -");
}

export function requireAgentName(id: string): string {
  if (isTeamName(id)) return id;
  throw new TeamFailure("INVALID_AGENT_ID", "an agent's id has 1 to 100 of A-Z a-z 0-9 . _ -");
}

/** Who did what on a team: in the same log as everything else that was done. */
export function audit(
  world: World,
  writer: Writer,
  team: string,
  agent: string,
  operation: string,
  subject: string,
): void {
  writer.audit({ at: world.clock.now(), who: `${team}/${agent}`, door: "pi", operation, subject, outcome: "ok" });
}
