/**
 * When a screen counts as drawn, a question as open, a prompt as taken: every such threshold, with what it was measured
 * on. One that depends on another is computed from it. What differs between agents is in each agent's `submit` profile.
 *
 * Which one do I want?
 * - how long a reading must last before it counts: `secondLookMs`, or `vagueSecondLookMs` for what may not be a question
 * - how long a question must be open before it overrules an agent that reports work: `questionOverrulesMs`
 * - the same against an event stream, which reports the end of every question itself: `eventStreamOverrulesMs`
 * - how long a new dialog ignores keys: `dialogGraceMs` in the agent's `submit` profile
 */

/** How soon after the last loss of a tmux server what comes back by itself is started. */
export const afterLossMs = 500;

/** How long a program may take to end after its tmux server was lost, before it counts as one that outlives it. */
export const survivorsGoMs = 5_000;

// Attention: looking at screens and judging what they show.

/** Idle is shown after it has lasted this long, so that a status does not flicker between two writes of a program. */
export const idleStableMs = 200;

/** A program is silent after this time without output. One that prints in a slow rhythm gets longer. */
export const silentAfterMs = 1_000;

/** No rhythm makes a program count as working for longer than this without output. */
export const maxSilentAfterMs = 6_000;

/** Output with smaller gaps is one burst. */
export const burstMs = 200;

/** A look waits until output rested for this long, because programs draw a screen in several writes. */
export const screenSettlesMs = 100;

/**
 * The same when the last line of a plain program has text and no end: a prompt is mostly one write. Whether more is coming is
 * then seen by whether the program reads its terminal.
 */
export const promptSettlesMs = 10;

/** The first look at a program that just started: most have drawn something by then. */
export const firstLookMs = 150;

/** How soon a screen is looked at after a hook: most agents have drawn what they reported. Chosen, not measured. */
export const soonLookMs = 100;

/** After a rest of this length, a noisy program that never asked is looked at as often as a new one. */
export const noiseForgottenMs = 5_000;

/** The longest time without a look while an agent's spinner keeps its screen from settling. */
export const spinnerLookMs = { working: 700, other: 300 } as const;

/** The same for a program that printed more after its question: the question may be gone. */
export const askedAndPrintsLookMs = 1_000;

/** A reading counts when a second look finds the same after this time: a first look may catch a half-drawn screen. */
export const secondLookMs = 100;

/** The same for a question of a program that already waits for a line of its terminal: it draws nothing more before that. */
export const readSecondLookMs = 15;

/** The same for text that only looks like a question: prose scrolls away sooner. */
export const vagueSecondLookMs = 700;

/**
 * The same for a prompt of a program that does not read its terminal: it may have printed the prompt of something else, or
 * be about to read. Looks come at growing intervals meanwhile; after that it counts, and takes no free text.
 */
export const notReadingMs = 5_000;

/** A second look that came too early is repeated after this time. */
export const secondLookAgainMs = 50;

/** A question on the screen overrules an agent that reports work once it has been open for this long. */
export const questionOverrulesMs = 700;

/**
 * A title or an OSC sequence that reports work overrules a screen that still looks idle for this long; both together do so as
 * long as they last. Codex shows nothing of its work below a prompt that fills the screen: 6 s of a turn were seen as rest.
 */
export const wordOverrulesMs = 5_000;

/** When to look again, to confirm that a question is still open. */
export const questionOverrulesLookMs = questionOverrulesMs + 50;

/** An event stream reports the end of every question, so a screen must contradict it longer: an answered dialog may be redrawn. */
export const eventStreamOverrulesMs = 3_000;

/** A question is drawn in several writes: output this soon after its first sight belongs to it. */
export const drawnTogetherMs = 300;

/** Output this long after the last look means that the screen shows something else by now. */
export const screenOutdatedMs = 2_000;

/** After a hook, the file, the screen or the title shows the same within this time (Codex: title 1 s after the request). */
export const followsHookMs = { state_file: 250, screen: 1_000, other: 1_500 } as const;

/** When to look after a hook: the screen may then show that its report is outdated. */
export const afterHookLookMs = followsHookMs.screen + 100;

/**
 * A hook reports a dialog before the agent draws it: Claude Code's by half a second on a busy machine (docs/agents-lab.md).
 * After ten times that, the dialog counts as never drawn. A drawn dialog that disappears is noticed at once.
 */
export const dialogDrawnMs = 5_000;

/** When to look after a hook that reported a question: the screen may then show that its dialog is gone. */
export const afterDialogHookLookMs = dialogDrawnMs + 100;

/** A question from a hook or an event stream waits this long for its dialog, which shows how it can be answered. */
export const hookQuestionWaitsMs = 400;

/** The same for a state file or a title that reports a question without its text. */
export const wordlessQuestionWaitsMs = 1_000;

/** After an answer the program counts as working for this long, unless a witness reports something else. */
export const answeredWorksMs = 2_000;

const minuteMs = 60_000;

/** A report of work is believed for this long: `kill -9`, Escape and a denial fire no hook, and end no OSC status. */
export const reportedWorkMs = 60 * minuteMs;

/** The same for a reported question, which may wait for a person overnight. */
export const reportedQuestionMs = 12 * 60 * minuteMs;

/** A bell asks for attention for this long. */
export const bellMs = 5 * minuteMs;

/**
 * Output this long after a program reported `done`, `error` or `blocked` (OSC 7501) ends that report. A full-screen program
 * may redraw while it waits, so there `blocked` stays.
 */
export const reportedEndMs = 2_000;

/** How long it is believed that a program reads its terminal raw, so that each redraw does not ask again. Chosen. */
export const rawTerminalMs = 5_000;

/** A program may print this long before its start is recorded. A guard, not measured. */
export const printsBeforeStartMs = 2_000;

/** The same for a conversation that the agent's server reports, on a machine under load. A guard, not measured. */
export const startRecordedMs = 10_000;

/** An event stream that was open for this long is asked again at once when it breaks. Chosen, not measured. */
export const steadyStreamMs = 10_000;

/**
 * Processes that use no more CPU than this between two looks rest: the kernel counts in steps of 10 ms, and a step may
 * belong to the look before.
 */
export const restingCpuMs = 20;

/** A conversation that works is shown as `timed_out` after this time without output or hook. Chosen. */
export const silentWorkMs = 10 * minuteMs;

/** Attaching to a worker redraws its screen, which looks like work; the silence after less than this is not reported again. */
export const workerWorksMs = 5_000;

/** An agent that fails this soon after it was resumed may have lost the conversation: the next start begins a new one. */
export const failedAtOnceMs = 15_000;

/** Tools of one batch begin within this time. A later one means that a hook was lost. */
export const toolBatchMs = 2_000;

/** An agent that begins with its process has the same date, give or take the rounding of both; a restart takes longer. */
export const sameMomentMs = 20;

/** Dates have whole milliseconds, monotonic time has parts of them. */
export const dateRoundingMs = 1;

/** A hook of a process that ended arrives within this time. */
export const lateHookMs = 10_000;

/** A program that reports may still have no known pane for this long: on a busy machine, tmux has not answered yet. */
export const reportsBeforePlacedMs = 10_000;

/** The screen shows the end of a turn at most this long after the agent's own events. */
export const endDrawnWithinMs = 3_000;

/** A prompt may be queued behind long work: its hook comes when the agent begins it. */
export const promptHookWithinMs = 60 * minuteMs;

// Courier: typing, submitting, and waiting for a witness.

/**
 * A dialog that was denied may end the turn; the agent still works for a moment. What is submitted meanwhile is queued for that
 * turn: Codex then sent it off, and also put it back into its input line. Chosen.
 */
export const answeredSettlesMs = 1_500;

/** Text may take this long from tmux to the input line of a busy program. A guard; no slowest case was measured. */
export const textDrawnMs = 10_000;

/** The same for one that draws other things meanwhile, or nothing: pi took 12 s on a machine at a load of 35. */
export const textNeverDrawnMs = 30_000;

/**
 * The input line of an agent whose screen was understood before is unseen for this long: it is asked to redraw. Claude Code counts
 * some emoji otherwise than tmux, and draws its input line over other rows from then on. Chosen: half-drawn screens last less.
 */
export const redrawAfterMs = 3_000;

/**
 * A screen that was never understood is given up after this time, if its program waits for a line, or takes keys and has run for
 * `textDrawnMs`: an agent that starts takes keys before it draws. Chosen, so that a delivery to such a program ends in 2 s.
 */
export const notUnderstoodMs = { line: 300, keys: 600 } as const;

/**
 * What was typed is in the input line after this time, and an Escape is taken for the key, not for the beginning of a
 * sequence. Before a key that submits the line, a caller who may not approve waits this long, so that the line that was
 * checked is the one that is submitted. Agents draw 16 to 32 ms after a key, and end an escape sequence after 20 to 50 ms.
 */
export const lineDrawnMs = 250;

/**
 * The text is still in the input line this long after Enter, and the program has drawn since: it took Enter for a part of
 * the paste. Codex did so when Enter came 0 or 20 ms after a long text (0 of 4 taken), and not after 50 to 200 ms (6 of 6).
 * Each further press waits one such time longer. On a machine at a load of 20, Gemini and pi drew their cleared line more
 * than 500 ms after an Enter that they took: a second one submitted the text again, or answered the dialog that had opened.
 */
export const swallowedMs = 2_000;

/**
 * After a restart of the daemon an empty input line may be one that is not drawn yet; after this time it counts as empty.
 * A guard, not measured.
 */
export const resumedSettleMs = 1_500;

/** How long to wait for output where the input line cannot be seen and output is the only witness. Chosen, not measured. */
export const blindMs = 1_000;

/**
 * A hook that reports a prompt is a witness of a delivery for this long. Claude Code's comes at once, also for a prompt
 * that it queues while it works; the limit only keeps old texts from being kept and matched. A turn is matched for longer
 * (`promptHookWithinMs`): it is compared with the turns since then, not with text alone.
 */
export const promptHookMs = 10 * minuteMs;

/**
 * How often the record of an agent is looked at while a delivery is awaited, beside what the file system reports: at first,
 * later, for a file that is not known yet, and at the most. Chosen; a row was there 50 to 500 ms after Enter.
 */
export const recordLookMs = { min: 25, hasty: 100, hastyFor: 10_000, calm: 2_000, seek: 500 } as const;

/**
 * A turn that begins counts as the witness of a delivery after this time, where a hook or a record may still report the
 * words themselves: pi writes its record only with its first answer.
 */
export const wordsFirstMs = 2_000;

/** How long a delivery waits for a witness before the next one may start. */
export const witnessMs = 30_000;

/** The same for a text that an earlier daemon submitted. What comes later still counts. Chosen. */
export const submittedBeforeMs = 3_000;

/** A caller that does not wait for a witness learns after this time what the delivery waits for. */
export const firstResultMs = 2_000;

// Answering: dialogs, hooks and the agent's own server.

/**
 * A dialog that was answered through its hook or by the agent's own server is gone within this time: opencode's can be drawn
 * once more before it goes (docs/agents-lab.md). After that, keys answer a dialog that its hook did not. How long it
 * takes was not measured.
 */
export const goneByHookMs = 5_000;

/**
 * A permission that is answered through its hook before its dialog is drawn may still be drawn for a moment: Claude Code
 * closes a dialog 153 ms after its hook decided. Until then what is drawn is the same question.
 */
export const lateDialogMs = 1_000;

/**
 * A permission that took the place of another one is not answered without its name for this long: the caller may still be
 * looking at the one before. Chosen for a person reading and typing, not measured.
 */
export const newPermissionMs = 10_000;

/** An agent that was asked over its HTTP to end its turn has ended it by then, or gets keys. Chosen, not measured. */
export const restsByHttpMs = 10_000;

/**
 * An agent that got its interrupt keys rests by then, or the outcome is unknown: in two runs under load opencode worked on
 * after two Escapes (docs/agents-lab.md). Chosen, not measured.
 */
export const restsByKeysMs = 15_000;

/** A dialog answered by keys is gone within this time, on a machine under load; else the answer failed. */
export const goneByKeysMs = 10_000;

// The capability: a shell in a workspace.

/**
 * A command's program has begun this long after Enter or after output: until then its shell is in the foreground, as it is after
 * the program's end. Chosen, not measured.
 */
export const commandBeginsMs = 400;

/** A shell in the foreground that shows no prompt has none by then, or has not read the command. Chosen, not measured. */
export const noPromptMs = 5_000;

/** A shell reads its start-up files for this long at most after its pane was made. Chosen, not measured. */
export const newShellMs = 10_000;

/** How long the first command waits for a shell to read its terminal; a busy one gets it then. Chosen, not measured. */
export const shellReadsMs = 2_000;
