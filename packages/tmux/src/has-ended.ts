import { endsItself } from "./protocol/wrapper.ts";
import type { Server } from "./server.ts";

/**
 * Whether the program of this wrapper has really ended. An exit mark is only printed text; the wrapper's process is not
 * (docs/decisions/0002). False when the host cannot be asked: tmux reports the end a moment later.
 */
export async function hasEnded({ files }: Pick<Server, "files">, pid: number): Promise<boolean> {
  try {
    return endsItself(await files.processStatus(pid));
  } catch {
    return false;
  }
}
