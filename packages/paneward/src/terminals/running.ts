import {
  foreground,
  type PaneId,
  type Process,
  paneDetails,
  paneProgram,
  processTrees,
  TmuxError,
} from "@paneward/tmux";
import type { Running, WorkspacePane } from "../runtime/ports.ts";
import type { HostConnection } from "./host-connection.ts";

/** What runs in the foreground of each pane, by address; one `ps` for all of them. */
export async function runningIn(
  host: HostConnection,
  panes: readonly WorkspacePane[],
): Promise<ReadonlyMap<string, Running>> {
  const trees = await processTrees(
    host.server,
    panes.map(({ place }) => place.pid),
  ).catch(undefinedIfFailed);
  if (!trees) return runningByTmux(host, panes);
  return new Map(
    panes.map((pane) => [pane.address, endOrRunning(pane, foregroundOf(trees.get(pane.place.pid) ?? []))]),
  );
}

/** The command line of the foreground group's leader, or the shell's name if that is the leader. */
export function foregroundOf(tree: readonly Process[]): Running {
  const group = foreground(tree);
  const leader = group.find(({ pid, group: leaderId }) => pid === leaderId) ?? group[0];
  if (!leader) return { command: "", idle: false };
  if (leader.pid !== paneProgram(tree)?.pid) return { command: leader.commandLine, idle: false };
  // What a shell runs for itself, such as $(…) or its start-up files, stays in the shell's group.
  const inside = group.find(({ pid }) => pid !== leader.pid);
  return { command: leader.name.replace(/^-/, ""), idle: inside === undefined };
}

function endOrRunning(pane: WorkspacePane, running: Running): Running {
  if (!pane.end) return running;
  const how = pane.end.kind === "exited" ? `exited ${pane.end.code}` : pane.end.kind;
  return { command: `(${how})`, idle: true };
}

// A small container may have no ps; tmux knows the program's name, but not its arguments.
async function runningByTmux(
  host: HostConnection,
  panes: readonly WorkspacePane[],
): Promise<ReadonlyMap<string, Running>> {
  const shell = host.shell.split("/").at(-1) ?? "";
  const details = await paneDetails(
    host.server,
    panes.map(({ place }) => place.pane as PaneId),
  );
  return new Map(
    panes.map((pane) => {
      const command = details.find((one) => one.pane === pane.place.pane)?.currentCommand ?? "";
      return [pane.address, endOrRunning(pane, { command, idle: command === shell })];
    }),
  );
}

function undefinedIfFailed(error: unknown): undefined {
  if (error instanceof TmuxError && error.type === "subprocess_failed") return undefined;
  throw error;
}
