import { TmuxError } from "./protocol/errors.ts";
import type { PaneId } from "./protocol/names.ts";
import { type PictureFacts, paintingOf, parsePictureFacts, pictureFormat } from "./protocol/painting.ts";
import type { Server } from "./server.ts";

export interface Picture extends Pick<PictureFacts, "columns" | "rows"> {
  /** Draws the screen and the lines above it in an empty terminal of this size. */
  readonly text: string;
}

/** What a pane shows, as tmux rendered it, with colours, cursor and modes, and some lines of its history. */
export async function pictureOf(server: Server, pane: PaneId, above: number): Promise<Picture> {
  // A sealed answer covers one command only; output printed in between is drawn by the bytes that follow the picture.
  const [[facts = ""], lines] = await Promise.all([
    server.run([["display-message", "-p", "-t", pane, pictureFormat]], { readOnly: true }),
    server.run([["capture-pane", "-p", "-e", "-t", pane, "-S", `-${above}`]], { readOnly: true, untrusted: true }),
  ]);
  const parsed = parsePictureFacts(facts);
  if (parsed.pane !== pane) throw new TmuxError("pane_not_found", `can't find pane: ${pane}`);
  return { columns: parsed.columns, rows: parsed.rows, text: paintingOf(parsed, lines) };
}
