import { paneDetails } from "./pane.ts";
import { TmuxError, type TmuxErrorType } from "./protocol/errors.ts";
import type { PaneId } from "./protocol/names.ts";
import { isWrapper } from "./protocol/wrapper.ts";
import type { Server } from "./server.ts";
import { runChild } from "./transport/child.ts";
import { startLimitMs } from "./transport/transport.ts";

/**
 * How much to check:
 * - `exists`: the pane exists
 * - `command`: its foreground command has one of the names
 * - `process_tree`: any process below the pane has one of the names
 */
export type HealthLevel = "exists" | "command" | "process_tree";

export interface Health {
  /** The pane exists: text can be sent there. */
  readonly available: boolean;
  /** The requested program runs in it. */
  readonly running: boolean;
  readonly pid: number | undefined;
  readonly errorType: TmuxErrorType | undefined;
}

/** Checks a pane; never throws. `names` are program names such as `claude` or `node`. */
export async function checkHealth(
  server: Server,
  pane: PaneId,
  level: HealthLevel,
  names: readonly string[] = [],
): Promise<Health> {
  try {
    const [details] = await paneDetails(server, [pane]);
    if (!details) return { available: false, running: false, pid: undefined, errorType: "pane_not_found" };
    if (level === "exists") return { available: true, running: true, pid: details.pid, errorType: undefined };
    const tree = processTree(await processes(server), details.pid);
    const candidates = level === "process_tree" ? tree : foreground(tree);
    const found = candidates.find((process) => names.some((name) => isNamed(process, name)));
    const running = found !== undefined || (level === "command" && names.includes(details.currentCommand));
    return { available: true, running, pid: found?.pid ?? details.pid, errorType: undefined };
  } catch (error) {
    const errorType = error instanceof TmuxError ? error.type : "unknown";
    return { available: false, running: false, pid: undefined, errorType };
  }
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly foregroundGroup: number;
  readonly name: string;
  readonly commandLine: string;
}

/** The processes below a pane, the pane's own first. */
export async function paneProcesses(server: Server, pane: PaneId): Promise<readonly Process[]> {
  const [details] = await paneDetails(server, [pane]);
  if (!details) throw new TmuxError("pane_not_found", `can't find pane: ${pane}`);
  return processTree(await processes(server), details.pid);
}

/** The process trees of many panes, from one `ps` on the host. */
export async function processTrees(
  server: Server,
  pids: readonly number[],
): Promise<ReadonlyMap<number, readonly Process[]>> {
  const all = await processes(server);
  return new Map(pids.map((pid) => [pid, processTree(all, pid)]));
}

/** The foreground processes of the pane's terminal, without our wrapper. */
export function foreground(tree: readonly Process[]): readonly Process[] {
  const [root] = tree;
  const group = tree.filter(({ group }) => group === root?.foregroundGroup);
  const withoutWrapper = group.filter(({ pid, commandLine }) => pid !== root?.pid || !isWrapper(commandLine));
  return withoutWrapper.length > 0 ? withoutWrapper : group;
}

/** The program the pane was opened with, without our wrapper. */
export function paneProgram(tree: readonly Process[]): Process | undefined {
  const [root] = tree;
  if (!root || !isWrapper(root.commandLine)) return root;
  const child = tree.find(({ parent }) => parent === root.pid);
  // A shell that does not exec the program in its subshell leaves one more wrapper process in between.
  return child && isWrapper(child.commandLine) ? tree.find(({ parent }) => parent === child.pid) : child;
}

async function processes(server: Server): Promise<readonly Process[]> {
  const ps = ["ps", "-A", "-ww", "-o", "pid=,ppid=,pgid=,tpgid=,comm=,args="];
  const { code, stdout, stderr } = await runChild(server.host, ps, {
    timeoutMs: startLimitMs(server.host),
    harmless: true,
  });
  if (code !== 0) throw new TmuxError("subprocess_failed", `ps failed on this host: ${stderr.trim()}`, { argv: ps });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, group, foregroundGroup, name = "", commandLine = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s*(.*)$/.exec(line) ?? [];
    if (pid === undefined) return [];
    const [id, parentId, groupId, foregroundId] = [pid, parent, group, foregroundGroup].map(Number);
    return [
      {
        pid: id ?? 0,
        parent: parentId ?? 0,
        group: groupId ?? 0,
        foregroundGroup: foregroundId ?? 0,
        name,
        commandLine,
      },
    ];
  });
}

function processTree(all: readonly Process[], root: number): readonly Process[] {
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const tree = all.filter(({ pid }) => pid === root);
  for (const process of tree) tree.push(...(byParent.get(process.pid) ?? []));
  return tree;
}

// The kernel calls `node /usr/bin/claude` node; the script's name is in the command line.
function isNamed({ name, commandLine }: Process, wanted: string): boolean {
  if (name === wanted) return true;
  return commandLine
    .split(" ")
    .slice(0, 2)
    .some((word) => word.split("/").at(-1) === wanted);
}
