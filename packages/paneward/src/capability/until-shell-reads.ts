import { newShellMs, shellReadsMs } from "../model/timing.ts";
import type { WorkspacePane } from "../runtime/ports.ts";
import { outputSignal } from "./output-signal.ts";
import type { Work } from "./work.ts";

/**
 * Before the first command: waits until the shell of a new pane reads its terminal. What is typed earlier is echoed by the terminal, and once more by
 * the shell. A shell that is busy with its start-up files gets the command after a moment anyway.
 */
export async function untilShellReads({ world, workspaces, spec, caller }: Work, pane: WorkspacePane): Promise<void> {
  const { clock, terminals } = world;
  const hasPrinted = async () => ((await terminals.cursorBeforeEnd(spec.host, pane.journal, 0))?.offset ?? 0) > 0;
  const isNew = clock.now() - Date.parse(pane.createdAt) <= newShellMs;
  if (pane.end === undefined && !(isNew && (await workspaces.noted(spec, pane, "command_at")) === undefined)) return;
  const deadline = clock.monotonic() + shellReadsMs;
  const output = outputSignal(world, pane, caller.signal);
  try {
    for (;;) {
      const printed = output.next();
      const { reads } = await terminals.listens(spec.host, pane.place);
      const leftMs = deadline - clock.monotonic();
      if (reads === "yes" || leftMs <= 0 || caller.signal?.aborted) return;
      if (reads === "unknown" && (await hasPrinted())) return;
      // A shell is ready when it prints its prompt; one that prints none is looked at again.
      await output.waitOrTimeout(printed, Math.min(leftMs, lookAgainMs));
    }
  } finally {
    output.stop();
  }
}

const lookAgainMs = 100;
