import { setTimeout as delay } from "node:timers/promises";
import { ToolFailure } from "./failure.ts";
import { holdsDraft } from "./pi-screen.ts";
import type { TeamTmux } from "./team-tmux.ts";

/** What types into a worker: the daemon's courier, or the extension if there is no daemon. */
export interface Typist {
  /** Whether it waits by itself until a dialog is gone, and then types and submits. */
  readonly waits: boolean;
  type(text: string, behindDialog?: boolean): Promise<string>;
  enter(): Promise<unknown>;
}

export interface Delivered {
  readonly delivered: string;
  /** The dialog that is open: the prompt goes in once it is answered. */
  readonly asks?: string;
}

const readyMs = 60_000;
const arrivedMs = 20_000;
const lookEveryMs = 150;
/** What waits with it does not keep pi from exiting. */
const background = new AbortController().signal;

/** Types the prompt once pi accepts input, and checks that it left the editor. Behind a dialog it does so later. */
export async function deliverPrompt(
  tmux: TeamTmux,
  name: string,
  text: string,
  typist: Typist,
  signal: AbortSignal | undefined,
): Promise<Delivered> {
  const asks = await untilReady(tmux, name, signal, readyMs);
  if (asks === undefined) return { delivered: await typePrompt(tmux, name, text, typist, signal) };
  if (typist.waits) return { delivered: await typist.type(text, true), asks };
  // Nobody else would type it. When the session or this pi ends first, there is nothing left to type into.
  behindDialog(tmux, name, text, typist).catch(() => {});
  return { delivered: "held: it asks something; the prompt is typed once that is answered", asks };
}

async function typePrompt(
  tmux: TeamTmux,
  name: string,
  text: string,
  typist: Typist,
  signal: AbortSignal | undefined,
): Promise<string> {
  const receipt = await typist.type(text);
  // An empty editor counts as submitted only after the text was seen in it; before that it is not drawn yet.
  let wasSeen = typist.waits;
  for (const end = Date.now() + arrivedMs; Date.now() < end; await pause(signal, name)) {
    const screen = await tmux.screen(name);
    if (screen.dead) throw ended(name);
    if (screen.working || (screen.ready && screen.draft === "" && wasSeen)) return receipt;
    // Press Enter again only while the editor contains our own text: anything else is a person's draft, or a dialog.
    if (!screen.ready || !holdsDraft(screen.draft, text)) continue;
    wasSeen = true;
    await typist.enter();
  }
  return "typed; not confirmed that it was submitted";
}

async function behindDialog(tmux: TeamTmux, name: string, text: string, typist: Typist): Promise<void> {
  while ((await untilReady(tmux, name, background, Number.POSITIVE_INFINITY)) !== undefined)
    await pause(background, name);
  await typePrompt(tmux, name, text, typist, background);
}

/** Undefined when its editor is empty and waits; else the dialog that is open. */
async function untilReady(
  tmux: TeamTmux,
  name: string,
  signal: AbortSignal | undefined,
  ms: number,
): Promise<string | undefined> {
  for (const end = Date.now() + ms; Date.now() < end; await pause(signal, name)) {
    const screen = await tmux.screen(name);
    if (screen.dead) throw ended(name);
    if (screen.asks !== undefined) return screen.asks;
    if (screen.ready && screen.draft === "") return undefined;
  }
  throw new ToolFailure("worker_not_ready", `${name} shows no empty editor; check with team_tmux_capture`);
}

async function pause(signal: AbortSignal | undefined, name: string): Promise<void> {
  try {
    await delay(lookEveryMs, undefined, { ref: signal !== background, ...(signal ? { signal } : {}) });
  } catch {
    const message = `stopped by Escape; ${name} runs, its prompt may not have been typed: check with team_tmux_capture`;
    throw new ToolFailure("aborted", message);
  }
}

function ended(name: string): ToolFailure {
  return new ToolFailure(
    "worker_ended",
    `the program in ${name} ended at once; team_tmux_capture shows its last output`,
  );
}
