import { WebSocket } from "ws";
import type { Cleanup } from "../../support/folder.ts";

/** A live view of a terminal, as the dashboard opens it. */
export interface LiveView {
  type(data: string): void;
  /** How much of what was typed has been refused so far. */
  refused(): number;
}

export async function liveView(
  t: Cleanup,
  { port, id, authorization }: { readonly port: number; readonly id: string; readonly authorization: string },
): Promise<LiveView> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/terminals/${id}/stream`, { headers: { authorization } });
  t.after(() => socket.terminate());
  let refused = 0;
  socket.on("message", (data, isBinary) => {
    if (!isBinary && String(data).includes('"refused"')) refused += 1;
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return { type: (data) => socket.send(JSON.stringify({ type: "input", data })), refused: () => refused };
}
