import type { Config } from "@paneward/sdk";
import type { ConfigInForce } from "../../src/runtime/ports.ts";
import type { TaskDeps } from "../../src/runtime/tasks/resume.ts";
import { createTask, startTask } from "../../src/runtime/tasks/tasks.ts";
import { Supervisor } from "../../src/runtime/terminals/supervisor.ts";
import type { Cleanup } from "./folder.ts";
import { MemoryWorktrees } from "./memory-worktrees.ts";
import { memoryWorld } from "./memory-world.ts";

/** What tasks need, in memory, with an agent `mine` that takes its prompt as last argument. */
export async function memoryTasks(
  t: Cleanup,
  config: Partial<Config> = {},
  project: Partial<ConfigInForce["project"]> = {},
) {
  const agents = { mine: { cmd: ["mine", "--go"] }, ...config.agents };
  const world = await memoryWorld(t, { config: { agent: "mine", ...config, agents }, project });
  const worktrees = new MemoryWorktrees();
  const supervisor = new Supervisor(world.deps);
  const servers = { again: async <Record>(record: Record) => record, addressOf: () => undefined };
  const deps = { ...world.deps, worktrees: worktrees.port, supervisor, servers } as unknown as TaskDeps;
  const made = (
    text = "Fix the login",
    more: { readonly root?: string; readonly agent?: string; readonly base?: string } = {},
  ) => createTask(deps, { root: "/repo/inside", text, draft: false, ...more });
  const started = async (text?: string, more?: { readonly root?: string; readonly agent?: string }) =>
    startTask(deps, await made(text, more));
  return { ...world, deps, worktrees, supervisor, made, started };
}
