import type { PaneId, SessionId } from "./protocol/names.ts";
import type { Server } from "./server.ts";

/** A terminal in which a person is attached. */
export interface ClientRow {
  readonly client: string;
  readonly session: SessionId;
  /** The pane that is active in the window that it shows. */
  readonly pane: PaneId;
  /** When something was typed in it last. */
  readonly usedSeconds: number;
  /** Its window has the focus, as far as its terminal reports that. */
  readonly focused: boolean;
}

const format = "#{client_control_mode}\t#{session_id}\t#{pane_id}\t#{client_activity}\t#{client_flags}\t#{client_name}";

/** The clients of people; control clients are programs. */
export async function listClients(server: Server): Promise<readonly ClientRow[]> {
  const lines = await server.run([["list-clients", "-F", format]], { readOnly: true });
  return lines.flatMap((line) => {
    const [control, session, pane, used, flags = "", ...client] = line.split("\t");
    if (control !== "0") return [];
    return [
      {
        client: client.join("\t"),
        session: session as SessionId,
        pane: pane as PaneId,
        usedSeconds: Number(used),
        focused: flags.split(",").includes("focused"),
      },
    ];
  });
}
