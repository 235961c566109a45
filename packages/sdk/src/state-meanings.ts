import type { Agent, Delivery, Status } from "./shapes.ts";

/** Of tasks and terminals. */
export const statusMeanings: Readonly<Record<Status, string>> = {
  Draft: "the task has no worktree: it was never started, or its worktree was removed",
  Running: "the program works: it reports so, or it has just printed something",
  Idle: "the program runs but has nothing to do, or has been silent for a while",
  Waiting: "the program asks a question: `paneward questions` shows it, `paneward respond` answers it",
  Exited: "the program ended by itself; its exit code or signal is stored",
  Stopped: "a caller stopped it, and the reason names the caller; or the task has a worktree but no terminal",
  Completed: "the task was marked as completed; this overrides every other status",
  Lost: "the tmux server is gone; how the program ended is unknown",
};

/** Of agents. */
export const agentStateMeanings: Readonly<Record<Agent["state"], string>> = {
  idle: "it has no work",
  commanded: "it received a prompt and has not started",
  processing: "it works; shown as `timed_out` after ten silent minutes",
  awaiting_input: "it waits for an answer: `paneward questions`",
  complete: "it finished",
};

/** Of what was sent to a terminal. */
export const deliveryStateMeanings: Readonly<Record<Delivery["state"], string>> = {
  queued: "stored; an earlier delivery to the same terminal comes first. If that one is held, `reason` says why",
  held: "blocked; `reason` says by what, `release` what would let it go. It is typed as soon as that happens",
  typed: "the text is in the input line",
  submitted:
    "Enter was pressed, or it was sent over the agent's HTTP (`way`), and a witness is awaited. Keys: they were pressed",
  acknowledged:
    "a witness saw the program take it; `reason` says which. Of an agent: its hook, its record or its event stream reported these very words, or its turn began. Of any other program: it printed something after Enter. Of a text without Enter: the input line shows it, or the terminal echoed it",
  unknown:
    "it was submitted, and within half a minute no witness saw the program take it; `reason` says what is known. It may have arrived: look before you send it again. It becomes `acknowledged` if the agent reports it within ten minutes",
  failed: "it did not arrive; `reason` says why",
};
