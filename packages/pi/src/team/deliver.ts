import { setTimeout as delay } from "node:timers/promises";
import { ToolFailure } from "./failure.ts";
import { holdsDraft } from "./pi-screen.ts";
import type { TeamTmux } from "./team-tmux.ts";

/** What types into a worker: the daemon's courier, or the extension if there is no daemon. */
export interface Typist {
  /** Whether typing includes Enter. */
  readonly submits: boolean;
  type(text: string): Promise<string>;
  enter(): Promise<unknown>;
}

const readyMs = 60_000;
const arrivedMs = 20_000;
const lookEveryMs = 150;

/** Waits until pi accepts input, types the text, and checks that it left the editor. */
export async function deliverPrompt(tmux: TeamTmux, name: string, text: string, typist: Typist): Promise<string> {
  await untilReady(tmux, name);
  const receipt = await typist.type(text);
  // An empty editor counts as submitted only after the text was seen in it; before that it is not drawn yet.
  let wasSeen = typist.submits;
  for (const end = Date.now() + arrivedMs; Date.now() < end; await delay(lookEveryMs)) {
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

async function untilReady(tmux: TeamTmux, name: string): Promise<void> {
  for (const end = Date.now() + readyMs; Date.now() < end; await delay(lookEveryMs)) {
    const screen = await tmux.screen(name);
    if (screen.dead) throw ended(name);
    if (screen.ready && screen.draft === "") return;
  }
  throw new ToolFailure("worker_not_ready", `${name} shows no empty editor; check with team_tmux_capture`);
}

function ended(name: string): ToolFailure {
  return new ToolFailure(
    "worker_ended",
    `the program in ${name} ended at once; team_tmux_capture shows its last output`,
  );
}
