import type { Task } from "@paneward/sdk";
import { defaultConfig } from "@paneward/sdk/config";
import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { codingAgents } from "../agents/registry.ts";
import { idOrNumber, wrongInput } from "./input.ts";
import { aliveAndRecent, isAlive, TaskSummary, taskSummary } from "./summaries.ts";
import { callOf, type Tool, tool } from "./tool.ts";

const { new: create, merge } = operations;
const newTask = { text: "Fix the login test", root: "/home/me/app", agent: defaultConfig.agent };

const start = tool({
  name: "task_start",
  operations: ["new", "start"],
  kind: "starts",
  description:
    "Give a coding agent work in its own git branch and worktree: text and root. Or start a draft or stopped task again: id.",
  input: z.object({
    text: create.input.shape.text.optional().describe("What the agent should do; it knows nothing else"),
    root: create.input.shape.root.optional().describe("Folder of the repository"),
    agent: create.input.shape.agent.describe(`${codingAgents.join(", ")} or a configured one`),
    base: create.input.shape.base.describe("Branch to start from"),
    draft: create.input.shape.draft.describe("Create without starting"),
    id: idOrNumber(operations.start.input.shape.id).optional().describe("An existing task, instead of a text"),
  }),
  output: TaskSummary,
  example: newTask,
  async run({ text, root: named, agent, base, draft, id }, { client, folder, signal }) {
    const root = named ?? folder;
    if (id !== undefined) return started(await client.start({ id }, { signal }));
    if (text === undefined) throw wrongInput("task_start", "text is missing: what the agent should do", newTask);
    if (root === undefined) throw wrongInput("task_start", "root is missing: the repository's folder", newTask);
    return started(await client.new({ root, text, draft, agent, base }, { signal }));
  },
});

const list = tool({
  name: "task_list",
  operations: ["ps"],
  kind: "looks",
  description: "Tasks with status, why, branch and worktree.",
  input: z.object({ all: z.boolean().default(false).describe("Include completed and long ended ones") }),
  output: z.object({ tasks: z.array(z.looseObject({ id: z.string(), status: z.string() })) }),
  example: { all: true },
  async run({ all }, { client, signal }) {
    const { tasks } = await client.ps({ all }, { signal });
    const listed = aliveAndRecent(tasks, all ? tasks.length : maxEnded);
    const [first] = listed;
    return {
      data: { tasks: listed.map(taskSummary) },
      text: listed.length === 0 ? "No tasks." : listed.map(lineOf).join("\n"),
      next: first ? nextFor(first) : callOf("task_start", newTask),
    };
  },
});

const merging = tool({
  name: "task_merge",
  operations: ["merge"],
  kind: "ends",
  description: "Rebase the task's branch onto its base and fast-forward the base. Only after the work was reviewed.",
  input: merge.input.extend({
    id: idOrNumber(merge.input.shape.id).describe("Task id or slug"),
    base: merge.input.shape.base.describe("A branch other than the task's base"),
  }),
  output: merge.output,
  example: { id: "1" },
  async run({ id, base }, { client, signal }) {
    const answer = await client.merge({ id, base }, { signal });
    const commits = `${answer.commits} commit${answer.commits === 1 ? "" : "s"}`;
    return {
      data: answer,
      text: `${commits} merged into ${answer.base}, now at ${answer.head}.`,
      next: callOf("task_list", {}),
    };
  },
});

export const taskTools: readonly Tool[] = [start, list, merging];

const maxEnded = 20;

function started(task: Task) {
  return { data: taskSummary(task), text: `Task ${lineOf(task)}; worktree ${task.worktree}.`, next: nextFor(task) };
}

function lineOf({ id, slug, status, why, branch }: Task): string {
  return `${id} ${slug}: ${status}, ${why.rule}; branch ${branch}`;
}

function nextFor({ id, status }: Task): string {
  if (status === "Draft") return callOf("task_start", { id: String(id) });
  if (!isAlive(status)) return callOf("terminal_read", { id: String(id), lines: 50 });
  return callOf("terminal_wait", { ids: [String(id)], for: [{ kind: "exited" }, { kind: "needs_input" }] });
}
