import { type Listening, listeningOf, unknownListening } from "./protocol/listening.ts";
import type { Server } from "./server.ts";

/** How the terminal takes input whose pane has this process. Never throws: what cannot be seen is unknown. */
export async function listeningTo({ files }: Pick<Server, "files">, pid: number): Promise<Listening> {
  try {
    return listeningOf(await files.terminal(pid));
  } catch {
    return unknownListening;
  }
}
