import { createHash } from "node:crypto";
import { type Output, PanewardError, type Parsed } from "@paneward/sdk";
import type { TerminalRecord } from "../../model/records.ts";
import { judgeTerminal } from "../attention/judge-status.ts";
import type { ReadDeps } from "./reader.ts";

/**
 * Reads a pane that has no journal: the screen is all there is, and the cursor is its hash. New output is a different
 * screen.
 */
export async function readAdopted(
  deps: Pick<ReadDeps, "clock" | "store" | "terminals" | "attention">,
  terminal: TerminalRecord,
  { since, wait }: Pick<Parsed<"read">, "since" | "wait">,
  signal?: AbortSignal,
): Promise<Output<"read">> {
  if (!terminal.place || terminal.phase !== "running") {
    throw new PanewardError("wrong_state", `${terminal.name} has ended in your own tmux; what it showed was not kept`);
  }
  const deadline = deps.clock.monotonic() + wait * 1_000;
  for (;;) {
    const { lines } = await deps.terminals.look(terminal.host, terminal.place);
    const screen = lines.join("\n").trimEnd();
    const cursor = `screen-${createHash("sha256").update(screen).digest("hex").slice(0, 16)}`;
    const output = cursor === since ? "" : screen;
    const { status } = judgeTerminal(deps, deps.store.terminal(terminal.id) ?? terminal);
    const left = deadline - deps.clock.monotonic();
    if (output !== "" || left <= 0 || signal?.aborted || deps.store.terminal(terminal.id)?.phase !== "running") {
      const count = output === "" ? 0 : output.split("\n").length;
      return { output, cursor, lines: count, has_more: false, missed: 0, state: status };
    }
    await deps.clock.sleep(Math.min(left, lookEveryMs), signal);
  }
}

const lookEveryMs = 500;
