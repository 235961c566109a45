import { PanewardError } from "@paneward/sdk";
import { isLost } from "../../model/lost.ts";
import type { TerminalRecord } from "../../model/records.ts";
import type { Handlers } from "../calls.ts";
import { resolve, terminalOf } from "../resolve.ts";
import { type ComeBack, type ComeBackDeps, eachOf, withTerminal } from "../tasks/come-back.ts";
import { type Restored, restorable, restoreTerminal } from "../tasks/restore.ts";
import { locked } from "./locked.ts";
import { terminalView, type ViewDeps } from "./views.ts";

export interface RestoreDeps extends ComeBackDeps, ViewDeps {
  readonly comeBack: Pick<ComeBack, "offer">;
}

/** What can be done about programs that were lost with their tmux server. */
export function restoreOperations(deps: RestoreDeps) {
  return {
    restore: async ({ ids, dry_run: dryRun, variables }) => {
      // An id that means nothing ends all before anything is started.
      const wanted = ids
        ? ids.map((id) => terminalOf(deps, resolve(deps, id)).id)
        : deps.store
            .terminals()
            .filter((one) => restorable(deps, one))
            .map(({ id }) => id);
      const done = new Map<string, Restored>();
      await eachOf([...new Set(wanted)], async (id) => {
        const now = await withTerminal(deps, id, (record) => restoreTerminal(deps, record, { variables, dryRun }));
        if (now) done.set(id, now);
      });
      if (!dryRun) deps.comeBack.offer();
      return { restored: [...new Set(wanted)].flatMap((id) => done.get(id) ?? []) };
    },
    keep_running: ({ id, on }) =>
      locked(deps, id, async (found) => {
        const terminal = terminalOf(deps, found);
        if (on) requireService(terminal);
        const { keepRunning: _before, ...rest } = terminal;
        const next: TerminalRecord = on ? { ...rest, keepRunning: true } : rest;
        deps.store.write((writer) => writer.putTerminal(next));
        return terminalView(deps, next);
      }),
  } satisfies Partial<Handlers>;
}

function requireService(record: TerminalRecord): void {
  const { id, task, adopted, found, host } = record;
  if (task !== undefined)
    throw new PanewardError("wrong_state", `${id} belongs to task ${task}; only plain terminals are kept running`, {
      hint: '`[daemon] restore = "always"` brings tasks back too',
    });
  if (adopted || found || /^(tmux|team):/.test(host))
    throw new PanewardError("wrong_state", `${id} was not started by \`paneward run\``, {
      hint: "start it with `paneward run --keep-running`",
    });
  if (record.phase === "ended" && !isLost(record))
    throw new PanewardError("wrong_state", `${id} has ended`, { hint: `\`paneward restart ${id}\` first` });
}
