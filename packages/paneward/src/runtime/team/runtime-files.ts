import { isTeamName, type Places, type Team, teamRuntimeFile, teamSchemaVersion } from "@paneward/sdk";
import { createToken, hasHash } from "../access/tokens.ts";
import type { World } from "../world.ts";

export interface RuntimeFilePorts extends Pick<World, "store" | "env" | "httpPort" | "files" | "identity"> {
  readonly places: Pick<Places, "socket">;
}

/** The address and token of a team. The token is valid while this daemon runs, for this team's /v1 and nothing else. */
export interface TeamAccess {
  readonly teamId: string;
  readonly url?: string;
  readonly token: string;
  readonly pid: number;
  readonly schemaVersion: string;
  readonly socket: string;
  readonly runtimePath: string;
}

/** Keeps each team's runtime.json while the daemon runs, and finds the team of a token. */
export class RuntimeFiles {
  readonly #ports: RuntimeFilePorts;
  readonly #open = new Map<
    string,
    { readonly access: TeamAccess; readonly hash: string; readonly written: Promise<void> }
  >();

  constructor(ports: RuntimeFilePorts) {
    this.#ports = ports;
  }

  /** Writes the files of all teams; called once the daemon listens. */
  async writeAll(): Promise<void> {
    for (const team of this.#ports.store.team.teams()) await this.open(team);
  }

  async open({ teamId }: Team): Promise<TeamAccess> {
    const known = this.#open.get(teamId) ?? this.#make(teamId);
    this.#open.set(teamId, known);
    try {
      await known.written;
    } catch (error) {
      // Its token could not be read; the next call makes another.
      this.#open.delete(teamId);
      throw error;
    }
    return known.access;
  }

  /** The team that a token is for. */
  teamOf(token: string): string | undefined {
    for (const [team, { hash }] of this.#open) if (hasHash(token, hash)) return team;
    return undefined;
  }

  /** Removes the files when the daemon stops, except those of another daemon. */
  async removeAll(): Promise<void> {
    for (const { access } of this.#open.values()) {
      const text = await this.#ports.files.text(access.runtimePath);
      if (text !== undefined && pidIn(text) === process.pid) await this.#ports.files.remove(access.runtimePath);
    }
    this.#open.clear();
  }

  #make(team: string) {
    const { places, env, httpPort, files, identity } = this.#ports;
    const port = httpPort();
    const { token, hash } = createToken(identity.fingerprint);
    const runtimePath = teamRuntimeFile(env, isTeamName(team) ? team : "invalid");
    const address = {
      ...(port === undefined ? {} : { url: `http://127.0.0.1:${port}` }),
      token,
      pid: process.pid,
      schemaVersion: teamSchemaVersion,
      socket: places.socket,
    };
    const written = files.replacePrivate(runtimePath, `${JSON.stringify(address, undefined, 2)}\n`);
    return { access: { teamId: team, ...address, runtimePath }, hash, written };
  }
}

function pidIn(text: string): number | undefined {
  try {
    return (JSON.parse(text) as { readonly pid?: number }).pid;
  } catch {
    return undefined;
  }
}
