import { PanewardError, type Scope } from "@paneward/sdk";
import type { Agent } from "../../agents/agent.ts";
import { endsInEscape, piecesOf } from "../../model/courier/key-kinds.ts";
import { inItsShell, keyNeedsApproval, submitsCommand } from "../../model/courier/needs-approval.ts";
import type { Sight } from "../../model/courier/submission.ts";
import { lineDrawnMs } from "../../model/timing.ts";
import { seenBefore } from "./press-keys.ts";
import { mayApprove, requireApproval } from "./require-approval.ts";
import type { PaneWriter } from "./typist.ts";

export interface LiveKeys {
  readonly bytes: string;
  readonly scope: Scope;
  readonly agent: Agent | undefined;
  look(): Promise<Sight>;
}

/** Types what a live view sent. Who may not approve gets a look before each piece in an agent's pane. */
export async function typeLive({ bytes, scope, agent, look }: LiveKeys, writer: PaneWriter): Promise<void> {
  if (mayApprove(scope) || !agent || agent.isShell) return writer.raw(bytes);
  const pieces = piecesOf(bytes, agent.modeKeys);
  if (pieces.length > maxPieces) {
    throw new PanewardError("bad_input", "these are several lines or keys at once; nothing was typed", {
      hint: "type one line at a time, or send them as one text: `paneward send ID TEXT`",
    });
  }
  const shell = agent.deliver?.shell;
  for (const [at, piece] of pieces.entries()) {
    const seen = await seenBefore(scope, { ...piece, shell }, writer, look);
    if (at === 0 && submitsCommand(pieces, seen.draft ?? "", shell)) requireApproval(scope, inItsShell);
    requireApproval(scope, keyNeedsApproval(seen, piece, shell), at === 0 ? "" : "what came before it was typed");
    await writer.raw(piece.bytes);
  }
  if (endsInEscape(bytes)) await writer.pause(lineDrawnMs);
}

/** A text, Enter and what was typed behind it while the view was slow; each further one holds the pane longer. */
const maxPieces = 8;
