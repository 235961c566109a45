import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorFromBody } from "@paneward/sdk";
import type { Random } from "../../../../tmux/test/support/random.ts";
import { ask, json } from "../../http/support/ask.ts";
import type { TestDaemon } from "../../support/daemon.ts";
import type { TestRepository } from "../../support/repository.ts";

/** What clients, agents and programs do while a disk is full, and what of it must not be lost. */
export interface DiskWork {
  readonly names: readonly string[];
  run(name: string): Promise<unknown>;
  /** Terminals that must go on running, whatever happens. */
  readonly lasting: readonly string[];
  /** How programs that were started will have ended, by terminal. */
  readonly ends: Map<string, number>;
  /** Files that were written in worktrees and are nowhere now: not in their worktree, on a branch, or rescued. */
  lostFiles(): readonly string[];
}

export async function diskWork(
  daemon: TestDaemon,
  repository: TestRepository,
  { below, pick }: Random,
): Promise<DiskWork> {
  const { client, env, folder } = daemon;
  const { root } = repository;
  const gates = join(folder, "gates");
  mkdirSync(gates);
  const lasting: string[] = [];
  const tasks: number[] = [];
  const ends = new Map<string, number>();
  const files = new Map<string, string>();
  let count = 0;

  const talks = ["sh", "-c", 'while read line; do echo "got $line"; done'];
  const prints = ["sh", "-c", 'while :; do echo "line of some length for its journal"; sleep 0.02; done'];
  for (const argv of [talks, talks, prints]) lasting.push((await client.run({ argv })).id);
  const newTask = async () => {
    tasks.push((await client.new({ root, text: `Task ${++count}`, agent: "shell" })).id);
  };
  for (let made = 0; made < 3; made++) await newTask();

  const task = () => String(pick(tasks));
  const gitIn = (path: string, ...args: readonly string[]) =>
    execFileSync("git", ["-C", path, ...args], { env, stdio: "pipe", encoding: "utf8" });
  /** Tasks whose worktrees are about to go: nobody else writes there then. */
  const leaving = new Map<string, number>();
  const whileLeaving = async (ids: readonly string[], work: () => Promise<unknown>) => {
    for (const id of ids) leaving.set(id, (leaving.get(id) ?? 0) + 1);
    try {
      await work();
    } finally {
      for (const id of ids) leaving.set(id, (leaving.get(id) ?? 0) - 1);
    }
  };
  /** As an agent does it; on a full disk it may get nowhere. */
  const writeIn = async (id: string, commits: boolean) => {
    const { path } = await client.path({ id });
    if ((leaving.get(id) ?? 0) > 0) return;
    const name = `file-${++count}`;
    try {
      writeFileSync(join(path, name), `${name} ${"x".repeat(below(9_000))}`);
      files.set(name, path);
      if (!commits) return;
      gitIn(path, "add", "-A");
      gitIn(path, "commit", "--quiet", "-m", name);
    } catch {
      // What counts is what was written.
    }
  };
  const hook = async (name: string) => {
    const said = {
      session_id: `s${below(3)}`,
      hook_event_name: name,
      tool_name: "Bash",
      tool_input: { command: "ls" },
    };
    const { status, text } = await ask(env.PANEWARD_SOCKET_PATH ?? "", json("POST", `/hook/${name}`, said));
    if (status >= 500) throw errorFromBody(JSON.parse(text), status);
  };

  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    async run() {
      const [code, gate] = [below(100), join(gates, String(++count))];
      const argv = ["sh", "-c", `until test -e ${gate}; do sleep 0.05; done; exit ${code}`];
      const { id } = await client.run({ argv });
      ends.set(id, code);
      setTimeout(() => writeFileSync(gate, ""), below(2_000));
    },
    new: newTask,
    send: () => client.send({ id: pick(lasting.slice(0, 2)), text: `hello ${++count}` }),
    respond: () => client.respond({ id: pick(lasting), text: "yes" }),
    hook: () => hook(pick(["session-start", "user-prompt-submit", "stop", "permission-request"])),
    write: () => writeIn(task(), below(2) === 0),
    async merge() {
      const id = task();
      await writeIn(id, true);
      await client.merge({ id });
    },
    async reset() {
      const id = task();
      await whileLeaving([id], () => client.reset({ id }));
    },
    undo: () => whileLeaving(tasks.map(String), () => client.undo({})),
    async rm() {
      const id = pick(tasks);
      await whileLeaving([String(id)], () => client.rm({ id: String(id) }));
      if (tasks.length > 1) tasks.splice(tasks.indexOf(id), 1);
      else await newTask();
    },
    start: () => client.start({ id: task() }),
    diff: () => client.diff({ id: task() }),
    read: () => client.read({ id: pick(lasting) }),
    token: () => client.token_create({ scope: "read", name: "x" }),
    complete: () => client.complete({ id: task() }),
    team: () => client.team_open({ team: `team${below(3)}`, root }),
    doctor: () => client.doctor({}),
  };
  return {
    names: Object.keys(acts),
    run: (name) => acts[name]?.() ?? Promise.reject(new Error(name)),
    lasting,
    ends,
    lostFiles() {
      const committed = gitIn(root, "log", "--all", "-m", "--name-only", "--format=").split("\n");
      return [...files].flatMap(([name, path]) =>
        existsSync(join(path, name)) || committed.includes(name) ? [] : [`${name} of ${path}`],
      );
    },
  };
}
