import type { FollowedEvent } from "@paneward/sdk";
import type { Call } from "./command.ts";

/** Shows the progress of a task's worktree while `work` prepares it. Without an id: of the task that `work` creates. */
export async function withTaskProgress<Result>(
  { connection, progress, client }: Call,
  id: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!progress.isShown) return work();
  // `ping` starts the daemon if needed; `follow` would only wait for it.
  const { lastEvent } = await client.ping({});
  const stop = new AbortController();
  const following = (async () => {
    const created = new Set<number>();
    for await (const event of connection.running.follow({ after: lastEvent, types, signal: stop.signal })) {
      if (event.type === "task_created") created.add(event.data.task);
      if (event.type === "task_progress" && isOfTask(event, id, created)) progress.say(textOf(event));
    }
  })();
  try {
    return await work();
  } finally {
    stop.abort();
    await following.catch(() => {});
  }
}

const types = ["task_created", "task_progress"] as const;

type TaskProgress = Extract<FollowedEvent, { readonly type: "task_progress" }>;

function isOfTask({ data }: TaskProgress, id: string | undefined, created: ReadonlySet<number>): boolean {
  return id === undefined ? created.has(data.task) : id === String(data.task) || id === data.slug;
}

function textOf({ data }: TaskProgress): string {
  return data.text === "" ? data.stage : `${data.stage}: ${data.text}`;
}
