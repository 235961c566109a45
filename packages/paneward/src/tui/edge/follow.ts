import type { Output } from "@paneward/sdk";
import { apply, type Lists, snapshot, type View, withConnection, withStale } from "@paneward/sdk/view";
import type { TuiContext } from "./context.ts";

export interface Following {
  /** Fetches the lists again if the view is stale. */
  refresh(): void;
  readonly ended: Promise<void>;
}

/** Keeps the view in sync with the daemon: lists once, then events, and lists again when events are not enough. */
export function followDaemon(
  { client, running, firstList }: Pick<TuiContext, "client" | "running" | "firstList">,
  view: () => View,
  change: (next: View) => void,
  signal: AbortSignal,
): Following {
  let loading = false;
  let timer: NodeJS.Timeout | undefined;
  const ask = async (from: typeof client, ps: typeof firstList, lines: (lists: Lists) => Promise<Lists>) => {
    loading = true;
    try {
      const lists = await lines(await listsOf(from, await ps, signal));
      // Read the view only now: events may have arrived during the request.
      change(snapshot(view(), lists));
    } finally {
      loading = false;
    }
  };
  const refresh = () => {
    const { stale, connection } = view();
    if (!stale || loading || signal.aborted || connection.kind === "lost") return;
    clearTimeout(timer);
    const again = () =>
      void ask(running, running.ps({ all: "true" }, { signal }), (lists) => withLastLines(running, lists, signal)).then(
        refresh,
        () => {
          // A lost connection is shown elsewhere; retry once it is back.
          if (!signal.aborted) timer = setTimeout(refresh, retryMs);
        },
      );
    timer = setTimeout(again, stale.when === "now" ? 0 : soonMs);
  };
  const onConnection = (connected: boolean, reason = "") => {
    const { connection } = view();
    const since = connection.kind === "lost" ? connection.since : Date.now();
    change(withConnection(view(), connected ? { kind: "connected" } : { kind: "lost", reason, since }));
    refresh();
  };
  const follow = async () => {
    // The first frame does not wait for the last lines.
    await ask(client, firstList, async (lists) => lists);
    change(withStale(withConnection(view(), { kind: "connected" }), "soon", "last lines"));
    refresh();
    // The first stream loads Node's HTTP client, a tenth of the time until something is seen: the first frame is drawn before.
    await new Promise((resolve) => setTimeout(resolve));
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

/** Agents and questions must not be older than the list. */
async function listsOf(client: TuiContext["client"], ps: Output<"ps">, signal: AbortSignal): Promise<Lists> {
  const [{ agents }, { questions }] = await Promise.all([
    client.agents({}, { signal }),
    client.questions({}, { signal }),
  ]);
  return { ...ps, agents, questions };
}

async function withLastLines(client: TuiContext["client"], lists: Lists, signal: AbortSignal): Promise<Lists> {
  const { terminals } = await client.activity({}, { signal });
  const last = new Map(terminals.map((one) => [one.id, one.last]));
  const lineOf = (terminal: string | undefined) => ({ lastLine: last.get(terminal ?? "") ?? "" });
  return {
    ...lists,
    tasks: lists.tasks.map((task) => ({ ...task, ...lineOf(task.terminal) })),
    terminals: lists.terminals.map((terminal) => ({ ...terminal, ...lineOf(terminal.id) })),
  };
}
