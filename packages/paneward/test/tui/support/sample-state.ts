import { emptyView, type Lists, snapshot, withConnection } from "@paneward/sdk/view";
import { press } from "../../../src/tui/state/press.ts";
import { firstState, type State } from "../../../src/tui/state/state.ts";

/** One task of every status, a question, and a log entry; the first row that does not need the user is selected. */
export function sampleState(): State {
  const why = { source: "output", rule: "no output for 1 s", since: 5 };
  const statuses = ["Waiting", "Draft", "Stopped", "Running", "Idle", "Exited", "Lost"] as const;
  const tasks = statuses.map((status, at) => ({
    ...{ id: at + 1, slug: `a-${status}`, root: "/shop", text: "x", agent: "claude", branch: "b", worktree: "/w" },
    ...{ session: "s", status, why, createdAt: 1, lastLine: "last", work: { added: 3, removed: 1, ahead: 2 } },
    ...(status === "Waiting" && { terminal: "t1" }),
    ...(status === "Exited" && { end: { kind: "exited", code: 1 } as const }),
  }));
  const terminal = {
    ...{ id: "t9", name: "done", host: "local", argv: ["x"], cwd: "/", session: "s", why, createdAt: 1 },
    ...{ status: "Exited", end: { kind: "exited", code: 0 } },
  } as const;
  const question = {
    ...{ id: "q1", terminal: "t1", kind: "permission", text: "Proceed?", freeText: true, source: "screen" },
    ...{ screenHash: "h", state: "open", openedAt: 1 },
    options: [
      { number: 1, label: "Yes" },
      { number: 2, label: "No" },
    ],
    proposal: { command: "npm test", path: "x", diff: "-old\n+new\n same" },
  } as const;
  const lists = { tasks, terminals: [terminal], agents: [], questions: [question], lastEvent: 1 };
  const view = withConnection(snapshot(emptyView, lists as unknown as Lists), { kind: "connected" });
  const log = [
    { at: 1, text: "start 1", isFailure: false },
    { at: 2, text: "it failed", isFailure: true },
  ];
  const { state } = press({ ...firstState({ columns: 160, rows: 40 }, 10), view, log }, { kind: "key", key: "j" });
  return state;
}
