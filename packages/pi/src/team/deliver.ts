import { setTimeout as delay } from "node:timers/promises";
import { ToolFailure } from "./failure.ts";
import { holdsDraft } from "./pi-screen.ts";
import type { TeamTmux } from "./team-tmux.ts";

/** Who types into a worker: the daemon's courier, or without a daemon the extension. */
export interface Hands {
  /** True when typing includes Enter. */
  readonly submits: boolean;
  type(text: string): Promise<string>;
  enter(): Promise<unknown>;
}

const readyMs = 60_000;
const arrivedMs = 20_000;
const lookEveryMs = 150;

/** Waits until pi takes input, has the text typed, and looks until it has left the editor. */
export async function deliverPrompt(tmux: TeamTmux, name: string, text: string, hands: Hands): Promise<string> {
  await untilReady(tmux, name);
  const receipt = await hands.type(text);
  // An editor that is empty before our text was seen in it has not drawn it yet.
  let stood = hands.submits;
  for (const end = Date.now() + arrivedMs; Date.now() < end; await delay(lookEveryMs)) {
    const screen = await tmux.screen(name);
    if (screen.dead) throw ended(name);
    if (screen.working || (screen.ready && screen.draft === "" && stood)) return receipt;
    // Enter again only while our own text stands there: anything else is somebody's draft, or a dialog.
    if (!screen.ready || !holdsDraft(screen.draft, text)) continue;
    stood = true;
    await hands.enter();
  }
  return "typed; whether it was taken is not known";
}

async function untilReady(tmux: TeamTmux, name: string): Promise<void> {
  for (const end = Date.now() + readyMs; Date.now() < end; await delay(lookEveryMs)) {
    const screen = await tmux.screen(name);
    if (screen.dead) throw ended(name);
    if (screen.ready && screen.draft === "") return;
  }
  throw new ToolFailure("worker_not_ready", `${name} shows no empty editor; look with team_tmux_capture`);
}

function ended(name: string): ToolFailure {
  return new ToolFailure(
    "worker_ended",
    `the program in ${name} ended at once; team_tmux_capture shows its last words`,
  );
}
