import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Question, Team } from "@paneward/sdk";
import { defaultConfig } from "@paneward/sdk/config";
import type { TerminalRecord } from "../../src/model/records.ts";
import type { WorkerRecord } from "../../src/model/team/worker.ts";
import type { WorkerWatchDeps } from "../../src/runtime/team/worker-watch.ts";
import { openStore } from "../../src/store/store.ts";
import { FakeClock } from "./fake-clock.ts";
import { afterwards, type Cleanup } from "./folder.ts";

export interface TeamStage extends WorkerWatchDeps {
  readonly clock: FakeClock;
  readonly team: Team;
  readonly errors: readonly string[];
  /** Puts a worker on the stage, whose terminal `t1` runs. */
  addWorker(): void;
  /** What attention says of `t1` from now on; the event follows as in the daemon. */
  turn(says: Says, why?: { readonly source?: string; readonly detail?: "stuck" }): void;
  /** `t1` prints: no event. */
  prints(): void;
  /** The screen is understood at last, and shows work: no event. */
  isUnderstood(): void;
  opens(question: Question): void;
  closes(question: Question): void;
  ends(code: number): void;
  /** The text of every message in the worker's thread. */
  messages(): readonly string[];
  worker(): WorkerRecord | undefined;
}

type Says = "working" | "idle" | "needs_input";
const statuses = { working: "Running", idle: "Idle", needs_input: "Waiting" } as const;

export const silenceSeconds = 60;

/** A team in a store of its own, with a fake clock and an attention that a test sets. */
export function teamStage(t: Cleanup, configFor: () => Promise<object> = async () => ({})): TeamStage {
  const clock = new FakeClock();
  const folder = mkdtempSync(join(tmpdir(), "pw-"));
  const store = openStore(join(folder, "paneward.db"), clock);
  afterwards(t, () => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const errors: string[] = [];
  const team: Team = {
    schemaVersion: "1.0.0",
    teamId: "demo",
    agents: [{ id: "lead", role: "leader" }],
    createdAt: "",
  };
  const config = { ...defaultConfig, team: { ...defaultConfig.team, silence_seconds: silenceSeconds } };
  const name = "worker1";
  let judged = { says: "working" as Says, why: { source: "test", rule: "set", since: clock.now() } };
  let printedAt: number | undefined;
  store.write((writer) => {
    writer.team.putTeam(team);
    writer.team.putThread({
      ...{ schemaVersion: "1.0.0", id: "thread-0001", teamId: "demo", title: "worker1", participants: ["lead"] },
      ...{ taskId: null, startedBy: "lead", createdAt: "", lastMessageAt: null, messages: 0 },
    });
  });
  return {
    ...{ clock, store, team, errors },
    log: { info: () => {}, warn: () => {}, error: (message) => void errors.push(message) },
    configFor: async () => ({
      ...{ config, files: [], warnings: [], project: { agents: {}, bootstrapCmd: undefined } },
      ...(await configFor()),
    }),
    attention: { attention: () => judged, lastOutputAt: () => printedAt },
    prints: () => {
      printedAt = clock.now();
    },
    isUnderstood: () => {
      judged = { ...judged, why: { ...judged.why, source: "test", since: clock.now() } };
    },
    addWorker() {
      const now = clock.now();
      const terminal = { id: "t1", name: "worker1", host: "team:demo", phase: "running", createdAt: now };
      const worker: WorkerRecord = {
        ...{ teamId: "demo", session: "worker1", agentId: "worker1", leader: "lead", threadId: "thread-0001" },
        ...{ socket: "/s", cwd: "/", terminal: "t1", state: "working", since: now, startedAt: now, told: {} },
      };
      store.write((writer) => {
        writer.putTerminal(terminal as unknown as TerminalRecord);
        writer.team.putWorker(worker);
        const { told: _told, ...visible } = worker;
        writer.append("team_worker_changed", { worker: visible, change: "started" });
      });
    },
    turn(says, more = {}) {
      const before = statuses[judged.says];
      const why = { source: "test", rule: "set", since: clock.now(), ...more };
      judged = { says, why };
      const status = statuses[says];
      store.write((writer) => writer.append("terminal_status_changed", { terminal: "t1", name, status, before, why }));
    },
    opens: (question) => store.write((writer) => writer.append("question_opened", { question })),
    closes: (question) => store.write((writer) => writer.append("question_closed", { question, by: "screen" })),
    ends: (code) =>
      store.write((writer) =>
        writer.append("terminal_closed", { terminal: "t1", name, end: { kind: "exited", code } }),
      ),
    messages: () => store.team.messages("thread-0001", 100).map(({ body }) => body),
    worker: () => store.team.worker("demo", "worker1"),
  };
}
