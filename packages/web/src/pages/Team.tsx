import type { Output } from "@paneward/sdk";
import { askedWords } from "@paneward/sdk/view";
import { useEffect, useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { onEvent } from "../state/live.ts";
import { linkTo } from "../state/route.ts";
import { clockOf } from "../ui/clock.ts";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";

const columns = ["pending", "blocked", "in_progress", "completed", "failed", "canceled"] as const;

/** Threads, the board with its leases, and the workers. */
export function Team() {
  const news = useTeamNews();
  const found = useAnswer(
    async (signal) => ({
      ...(await client.threads({}, { signal })),
      ...(await client.team_tasks({}, { signal })),
      ...(await client.team_workers({}, { signal })),
    }),
    [news],
  );
  return (
    <main class="page team">
      <h1>Team</h1>
      <Loaded of={found}>
        {({ threads, tasks, workers }) => (
          <>
            {threads.length + tasks.length + workers.length === 0 && <NoTeams />}
            <Board tasks={tasks} />
            <section>
              <h2>Workers</h2>
              <ul class="rows">
                {workers.length === 0 && <li class="quiet">No workers.</li>}
                {workers.map((worker) => (
                  <li key={worker.session}>
                    <a href={linkTo("terminal", worker.terminal)}>{worker.session}</a>
                    <span class="receipt queued">{worker.state}</span>
                    <span class="text">{worker.question ? askedWords(worker.question) : worker.cwd}</span>
                    <span class="quiet">{`for ${worker.leader}`}</span>
                  </li>
                ))}
              </ul>
            </section>
            <section>
              <h2>Threads</h2>
              <ul class="rows">
                {threads.length === 0 && <li class="quiet">No threads.</li>}
                {threads.map((thread) => (
                  <li key={thread.id}>
                    <a href={linkTo("thread", thread.id)}>{thread.title}</a>
                    <span class="text quiet">{thread.participants.join(", ")}</span>
                    <span class="quiet">{`${thread.messages} ${thread.messages === 1 ? "message" : "messages"}`}</span>
                  </li>
                ))}
              </ul>
            </section>
          </>
        )}
      </Loaded>
    </main>
  );
}

function NoTeams() {
  return (
    <p class="quiet">
      Agents in pi share a board and talk in threads. <code>paneward team serve</code> opens a team.
    </p>
  );
}

function Board({ tasks }: { readonly tasks: Output<"team_tasks">["tasks"] }) {
  const used = columns.filter((status) => tasks.some((task) => task.status === status));
  return (
    <section>
      <h2>Board</h2>
      {used.length === 0 && <p class="quiet">No team tasks.</p>}
      <div class="board">
        {used.map((status) => (
          <div key={status} class="column">
            <h3>{status.replace("_", " ")}</h3>
            {tasks
              .filter((task) => task.status === status)
              .map((task) => (
                <article key={task.id} class="entry">
                  <strong class="text">{task.title}</strong>
                  <p class="quiet">{task.resources.join(" ")}</p>
                  {task.lease && (
                    <p class="quiet">{`${task.lease.holder} until ${clockOf(Date.parse(task.lease.expiresAt))}`}</p>
                  )}
                </article>
              ))}
          </div>
        ))}
      </div>
    </section>
  );
}

/** Counts team events, so that the page's data is loaded again. */
export function useTeamNews(): number {
  const [count, setCount] = useState(0);
  useEffect(
    () =>
      onEvent(({ type }) => {
        if (/^(thread|team)_|^gap$/.test(type)) setCount((before) => before + 1);
      }),
    [],
  );
  return count;
}
