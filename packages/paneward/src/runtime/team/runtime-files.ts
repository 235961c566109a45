import { isTeamName, type Team, teamRuntimeFile, teamSchemaVersion } from "@paneward/sdk";
import { createToken, hasHash } from "../access/tokens.ts";
import type { World } from "../world.ts";

/** How a team is reached now. A token is good while this daemon runs, for this team's /v1 and nothing else. */
export interface Reached {
  readonly teamId: string;
  readonly url?: string;
  readonly token: string;
  readonly pid: number;
  readonly schemaVersion: string;
  readonly socket: string;
  readonly runtimePath: string;
}

/** Writes each team's runtime.json while the daemon runs, and knows whose token it is. */
export class RuntimeFiles {
  readonly #world: World;
  readonly #open = new Map<
    string,
    { readonly reached: Reached; readonly hash: string; readonly written: Promise<void> }
  >();

  constructor(world: World) {
    this.#world = world;
  }

  /** For all teams that there are, as soon as the daemon listens. */
  async writeAll(): Promise<void> {
    for (const team of this.#world.store.team.teams()) await this.open(team);
  }

  async open({ teamId }: Team): Promise<Reached> {
    const known = this.#open.get(teamId) ?? this.#make(teamId);
    this.#open.set(teamId, known);
    await known.written;
    return known.reached;
  }

  /** The team that a token opens. */
  teamOf(token: string): string | undefined {
    for (const [team, { hash }] of this.#open) if (hasHash(token, hash)) return team;
    return undefined;
  }

  /** The daemon stops: nobody shall look for it there. A file of another daemon is left alone. */
  async removeAll(): Promise<void> {
    for (const { reached } of this.#open.values()) {
      const text = await this.#world.files.text(reached.runtimePath);
      if (text !== undefined && pidIn(text) === process.pid) await this.#world.files.remove(reached.runtimePath);
    }
    this.#open.clear();
  }

  #make(team: string) {
    const { places, env, httpPort, files } = this.#world;
    const port = httpPort();
    const { token, hash } = createToken();
    const runtimePath = teamRuntimeFile(env.HOME ?? "/", isTeamName(team) ? team : "invalid");
    const how = {
      ...(port === undefined ? {} : { url: `http://127.0.0.1:${port}` }),
      token,
      pid: process.pid,
      schemaVersion: teamSchemaVersion,
      socket: places.socket,
    };
    const written = files.replacePrivate(runtimePath, `${JSON.stringify(how, undefined, 2)}\n`);
    return { reached: { teamId: team, ...how, runtimePath }, hash, written };
  }
}

function pidIn(text: string): number | undefined {
  try {
    return (JSON.parse(text) as { readonly pid?: number }).pid;
  } catch {
    return undefined;
  }
}
