import type { Agent, Delivery, Status } from "./shapes.ts";

/** Of tasks and terminals. */
export const statusMeanings: Readonly<Record<Status, string>> = {
  Draft: "a task that was written down and never started",
  Running: "the program works: it says so itself, or it has just printed something",
  Idle: "the program runs and has nothing to do, or has been silent for a while",
  Waiting: "the program asks something; `paneward questions` shows what, `paneward respond` answers",
  Exited: "the program ended by itself: with which code, or by which signal, is kept",
  Stopped: "somebody ended it, and it says who; or a task has a worktree and no terminal",
  Completed: "somebody declared the task complete; this wins over everything else",
  Lost: "the tmux server is gone, and nobody saw how the program ended",
};

/** Of agents. */
export const agentStateMeanings: Readonly<Record<Agent["state"], string>> = {
  idle: "nobody asked it for anything",
  commanded: "it was given a task and has not begun",
  processing: "it works; shown as `timed_out` after ten silent minutes",
  awaiting_input: "it asks something: `paneward questions`",
  complete: "it finished",
};

/** Of what was sent to a terminal. */
export const deliveryStateMeanings: Readonly<Record<Delivery["state"], string>> = {
  queued:
    "written down; an earlier delivery to the same terminal comes first, and if that is held, the reason says why",
  held: "something is in the way; the reason says what. It is typed when that is gone",
  typed: "it stands in the input line",
  submitted: "Enter was pressed",
  acknowledged:
    "a witness saw it: the agent's hook told of just these words, the input line let go of it, the agent asks, or the terminal printed; `reason` says which",
  failed: "it did not arrive; the reason says why",
};
