import { apply, type Lists, snapshot, type View, withConnection, withStale } from "@paneward/sdk/view";
import type { Outside } from "./outside.ts";

export interface Following {
  /** Looks at the daemon's lists again if the view says that they are old. */
  refresh(): void;
  readonly ended: Promise<void>;
}

/** Keeps the view as the daemon is: lists once, then events, and lists again when events do not tell enough. */
export function followDaemon(
  { client, running }: Pick<Outside, "client" | "running">,
  view: () => View,
  change: (next: View) => void,
  signal: AbortSignal,
): Following {
  let asking = false;
  let timer: NodeJS.Timeout | undefined;
  const ask = async (from: typeof client, lines: (lists: Lists) => Promise<Lists>) => {
    asking = true;
    try {
      const lists = await lines(await listsOf(from, signal));
      // As it is now: much may have happened while the daemon answered.
      change(snapshot(view(), lists));
    } finally {
      asking = false;
    }
  };
  const refresh = () => {
    const { stale, connection } = view();
    if (!stale || asking || signal.aborted || connection.kind === "lost") return;
    clearTimeout(timer);
    const again = () =>
      void ask(running, (lists) => withLastLines(running, lists, signal)).then(refresh, () => {
        // While the daemon is away the connection says so; afterwards it is asked again.
        if (!signal.aborted) timer = setTimeout(refresh, retryMs);
      });
    timer = setTimeout(again, stale.when === "now" ? 0 : soonMs);
  };
  const onConnection = (connected: boolean, reason = "") => {
    const { connection } = view();
    const since = connection.kind === "lost" ? connection.since : Date.now();
    change(withConnection(view(), connected ? { kind: "connected" } : { kind: "lost", reason, since }));
    refresh();
  };
  const follow = async () => {
    // The first frame does not wait for what everybody printed last.
    await ask(client, async (lists) => lists);
    change(withStale(withConnection(view(), { kind: "connected" }), "soon", "last lines"));
    refresh();
    for await (const event of running.follow({ after: view().lastEvent, signal, onConnection })) {
      change(apply(view(), event));
      refresh();
    }
  };
  signal.addEventListener("abort", () => clearTimeout(timer));
  return {
    refresh,
    ended: follow().catch((error: unknown) => {
      if (!signal.aborted) throw error;
    }),
  };
}

const soonMs = 1_500;
const retryMs = 500;

/** The list first: agents and questions must not be older than it. */
async function listsOf(client: Outside["client"], signal: AbortSignal): Promise<Lists> {
  const ps = await client.ps({ all: "true" }, { signal });
  const [{ agents }, { questions }] = await Promise.all([
    client.agents({}, { signal }),
    client.questions({}, { signal }),
  ]);
  return { ...ps, agents, questions };
}

async function withLastLines(client: Outside["client"], lists: Lists, signal: AbortSignal): Promise<Lists> {
  const { terminals } = await client.activity({}, { signal });
  const last = new Map(terminals.map((one) => [one.id, one.last]));
  const lineOf = (terminal: string | undefined) => ({ lastLine: last.get(terminal ?? "") ?? "" });
  return {
    ...lists,
    tasks: lists.tasks.map((task) => ({ ...task, ...lineOf(task.terminal) })),
    terminals: lists.terminals.map((terminal) => ({ ...terminal, ...lineOf(terminal.id) })),
  };
}
