import { type ClaudeState, readClaudeState } from "../../agents/claude/state-file.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { StateFiles } from "../ports.ts";
import type { Runtime } from "../world.ts";

/**
 * Claude's own files about its processes: right also after Escape and denial, which fire no hook. Followed by the file
 * system's news; looked at again when a hook came or a terminal of Claude's changed, in case news were lost.
 */
export function followClaude(rt: Runtime, files: StateFiles): { stop(): void } {
  const folder = `${rt.env.CLAUDE_CONFIG_DIR ?? `${rt.env.HOME ?? ""}/.claude`}/sessions`;
  const following = files.follow(folder, (name, text) => {
    const state = readClaudeState(Number.parseInt(name, 10), text);
    if (state) hear(rt, state);
  });
  let due: NodeJS.Timeout | undefined;
  // At most once a second, and only while something of Claude's happens.
  const lookSoon = () => {
    due ??= setTimeout(() => {
      due = undefined;
      following.lookAgain();
    }, 1_000).unref();
  };
  const stopEvents = rt.store.onEvents((events) => {
    const living = rt.agents.living().some(({ kind }) => kind === "claude");
    if (living && events.some(({ type }) => agentNews.has(type))) lookSoon();
  });
  following.lookAgain();
  return {
    stop() {
      clearTimeout(due);
      stopEvents();
      following.stop();
    },
  };
}

const agentNews = new Set<string>([
  "session_created",
  "state_changed",
  "question_opened",
  "question_closed",
  "task_status_changed",
  "terminal_status_changed",
]);

function hear(rt: Runtime, state: ClaudeState): void {
  const agent = rt.agents.living().find((one) => one.kind === "claude" && one.session_id === state.sessionId);
  const terminal = rt.store.terminals().find((one) => isOf(one, state, agent?.terminal));
  if (!terminal || rt.attention.agentOf(terminal.id)?.name !== "claude") return;
  // After kill -9 the file stays as it was.
  if (!rt.machine.runs(state.pid)) return;
  // Without hooks this is how its conversation can be gone on with later.
  const there = rt.agents.of(terminal.id);
  if (there && there.endedAt === undefined && there.session_id === undefined && state.sessionId !== undefined) {
    rt.agents.learned(there.id, { session_id: state.sessionId });
  }
  const now = rt.clock.now();
  const { says, rule } = state;
  rt.attention.hear(terminal.id, {
    witness: "state_file",
    says,
    rule,
    at: Math.min(state.at ?? now, now),
    seenAt: now,
  });
}

// Sessions of the private server have names that no other server's have.
function isOf({ id, phase, session, place }: TerminalRecord, state: ClaudeState, known: string | undefined): boolean {
  if (phase !== "running") return false;
  return known === id || (session === state.session && place?.pane === state.pane);
}
