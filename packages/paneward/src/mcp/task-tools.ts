import type { Task } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { orNumber, wrongInput } from "./input.ts";
import { isAlive, TaskShown, taskShown, worthListing } from "./shown.ts";
import { callOf, type Tool, tool } from "./tool.ts";

const { new: create, merge } = operations;
const newTask = { text: "Fix the login test", root: "/home/me/app", agent: "claude" };

const start = tool({
  name: "task_start",
  operations: ["new", "start"],
  kind: "starts",
  description:
    "Give a coding agent a piece of work in a git branch and worktree of its own: text and root. Or start a draft or stopped task again: id.",
  input: z.object({
    text: create.input.shape.text.optional().describe("What the agent shall do; it knows nothing else"),
    root: create.input.shape.root.optional().describe("Folder of the repository"),
    agent: create.input.shape.agent.describe("claude, codex, gemini, opencode, pi or a configured one"),
    base: create.input.shape.base.describe("Branch to begin from"),
    draft: create.input.shape.draft.describe("Only write it down"),
    id: orNumber(operations.start.input.shape.id).optional().describe("A task that exists, instead of a text"),
  }),
  output: TaskShown,
  example: newTask,
  async run({ text, root: named, agent, base, draft, id }, { client, folder, signal }) {
    const root = named ?? folder;
    if (id !== undefined) return started(await client.start({ id }, { signal }));
    if (text === undefined) throw wrongInput("task_start", "text: what the agent shall do is missing", newTask);
    if (root === undefined) throw wrongInput("task_start", "root: the repository's folder is missing", newTask);
    const wishes = { ...(agent === undefined ? {} : { agent }), ...(base === undefined ? {} : { base }) };
    return started(await client.new({ root, text, draft, ...wishes }, { signal }));
  },
});

const list = tool({
  name: "task_list",
  operations: ["ps"],
  kind: "looks",
  description: "Tasks with status, why, branch, worktree and amount of work.",
  input: z.object({ all: z.boolean().default(false).describe("Also completed ones and those that ended long ago") }),
  output: z.object({ tasks: z.array(z.looseObject({ id: z.string(), status: z.string() })) }),
  example: { all: true },
  async run({ all }, { client, signal }) {
    const { tasks } = await client.ps(all ? { all: "true" } : {}, { signal });
    const listed = worthListing(tasks, all ? tasks.length : lastEnded);
    const [first] = listed;
    return {
      data: { tasks: listed.map(taskShown) },
      text: listed.length === 0 ? "There are no tasks." : listed.map(lineOf).join("\n"),
      next: first ? nextFor(first) : callOf("task_start", newTask),
    };
  },
});

const merging = tool({
  name: "task_merge",
  operations: ["merge"],
  kind: "ends",
  description: "Rebase the task's branch onto its base and fast-forward the base. Only when the work was looked at.",
  input: merge.input.extend({
    id: orNumber(merge.input.shape.id).describe("Task id or slug"),
    base: merge.input.shape.base.describe("Another branch than the task's base"),
  }),
  output: merge.output,
  example: { id: "1" },
  async run({ id, base }, { client, signal }) {
    const answer = await client.merge({ id, ...(base === undefined ? {} : { base }) }, { signal });
    const commits = `${answer.commits} commit${answer.commits === 1 ? "" : "s"}`;
    return {
      data: answer,
      text: `${commits} merged into ${answer.base}, now at ${answer.head}.`,
      next: callOf("task_list", {}),
    };
  },
});

export const taskTools: readonly Tool[] = [start, list, merging];

const lastEnded = 20;

function started(task: Task) {
  return { data: taskShown(task), text: `Task ${lineOf(task)}; worktree ${task.worktree}.`, next: nextFor(task) };
}

function lineOf({ id, slug, status, why, branch }: Task): string {
  return `${id} ${slug}: ${status}, ${why.rule}; branch ${branch}`;
}

function nextFor({ id, status }: Task): string {
  if (status === "Draft") return callOf("task_start", { id: String(id) });
  if (!isAlive(status)) return callOf("terminal_read", { id: String(id), lines: 50 });
  return callOf("terminal_wait", { ids: [String(id)], for: [{ kind: "exited" }, { kind: "needs_input" }] });
}
