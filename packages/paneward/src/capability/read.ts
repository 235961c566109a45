import type { capabilityActions, ParametersOf } from "@paneward/sdk/reference";
import { keptCursor, newOutput } from "../runtime/output/workspace-output.ts";
import type { WorkspacePane } from "../runtime/ports.ts";
import { paneAt, readerOf, type Work } from "./work.ts";

type Params = ParametersOf<(typeof capabilityActions)["read"]>;

interface Answer {
  readonly output: string;
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** What a pane shows, or its new output. Every read moves the caller's position to the end of what it returned. */
export async function read(work: Work, params: Params): Promise<object> {
  const { store } = work.world;
  const pane = await paneAt(work, params.pane);
  const position = params.since && !params.all ? store.workspaces.position(pane.journal, readerOf(work)) : undefined;
  const answer =
    position === undefined ? await shown(work, pane, params) : await newSince(work, pane, params, position);
  store.workspaces.putPosition(pane.journal, readerOf(work), answer.cursor);
  return {
    pane: pane.address,
    output: answer.output,
    lines_captured: answer.output === "" ? 0 : answer.output.split("\n").length,
    cursor_position: answer.cursor,
    has_more: answer.hasMore,
  };
}

async function newSince(
  { world, spec }: Work,
  pane: WorkspacePane,
  { lines }: Params,
  position: string,
): Promise<Answer> {
  const { text, cursor, hasMore } = await newOutput(world, spec.host, pane, position, lines);
  return { output: trimmed(text), cursor, hasMore };
}

// Screen and journal are read separately: if the pane prints in between, read again. After the last try use the earlier
// cursor, because a repeated line is better than a lost one.
async function shown(work: Work, pane: WorkspacePane, { lines, all, since }: Params): Promise<Answer> {
  const { workspaces, spec } = work;
  const maxLines = all ? spec.historyLimit + pane.rows : since ? pane.rows : lines;
  for (let tries = 1; ; tries++) {
    const before = await endOf(work, pane);
    const captured = await workspaces.lines(spec, pane, maxLines);
    if (tries < maxTries && before !== (await endOf(work, pane))) continue;
    return { output: captured.lines.join("\n"), cursor: before, hasMore: !all && captured.truncated };
  }
}

const maxTries = 4;

async function endOf({ world, spec }: Work, pane: WorkspacePane): Promise<string> {
  return keptCursor(await world.terminals.cursorBeforeEnd(spec.host, pane.journal, 0));
}

function trimmed(text: string): string {
  return text.replace(/^\n+/, "").trimEnd();
}
