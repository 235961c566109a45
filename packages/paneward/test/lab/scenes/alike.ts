import type { Scene, Stage, Truth } from "../stage.ts";
import { trickyCommands } from "./asking.ts";

// Situations that several agents are brought into alike; what differs is how each of them shows it.

/** A `!` in the empty input line makes what follows a command of the shell. */
export const shellMode = (entered: RegExp): Scene => ({
  async play(pane) {
    pane.type("!");
    await pane.shows(entered);
    await pane.keep("shell-mode", { says: "idle", draft: "!" });
    await pane.draft("ls -l");
    await pane.keep("shell-mode-draft", { says: "idle", draft: "!ls -l" });
  },
});

/** The first screen, and a draft that is taken away again. */
export async function firstDraft(pane: Stage, idle: Truth, clear: string, empty: RegExp): Promise<void> {
  await pane.keep("idle-fresh", idle);
  await pane.draft("half a thought");
  await pane.keep("draft", { says: "idle", draft: "half a thought" });
  pane.press(clear);
  await pane.shows(empty);
}

/** Answers that look like questions or fill the screen; `busy` is what an agent shows until it is done with them. */
export async function misleadingAnswers(pane: Stage, idle: Truth, busy?: RegExp): Promise<void> {
  await pane.say("PROSE");
  await pane.shows(/Press Enter to continue was/);
  if (busy) await pane.hides(busy);
  await pane.keep("prose-about-questions", idle);
  await pane.say("LONG 80");
  await pane.shows(/line 80 of/);
  if (busy) await pane.hides(busy);
  await pane.keep("long-output", idle);
}

/** A turn in a narrow pane, with a draft that is wrapped there. */
export async function narrowTurn(pane: Stage, busy: RegExp, truth: Truth): Promise<void> {
  const thought = "a thought that is longer than the pane is wide";
  await pane.say("SLOW 25");
  await pane.shows(busy);
  await pane.keep("narrow-busy", truth, true);
  await pane.draft(thought);
  await pane.keep("narrow-busy-draft", { says: "working", draft: thought }, true);
}

/** A quota that is used up, and a turn after it. */
export async function quotaReached(pane: Stage, idle: Truth, prompt: string, refused: RegExp): Promise<void> {
  await pane.say(prompt);
  await pane.shows(refused);
  await pane.keep("quota-reached", { says: "idle", detail: "quota_reached", draft: "" });
  await pane.say("go on");
  await pane.shows(/You said/);
  await pane.keep("idle-after-quota", idle);
}

/** Permissions for commands that a dialog shows in part, or that look like one; also in a pane of 16 rows. */
export const trickyPermissions = (
  run: (command: string) => string,
  { dialog, proved }: { readonly dialog: RegExp; readonly proved: readonly (keyof typeof trickyCommands)[] },
): Scene => ({
  async play(pane) {
    const asks = { says: "needs_input", kind: "permission" } as const;
    for (const [name, command] of Object.entries(trickyCommands)) {
      const whole = proved.some((one) => one === name);
      await pane.say(run(command));
      await pane.shows(dialog);
      await pane.keep(`tricky-${name}`, { ...asks, whole });
      pane.resize(100, 16);
      await pane.keep(`tricky-${name}-low`, asks);
      pane.resize(100, 40);
      await pane.still();
      pane.press("Escape");
      await pane.hides(dialog);
      await pane.still();
    }
  },
});
