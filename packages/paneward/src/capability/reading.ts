import type { capabilityActions, ParametersOf } from "@paneward/sdk";
import { newOutput } from "../runtime/output/workspace-output.ts";
import type { WorkspacePane } from "../runtime/ports.ts";
import { paneAt, readerOf, type Work } from "./work.ts";

type Params = ParametersOf<(typeof capabilityActions)["read"]>;

interface Answer {
  readonly output: string;
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** What a pane shows, or what is new in it. Every read moves the caller's position to the end of what it got. */
export async function read(work: Work, params: Params): Promise<object> {
  const { store } = work.world;
  const pane = await paneAt(work, params.pane);
  const position = params.since && !params.all ? store.workspaces.position(pane.journal, readerOf(work)) : undefined;
  const answer = position === undefined ? await shown(work, pane, params) : await fresh(work, pane, params, position);
  store.workspaces.putPosition(pane.journal, readerOf(work), answer.cursor);
  return {
    pane: pane.address,
    output: answer.output,
    lines_captured: answer.output === "" ? 0 : answer.output.split("\n").length,
    cursor_position: answer.cursor,
    has_more: answer.hasMore,
  };
}

async function fresh({ world, spec }: Work, pane: WorkspacePane, { lines }: Params, position: string): Promise<Answer> {
  const { text, cursor, hasMore } = await newOutput(world, spec.host, pane, position, lines);
  return { output: trimmed(text), cursor, hasMore };
}

// Screen and journal are read by different programs: a pane that prints meanwhile is looked at again, and in the end
// the earlier cursor counts, because a line that comes twice is better than one that never comes.
async function shown(work: Work, pane: WorkspacePane, { lines, all, since }: Params): Promise<Answer> {
  const { workspaces, spec } = work;
  const most = all ? spec.historyLimit + pane.rows : since ? pane.rows : lines;
  for (let tries = 1; ; tries++) {
    const before = await endOf(work, pane);
    const captured = await workspaces.lines(spec, pane, most);
    if (tries < mostTries && before !== (await endOf(work, pane))) continue;
    return { output: captured.lines.join("\n"), cursor: before, hasMore: !all && captured.truncated };
  }
}

const mostTries = 4;

async function endOf({ world, spec }: Work, pane: WorkspacePane): Promise<string> {
  return (await world.terminals.cursorBeforeEnd(spec.host, pane.journal, 0)) ?? "";
}

function trimmed(text: string): string {
  return text.replace(/^\n+|\s+$/g, "");
}
