import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openJournal, openSession, watchServer } from "@paneward/tmux";
import type { Arena } from "./arena.ts";
import { holds, type Result } from "./result.ts";
import { spawned } from "./ways.ts";

const terminals = 20;
const seconds = 10;

/** Whether watching starts processes while nothing happens. */
export async function forks({ server, folder, name }: Arena): Promise<Result> {
  const watcher = await watchServer(server);
  for (let at = 0; at < terminals; at++) {
    const journal = await openJournal(server.files, join(folder, name()));
    const { pane } = await openSession(server, { name: name(), argv: ["sleep", "1000000"], journal });
    watcher.addJournal(pane, journal);
  }
  const pids = () => [process.pid, server.identity.pid, server.controlPid() ?? 0, watcher.connectionPid ?? 0];
  // By then each wrapper has started its program.
  await delay(1_000);
  const idle = await traceOfChildren(pids(), () => delay(seconds * 1_000));
  const proof = await traceOfChildren(pids(), () => spawned(server.socketPath, "display-message", "-p", "ok"));
  await watcher.close();
  if (!proof) throw new Error("a started process was not detected: the measurement is broken");
  return {
    rows: [
      {
        question: `processes started in ${seconds} s of idle watching`,
        unit: "",
        ours: idle ? Number.NaN : 0,
        spawn: seconds,
        note: "spawn: one listing a second",
      },
    ],
    targets: [holds(`forks in ${seconds} s of steady state: 0`, idle ? "some" : "0", !idle)],
  };
}

/**
 * Whether one of these processes had a child in the meantime: it still runs, or its page faults were added to its
 * parent's count when it was reaped. Processes of other programs on the machine are not counted.
 */
async function traceOfChildren(pids: readonly number[], work: () => Promise<unknown>): Promise<boolean> {
  const before = pids.map(childrenOf);
  await work();
  const after = pids.map(childrenOf);
  return before.join("\n") !== after.join("\n");
}

function childrenOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // After the name in parentheses: state is field 3, the minor faults of reaped children are field 11.
  const waitedFor = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[8];
  const living = readdirSync(`/proc/${pid}/task`).map((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8"),
  );
  return `${pid}: ${waitedFor} faults, children ${living.join(" ").split(" ").filter(Boolean).sort().join(" ")}`;
}
