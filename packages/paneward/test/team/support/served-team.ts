import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PanewardError } from "@paneward/sdk";
import type { Limits } from "../../../src/http/access/limits.ts";
import type { TerminalRecord } from "../../../src/model/records.ts";
import type { FoundPane, Store } from "../../../src/runtime/ports.ts";
import { createTeam, type TeamService } from "../../../src/runtime/team/team.ts";
import { openStore } from "../../../src/store/store.ts";
import { privateFiles } from "../../../src/system/private-files.ts";
import { type Served, type ServedOptions, served } from "../../http/support/served.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { afterwards, type Cleanup, temporaryFolder } from "../../support/folder.ts";
import { testIdentity } from "../../support/identity.ts";
import { inForce } from "../../support/in-force.ts";
import { sampleOutputs } from "../../support/samples.ts";

export interface ServedTeam {
  readonly daemon: Served;
  readonly store: Store;
  readonly team: TeamService;
  /** Changes with every write to the database. */
  readonly version: () => unknown;
}

/** What `send` and `stop` do in turn: they succeed, or fail as the courier can. */
const outcomes = ["ok", "bad_input", "wrong_state", "not_found", "unavailable", "outcome_unknown"] as const;

/** /v1 with real sockets and a real store; the terminals of workers are fake. */
export async function servedTeam(
  t: Cleanup,
  limits: Partial<Limits> = {},
  doors: Pick<ServedOptions, "mounts" | "sockets"> = {},
): Promise<ServedTeam> {
  const folder = await temporaryFolder(t);
  const clock = new FakeClock();
  const path = join(folder, "paneward.db");
  const store = openStore(path, clock);
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const ports = {
    ...{ store, clock, log, env: { HOME: folder }, places: { socket: join(folder, "daemon.sock") } },
    ...{
      identity: testIdentity,
      files: privateFiles,
      httpPort: () => undefined,
      origins: [],
      terminals: { panes: async () => panes },
    },
    configFor: async () => inForce(),
  };
  let turn = 0;
  const terminal = async <Output>(output: Output): Promise<Output> => {
    const outcome = outcomes[turn++ % outcomes.length] ?? "ok";
    if (outcome !== "ok") throw new PanewardError(outcome, "the terminal refuses");
    return output;
  };
  const team = createTeam(
    ports,
    { attention: () => undefined, lastOutputAt: () => undefined },
    {
      adopt: async ({ session, host }, { place }) => {
        const record = {
          id: `t-${session}`,
          name: session,
          host,
          place,
          phase: "running",
        } as unknown as TerminalRecord;
        store.write((writer) => writer.putTerminal(record));
        return record;
      },
      send: () => terminal(sampleOutputs.send),
      respond: () => terminal(sampleOutputs.respond),
      stop: () => terminal(sampleOutputs.stop),
    },
  );
  const daemon = await served(t, { folder, store, team, limits, ...doors });
  const second = new DatabaseSync(path, { readOnly: true });
  afterwards(t, async () => {
    await daemon.listening.close();
    await team.close();
    second.close();
    store.close();
  });
  return { daemon, store, team, version: () => second.prepare("PRAGMA data_version").get()?.data_version };
}

const panes: readonly FoundPane[] = ["worker1", "worker2", "a session"].map((sessionName, at) => ({
  place: { server: "s", session: `$${at}`, pane: `%${at}`, pid: 100 + at },
  sessionName,
  end: undefined,
}));
