import type { Lease, TeamTask } from "@paneward/sdk";
import { Type } from "typebox";
import type { PiTool } from "../pi/api.ts";
import type { TeamContext } from "./context.ts";
import { tool } from "./tool.ts";

const taskId = Type.String({ description: "such as task-0001" });
const epoch = Type.Integer({ description: "epoch of the lease returned by the claim" });
const ttlMs = Type.Optional(Type.Integer({ minimum: 1_000, description: "duration of the lease; default 5 minutes" }));
type Leased = { readonly task: TeamTask; readonly lease: Lease };

/** The team's board. */
export function taskTools({ teamd, leases }: TeamContext): readonly PiTool[] {
  return [
    tool(
      "team_tasks_create",
      "Put a task on the team's board. Resources are paths that only its holder may write.",
      {
        title: Type.String({ minLength: 1 }),
        description: Type.Optional(Type.String()),
        deps: Type.Optional(Type.Array(Type.String(), { description: "tasks that must be completed first" })),
        resources: Type.Optional(Type.Array(Type.String(), { description: "such as src/parser/ or docs/a.md" })),
      },
      (params, { id }) => teamd.post<{ task: TeamTask }>("/v1/tasks", params, { key: id }),
    ),
    tool(
      "team_tasks_claim",
      "Take a task. You need its lease to write its resources; it is renewed automatically while you work.",
      { taskId, ttlMs },
      async ({ taskId: task, ...rest }, { id }) => {
        const answer = await teamd.post<Leased>(`/v1/tasks/${encodeURIComponent(task)}/claim`, rest, { key: id });
        leases.held(task, answer.lease);
        return answer;
      },
    ),
    tool("team_tasks_renew", "Extend a lease.", { taskId, epoch, ttlMs }, async ({ taskId: task, ...rest }, { id }) => {
      const answer = await teamd.post<Leased>(`/v1/tasks/${encodeURIComponent(task)}/renew`, rest, { key: id });
      leases.held(task, answer.lease);
      return answer;
    }),
    ...(["complete", "fail"] as const).map((end) =>
      tool(
        `team_tasks_${end}`,
        `Mark a task you hold as ${end === "fail" ? "failed" : "completed"}; its lease ends.`,
        { taskId, epoch },
        async (params, { id }) => {
          const { taskId: task, epoch: held } = params;
          const path = `/v1/tasks/${encodeURIComponent(task)}/${end}`;
          const answer = await teamd.post<{ task: TeamTask }>(path, { epoch: held }, { key: id });
          leases.gone(task);
          return answer;
        },
      ),
    ),
    tool("team_tasks_list", "The board: tasks with status, owner, lease and resources.", {}, () =>
      teamd.get("/v1/tasks"),
    ),
  ];
}
