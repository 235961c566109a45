import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { PanewardError } from "@paneward/sdk";
import {
  captureScreen,
  checkHealth,
  checkKey,
  journalEnd,
  journalExit,
  keeperSession,
  killSession,
  listClients,
  listeningTo,
  listSessions,
  lookAt,
  openSession,
  type PaneId,
  paneDetails,
  paneOption,
  pipeAgainInto,
  pipeInto,
  readJournal,
  redrawPane,
  respawnPane,
  snapshot,
  TmuxError,
} from "@paneward/tmux";
import type { OpenSpec, Signal, Terminals } from "../runtime/ports.ts";
import { endOf, type HostConnection, type HostSettings } from "./host-connection.ts";
import type { Hosts } from "./hosts.ts";
import { markOption } from "./pane-input.ts";
import { pictureWithCursor, timesOf } from "./pictures.ts";
import { undefinedIfGone } from "./translate-errors.ts";

// tmux refuses to pipe from a pane whose program has ended, and nothing more comes from it.
function unlessExited(error: unknown): void {
  if (!(error instanceof TmuxError && /target pane has exited/.test(error.message))) throw error;
}

/** The terminals port on tmux. */
export function createTerminals(hosts: Hosts): Terminals {
  const { on } = hosts;
  return {
    connect: (name) => on(name, async (host) => host.found()),
    panes: (name) => on(name, (host) => host.panes()),
    open: (spec) => on(spec.host, (host) => open(host, spec)),
    respawn: (place, spec) =>
      on(spec.host, async (host) => {
        if (place.server !== host.serverId) return undefined;
        const journal = await host.journal(spec.journal);
        const program = { argv: spec.argv, cwd: spec.cwd, env: spec.env, journal, kill: true };
        const pane = await respawnPane(host.server, place.pane as PaneId, program).catch(undefinedIfGone);
        if (!pane) return undefined;
        const moved = { server: host.serverId, pane: pane.pane, pid: pane.pid, session: pane.session };
        host.moved(moved);
        return moved;
      }),
    follow: (place, name, folder) =>
      on(name, async (host) => {
        const journal = await host.journal(folder);
        // It is new, or was lost while no daemon ran: what is printed from now on is kept.
        if (journal.place.pipeIsOld) {
          await host.server.run([await pipeInto(journal, host.pane(place))]).catch(unlessExited);
          journal.place.pipeIsOld = false;
        }
        host.follow(place, journal);
      }),
    reopenJournal: (place, name, folder) =>
      on(name, async (host) => {
        await host.server.run([await pipeAgainInto(await host.journal(folder), host.pane(place))]);
      }),
    signal: async (name, pid, signal) => {
      await on(name, (host) => signalGroup(host, pid, signal));
    },
    isLeft: (name, pid) => on(name, (host) => signalGroup(host, pid, "0")),
    close: (name, session) => on(name, (host) => killSession(host.server, session)),
    checkKeys,
    lastMark: (name, place) => on(name, (host) => paneOption(host.server, host.pane(place), markOption)),
    screen: (name, place, escapes) =>
      on(name, async (host) => {
        const pane = host.pane(place);
        const [lines, [details]] = await Promise.all([
          captureScreen(host.server, pane, { escapes }),
          paneDetails(host.server, [pane]),
        ]);
        return { lines, columns: details?.columns ?? 0, rows: details?.rows ?? 0 };
      }),
    sessionVariable: (name, session, variable) =>
      on(name, async (host) => {
        const shown = ["show-environment", "-t", `=${session}`, variable];
        const [line] = await host.server.run([shown], { readOnly: true }).catch(() => []);
        return line?.startsWith(`${variable}=`) ? line.slice(variable.length + 1) : undefined;
      }),
    find: (name, pane) =>
      on(name, async (host) => {
        const [details] = await paneDetails(host.server, [pane as PaneId]);
        const row = details && (await snapshot(host.server)).find((one) => one.pane === pane);
        if (!details || !row || row.dead || row.sessionName === keeperSession) return undefined;
        const place = { server: host.serverId, pane, pid: row.pid, session: row.session };
        const { columns, rows, currentPath: cwd, currentCommand: command } = details;
        return { place, session: row.sessionName, columns, rows, cwd, command };
      }),
    health: async (name, place, level, names) => {
      try {
        return await on(name, async (host) => {
          const found = await checkHealth(host.server, host.pane(place), level, names);
          const { available, running, pid, errorType } = found;
          const known = errorType === undefined ? {} : { errorType };
          return { available, running, ...(pid === undefined ? {} : { pid }), ...known };
        });
      } catch (error) {
        const errorType = error instanceof PanewardError ? error.errorType : undefined;
        return { available: false, running: false, errorType: errorType ?? "unknown" };
      }
    },
    look: (name, place) => on(name, (host) => lookAt(host.server, host.pane(place))),
    redraw: (name, place) =>
      on(name, async (host) => {
        if (hosts.settings(name)?.foreign !== true) await redrawPane(host.server, host.pane(place));
      }),
    listens: async (name, place) => {
      try {
        return await on(name, (host) => listeningTo(host.server, place.pid));
      } catch {
        return { reads: "unknown", hidden: false, raw: false };
      }
    },
    read: (name, folder, cursor, max) => on(name, async (host) => readJournal(await host.journal(folder), cursor, max)),
    cursorBeforeEnd: (name, folder, bytes) =>
      on(name, async (host) => {
        const end = await journalEnd(await host.journal(folder));
        return end && { epoch: end.epoch, offset: Math.max(0, end.offset - bytes) };
      }),
    lastEnd: (name, folder, pid) =>
      on(name, async (host) => {
        const mark = await journalExit(await host.journal(folder));
        return mark?.pid === pid ? endOf(mark.exit) : undefined;
      }),
    picture: (name, place, folder, above) =>
      on(name, async (host) => pictureWithCursor(host, host.pane(place), await host.journal(folder), above)),
    times: (name, folder) => on(name, async (host) => timesOf(await host.journal(folder))),
    oldJournals: async (name, folder, days) =>
      (await hosts.ifConnected(name, (host) => host.oldJournals(folder, days))) ?? [],
    removeJournal: (name, folder) => hosts.ifConnected(name, (host) => host.removeJournal(folder)),
    sessions: (name) =>
      on(name, async (host) =>
        (await listSessions(host.server)).map((row) => ({ ...row, createdAt: row.createdSeconds * 1_000 })),
      ),
    clients: async (name) => {
      const rows = (await hosts.ifConnected(name, (host) => listClients(host.server))) ?? [];
      return rows.filter(({ focused }) => focused).map((row) => ({ ...row, usedAt: row.usedSeconds * 1_000 }));
    },
    attachArgv: (name, target) => attachArgv(hosts.settings(name), target),
    home: (name) => on(name, async (host) => host.home),
    hosts: hosts.info,
    onNews: hosts.onNews,
    stop: hosts.stop,
  };
}

async function open(host: HostConnection, spec: OpenSpec) {
  const journal = await host.newJournal(spec.journal);
  const pane = await openSession(host.server, {
    name: spec.session,
    argv: spec.argv,
    cwd: spec.cwd,
    env: spec.env,
    size: { columns: spec.columns, rows: spec.rows },
    journal,
  });
  const place = { server: host.serverId, pane: pane.pane, pid: pane.pid, session: pane.session };
  host.follow(place, journal);
  return place;
}

// The wrapper leads its program's process group. Both get TERM; the wrapper survives it and reports the end.
async function signalGroup(host: HostConnection, pid: number, signal: Signal | "0"): Promise<boolean> {
  const { prefix, quoting } = host.server.host;
  if (prefix.length === 0) {
    try {
      process.kill(-pid, signal === "0" ? 0 : `SIG${signal}`);
      return true;
    } catch (error) {
      // EPERM: what is left belongs to another user.
      if (!/^(ESRCH|EPERM)$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
      return false;
    }
  }
  const [file = "", ...rest] = prefix;
  const kill = ["kill", `-${signal}`, "--", `-${pid}`];
  const words = quoting === "posix" ? kill.map((word) => `'${word}'`) : kill;
  return promisify(execFile)(file, [...rest, ...words]).then(
    () => true,
    () => false,
  );
}

function checkKeys(keys: readonly string[]): readonly string[] {
  try {
    return keys.map(checkKey);
  } catch (cause) {
    throw new PanewardError("bad_input", (cause as Error).message, { cause });
  }
}

function attachArgv(settings: HostSettings | undefined, target: string): readonly string[] {
  const prefix = (settings?.prefix ?? []).map((word) => (word === "-i" ? "-it" : word));
  const [program] = prefix;
  const terminal = program === "ssh" ? [program, "-t", ...prefix.slice(1)] : prefix;
  const socket = settings?.socketPath === undefined ? [] : ["-S", settings.socketPath];
  return [...terminal, "tmux", ...socket, "attach-session", "-t", target];
}
