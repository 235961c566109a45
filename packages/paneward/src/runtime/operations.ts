import { type EventType, eventTypes, PanewardError, parseSessionName } from "@paneward/sdk";
import type { TaskRecord } from "../model/records.ts";
import { Courier } from "./courier.ts";
import { doctor } from "./doctor.ts";
import { explain } from "./explain.ts";
import type { Handlers } from "./handlers.ts";
import { read } from "./reader.ts";
import { resolve, resolveTask, resolveTerminal } from "./resolve.ts";
import type { Caller, Runtime } from "./runtime.ts";
import type { Supervisor } from "./supervisor.ts";
import { bootstrapTask, createTask, environmentOf, removeTask, resetTask, startTask, undoLast } from "./tasks.ts";
import { createToken } from "./tokens.ts";
import { taskView, terminalView } from "./views.ts";
import { wait } from "./waits.ts";
import { WorkAmounts } from "./work-amounts.ts";

/** The functions behind the operation table. */
export function createHandlers(rt: Runtime, supervisor: Supervisor): Handlers {
  const courier = new Courier(rt);
  const amounts = new WorkAmounts(rt);
  const task = (record: TaskRecord) => taskView(rt, record, amounts.known(record.id));
  return {
    ping: async () => ({
      pong: true,
      version: rt.version,
      pid: process.pid,
      startedAt: rt.startedAt,
      lastEvent: rt.store.eventRange().newest,
    }),
    shutdown: async () => {
      rt.shutdown();
      return { stopping: true, pid: process.pid };
    },
    doctor: async () => ({ checks: await doctor(rt) }),
    config: async ({ root }) => {
      const { config, files, warnings } = await rt.configFor(root);
      return { config: { ...config }, files: [...files], warnings: [...warnings] };
    },
    hosts: async () => ({ hosts: rt.terminals.hosts().map((host) => ({ ...host, prefix: [...host.prefix] })) }),

    ps: async ({ all, root }) => {
      const tasks = rt.store.tasks().filter((one) => root === undefined || isInside(root, one.root));
      await amounts.refresh(tasks);
      const terminals = rt.store
        .terminals()
        .filter((one) => one.task === undefined && (all || one.phase !== "ended" || isRecent(rt, one.endedAt)));
      return {
        tasks: tasks.map(task).filter((view) => all || view.status !== "Completed"),
        terminals: root === undefined ? terminals.map((one) => terminalView(rt, one)) : [],
        lastEvent: rt.store.eventRange().newest,
      };
    },
    sessions: async () => {
      const sessions = await rt.terminals.sessions("local");
      return { sessions: sessions.map((session) => ({ ...session, ...owner(session.name) })) };
    },
    refresh: async ({ reason }) => {
      amounts.forget();
      rt.store.write((writer) => writer.append("tasks_changed", { reason }));
      return { told: true };
    },
    explain: async ({ id }) => explain(rt, id),

    run: async (input) => {
      const record = await supervisor.run({
        name: input.name ?? nameFrom(input.argv),
        host: input.host ?? "local",
        argv: input.argv,
        cwd: input.cwd ?? rt.env.HOME ?? "/",
        env: input.env ?? {},
        keep: input.keep,
        columns: input.columns,
        rows: input.rows,
      });
      return terminalView(rt, record);
    },
    read: (input, { signal }) => read(rt, input, signal),
    screen: async ({ id, escapes }) => {
      const terminal = resolveTerminal(rt, id);
      if (!terminal.place) throw new PanewardError("wrong_state", `${terminal.name} has no screen yet`);
      const screen = await rt.terminals.screen(terminal.host, terminal.place, escapes ?? false);
      return { id: terminal.id, ...screen, lines: [...screen.lines] };
    },
    send: (input) => courier.send(input),
    stop: async ({ id }, caller) => {
      const terminal = resolveTerminal(rt, id);
      return { id: terminal.id, stopped: await supervisor.stop(terminal, byWhom(caller)) };
    },
    restart: async ({ id }) => {
      const found = resolve(rt, id);
      if (found.kind === "task" && found.task.terminal === undefined) await startTask(rt, supervisor, found.task);
      else await supervisor.restart(resolveTerminal(rt, id));
      return terminalView(rt, resolveTerminal(rt, id));
    },
    attach: async ({ id }) => {
      const found = resolve(rt, id);
      const started = found.kind === "task" && needsStart(rt, found.task);
      if (found.kind === "task" && started) await startTask(rt, supervisor, found.task);
      const terminal = resolveTerminal(rt, id);
      if (terminal.phase === "ended" && terminal.end?.kind !== "exited" && terminal.end?.kind !== "killed") {
        throw new PanewardError("wrong_state", `${terminal.name} does not run`, {
          hint: `\`paneward restart ${id}\` runs it again`,
        });
      }
      return {
        argv: [...rt.terminals.attachArgv(terminal.host, terminal.session)],
        session: terminal.session,
        started,
      };
    },
    rm: async ({ id }, caller) => {
      const found = resolve(rt, id);
      if (found.kind === "task") {
        const rescue = await removeTask(rt, supervisor, found.task, byWhom(caller));
        return { removed: `task ${found.task.id}`, ...(rescue === undefined ? {} : { rescue }) };
      }
      const { terminal } = found;
      await supervisor.stop(terminal, byWhom(caller));
      await supervisor.remove(terminal);
      rt.store.write((writer) => {
        writer.removeTerminal(terminal.id);
        writer.append("terminal_removed", { terminal: terminal.id, name: terminal.name });
      });
      return { removed: `terminal ${terminal.id}` };
    },

    new: async (input) => {
      const created = await createTask(rt, input);
      return task(input.draft ? created : await startTask(rt, supervisor, created));
    },
    start: async ({ id }) => task(await startTask(rt, supervisor, resolveTask(rt, id))),
    complete: async ({ id }, caller) => {
      const found = resolveTask(rt, id);
      if (found.completedAt !== undefined) return task(found);
      const completed = { ...found, completedAt: rt.clock.now() };
      rt.store.write((writer) => {
        writer.putTask(completed);
        writer.append("task_completed", { task: found.id, slug: found.slug, by: byWhom(caller) });
      });
      return task(completed);
    },
    reset: async ({ id }, caller) => {
      const reset = await resetTask(rt, supervisor, resolveTask(rt, id), byWhom(caller));
      return { task: task(reset.task), ...(reset.rescue === undefined ? {} : { rescue: reset.rescue }) };
    },
    merge: async ({ id, base }) => {
      const found = requireWorktree(resolveTask(rt, id));
      const into = base ?? found.base;
      if (into === undefined) {
        throw new PanewardError("wrong_state", `task ${found.id} was made from a detached HEAD`, {
          hint: "name a branch: --base BRANCH",
        });
      }
      const merged = await rt.worktrees.merge(found, into);
      rt.store.write((writer) =>
        writer.append("task_merged", { task: found.id, slug: found.slug, base: into, commits: merged.commits }),
      );
      return merged;
    },
    diff: async ({ id, stat }) => {
      const found = requireWorktree(resolveTask(rt, id));
      const text = await rt.worktrees.diff(found, stat ?? false);
      return {
        base: found.base ?? found.baseCommit ?? "",
        diff: text.slice(0, longestDiff),
        truncated: text.length > longestDiff,
      };
    },
    path: async ({ id }) => {
      const found = resolveTask(rt, id);
      return { path: found.worktree, exists: await rt.worktrees.exists(found), env: { ...environmentOf(rt, found) } };
    },
    branch: async ({ id }) => {
      const { branch, base } = resolveTask(rt, id);
      return { branch, ...(base === undefined ? {} : { base }) };
    },
    bootstrap: async ({ id }) => {
      const { copied, ran, output } = await bootstrapTask(rt, requireWorktree(resolveTask(rt, id)));
      return { copied: [...copied], output, ...(ran === undefined ? {} : { ran }) };
    },
    undo: async ({ id }, caller) => {
      const { undone, task: restored } = await undoLast(rt, supervisor, id, byWhom(caller));
      return { undone, task: task(restored) };
    },

    events: async ({ after, limit, types }) => {
      const wanted = types === undefined ? undefined : new Set(types.split(",").map(requireEventType));
      const { oldest, newest } = rt.store.eventRange();
      const page = rt.store.events(after, limit);
      const gap = after + 1 < oldest ? { type: "gap" as const, after, before: oldest - 1 } : undefined;
      return {
        events: page.filter(({ type }) => !wanted || wanted.has(type)),
        last: page.at(-1)?.seq ?? Math.min(after, newest),
        ...(gap ? { gap } : {}),
      };
    },
    wait: (input, { signal }) => wait(rt, input, signal),

    token_create: async ({ scope, name }) => {
      const { id, token, hash } = createToken();
      rt.store.write((writer) => writer.putToken({ id, name, scope, hash, createdAt: rt.clock.now() }));
      return { id, name, scope, token };
    },
    token_list: async () => ({ tokens: rt.store.tokens().map(({ hash: _hash, ...shown }) => shown) }),
    token_revoke: async ({ id }) => {
      const found = rt.store.tokens().find((token) => token.id === id || token.name === id);
      if (!found)
        throw new PanewardError("not_found", `there is no token ${id}`, { hint: "`paneward token list` shows them" });
      rt.store.write((writer) => writer.removeToken(found.id));
      return { revoked: found.id };
    },
    audit: async ({ limit }) => ({ entries: [...rt.store.audits(limit)] }),
  };
}

const longestDiff = 4_000_000;
const recentMs = 24 * 3_600_000;

function requireEventType(type: string): EventType {
  const known = eventTypes.find((one) => one === type);
  if (known) return known;
  throw new PanewardError("bad_input", `there is no event type ${type}`, {
    hint: `there are ${eventTypes.join(", ")}`,
  });
}

function isRecent(rt: Runtime, endedAt: number | undefined): boolean {
  return endedAt !== undefined && rt.clock.now() - endedAt < recentMs;
}

function byWhom(caller: Caller): string {
  return caller.who;
}

function nameFrom(argv: readonly string[]): string {
  const program = argv[0]?.split("/").at(-1) ?? "";
  const name = program.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z]+/, "");
  return name === "" || /^t\d+$/.test(name) ? "terminal" : name.slice(0, 50);
}

function owner(session: string): { readonly task?: number; readonly terminal?: string } {
  const parsed = parseSessionName(session);
  if (!parsed) return {};
  return "task" in parsed ? { task: parsed.task } : { terminal: parsed.terminal };
}

function isInside(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(`${root}/`);
}

function needsStart(rt: Runtime, task: TaskRecord): boolean {
  const terminal = task.terminal === undefined ? undefined : rt.store.terminal(task.terminal);
  return (
    !terminal || (terminal.phase === "ended" && terminal.end?.kind !== "exited" && terminal.end?.kind !== "killed")
  );
}

function requireWorktree(task: TaskRecord): TaskRecord {
  if (task.hasWorktree) return task;
  throw new PanewardError("wrong_state", `task ${task.id} has no worktree yet`, {
    hint: `start it: \`paneward start ${task.id}\``,
  });
}
