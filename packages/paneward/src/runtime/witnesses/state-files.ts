import { agentsWithStateFiles } from "../../agents/registry.ts";
import type { ProcessState } from "../../agents/state-files.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { AgentBook } from "../agents/agent-book.ts";
import type { Attention } from "../attention/attention.ts";
import type { Cancel, StateFiles } from "../ports.ts";
import { SteadyDates } from "../steady-time.ts";
import type { World } from "../world.ts";

export interface StateFileDeps extends World {
  readonly attention: Attention;
  readonly agents: AgentBook;
}

/** Follows the files in which agents write what their processes do. */
export function followStateFiles(deps: StateFileDeps, files: StateFiles): { stop(): void } {
  const followed = agentsWithStateFiles.map((agent) => followOne(deps, files, agent));
  return {
    stop() {
      for (const { stop } of followed) stop();
    },
  };
}

/**
 * An agent's own files about its processes: right also after Escape and denial, which may fire no hook. The file
 * system reports changes; the files are read again when a hook came or a terminal of such an agent changed, in case a
 * report was lost.
 */
function followOne(
  deps: StateFileDeps,
  files: StateFiles,
  { name: kind, stateFiles }: (typeof agentsWithStateFiles)[number],
): { stop(): void } {
  const dates = new SteadyDates(deps.clock);
  const following = files.follow(stateFiles.folder(deps.env), (name, text) => {
    const state = stateFiles.read(name, text);
    if (state) report(deps, kind, state, dates);
  });
  let cancel: Cancel | undefined;
  // At most once a second, and only while something of such an agent happens.
  const lookSoon = () => {
    cancel ??= deps.clock.timer(lookAgainMs, () => {
      cancel = undefined;
      following.lookAgain();
    });
  };
  const stopEvents = deps.store.onEvents((events) => {
    const hasActive = deps.agents.active().some((agent) => agent.kind === kind);
    if (hasActive && events.some(({ type }) => agentNews.has(type))) lookSoon();
  });
  following.lookAgain();
  return {
    stop() {
      cancel?.();
      stopEvents();
      following.stop();
    },
  };
}

const lookAgainMs = 1_000;

const agentNews = new Set<string>([
  "session_created",
  "state_changed",
  "question_opened",
  "question_closed",
  "task_status_changed",
  "terminal_status_changed",
]);

function report(deps: StateFileDeps, kind: string, state: ProcessState, dates: SteadyDates): void {
  const agent = deps.agents.active().find((one) => one.kind === kind && one.session_id === state.sessionId);
  const terminal = deps.store.terminals().find((one) => isOf(one, state, agent?.terminal));
  if (!terminal || deps.attention.agentOf(terminal.id)?.name !== kind) return;
  // After kill -9 the file stays as it was.
  if (!deps.machine.runs(state.pid)) return;
  // Without hooks this is how its conversation can be resumed later.
  const there = deps.agents.of(terminal.id);
  if (there && there.endedAt === undefined && there.session_id === undefined && state.sessionId !== undefined) {
    deps.agents.learned(there.id, { session_id: state.sessionId });
  }
  const now = deps.clock.monotonic();
  const { says, rule } = state;
  const at = state.at === undefined ? now : dates.at(terminal.id, state.at);
  deps.attention.report(terminal.id, { witness: "state_file", says, rule, at, seenAt: now });
}

// Sessions of the private server have names that no other server's have.
function isOf({ id, phase, session, place }: TerminalRecord, state: ProcessState, known: string | undefined): boolean {
  if (phase !== "running") return false;
  return known === id || (session === state.session && place?.pane === state.pane);
}
