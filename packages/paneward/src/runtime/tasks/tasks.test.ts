import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PanewardError } from "@paneward/sdk";
import { memoryTasks } from "../../../test/support/memory-tasks.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { editDraft } from "./edit-draft.ts";
import { restartTerminal } from "./resume.ts";
import { startTask } from "./tasks.ts";

describe("a new task", () => {
  test("is recorded before anything is made for it", async (t) => {
    const { made, store, worktrees, events } = await memoryTasks(t);
    const { id, slug, root, branch, base, baseCommit, draft, hasWorktree, agent } = await made();
    assert.deepEqual([id, slug, root, branch], [1, "fix-the-login", "/repo", "paneward/1-fix-the-login"]);
    assert.deepEqual([base, baseCommit, draft, hasWorktree, agent], ["main", "c0", true, false, "mine"]);
    assert.deepEqual([worktrees.log, store.tasks().length, events()], [[], 1, ["task_created 1"]]);
  });

  test("has a slug of its own, and a base only where there is a branch", async (t) => {
    const { made, worktrees } = await memoryTasks(t);
    assert.deepEqual([(await made()).slug, (await made()).slug], ["fix-the-login", "fix-the-login2"]);
    worktrees.repositoryHead = { branch: undefined, head: "c9" };
    const detached = await made();
    assert.deepEqual([detached.base, detached.baseCommit], [undefined, "c9"]);
    worktrees.repositoryHead = { branch: undefined, head: undefined };
    assert.equal((await made()).baseCommit, undefined);
  });

  const refused: readonly (readonly [string, Parameters<Awaited<ReturnType<typeof memoryTasks>>["made"]>, object])[] = [
    ["a branch that does not exist", ["x", { base: "nowhere" }], { code: "not_found", message: /no branch nowhere/ }],
    ["an agent that does not exist", ["x", { agent: "nobody" }], { code: "bad_input", message: /claude, codex.*mine/ }],
  ];
  for (const [what, input, error] of refused) {
    test(`of ${what} is refused, and nothing is recorded`, async (t) => {
      const { made, store } = await memoryTasks(t);
      await assert.rejects(made(...input), error);
      assert.deepEqual(store.tasks(), []);
    });
  }
});

describe("a draft", () => {
  test("gets another text, agent and base, and keeps its names", async (t) => {
    const { made, deps, store, worktrees, events, terminals } = await memoryTasks(t);
    const task = await made();
    worktrees.branches.set("next", "c7");
    const edited = await editDraft(deps, task, { text: "Do that", agent: "claude", base: "next" });
    assert.deepEqual(edited, { ...task, text: "Do that", agent: "claude", base: "next", baseCommit: "c7" });
    assert.deepEqual(store.task(1), edited);
    assert.deepEqual(await editDraft(deps, edited, {}), edited);
    assert.deepEqual(events("tasks_changed").length, 2);
    await assert.rejects(editDraft(deps, edited, { agent: "nobody" }), { code: "bad_input" });
    await assert.rejects(editDraft(deps, edited, { base: "nowhere" }), { code: "not_found" });
    const started = await startTask(deps, store.task(1) ?? edited);
    assert.match(terminals.log[0] ?? "", /^open paneward-1-fix-the-login claude .*Do that$/);
    assert.equal(worktrees.log[0], `create ${task.worktree} at c7`);
    await assert.rejects(editDraft(deps, started, { text: "x" }), { code: "wrong_state", hint: /paneward send 1/ });
  });
});

describe("a start", () => {
  test("makes the worktree, bootstraps it and runs the agent there with its prompt", async (t) => {
    const { started, worktrees, terminals, store, events } = await memoryTasks(t);
    const task = await started();
    assert.deepEqual([task.draft, task.hasWorktree, task.unprepared, task.terminal], [false, true, undefined, "t1"]);
    assert.deepEqual(worktrees.log, [`create ${task.worktree} at c0`, "bootstrap"]);
    assert.deepEqual(terminals.log, ["open paneward-1-fix-the-login mine --go Fix the login"]);
    const { cwd, env, keep, name } = store.terminal("t1") ?? {};
    assert.deepEqual([cwd, keep, name, env?.PANEWARD_TASK], [task.worktree, true, "task-1", "Fix the login"]);
    const progress = ["task_progress 1", "task_progress 1"];
    assert.deepEqual(events("task_"), ["task_created 1", ...progress, "task_started 1"]);
  });

  test("of a task that runs is refused with the way to attach", async (t) => {
    const { started, deps } = await memoryTasks(t);
    await assert.rejects(startTask(deps, await started()), { code: "wrong_state", hint: /paneward attach 1/ });
  });

  test("tries a bootstrap that failed again, and only then", async (t) => {
    const { made, worktrees, deps, store, terminals } = await memoryTasks(t);
    const task = await made();
    worktrees.setupFails = "no database";
    await assert.rejects(startTask(deps, task), /no database/);
    assert.deepEqual([store.task(1)?.unprepared, store.task(1)?.hasWorktree, terminals.log], [true, true, []]);
    worktrees.setupFails = undefined;
    const again = await startTask(deps, store.task(1) ?? task);
    assert.equal(again.unprepared, undefined);
    assert.equal(worktrees.log.filter((line) => line === "bootstrap").length, 2);
    terminals.end(store.terminal("t1")?.place as never);
    await startTask(deps, again);
    assert.equal(worktrees.log.filter((line) => line === "bootstrap").length, 2);
  });

  test("of a task that ended runs its agent again in the same terminal", async (t) => {
    const { started, terminals, store, deps } = await memoryTasks(t);
    const task = await started();
    terminals.end(store.terminal("t1")?.place as never, { kind: "exited", code: 1 });
    assert.equal((await startTask(deps, task)).terminal, "t1");
    assert.deepEqual(terminals.log.slice(1), ["respawn %1 mine --go Fix the login"]);
  });

  test("runs the agent as the configuration says now, with the variables of who asks now, and so does a restart", async (t) => {
    const { started, terminals, store, deps } = await memoryTasks(t);
    const given: { cmd: string[] } = { cmd: ["mine", "--go"] };
    const inForce = await deps.configFor();
    Object.assign(deps, {
      configFor: async () => ({ ...inForce, config: { ...inForce.config, agents: { mine: given } } }),
    });
    const task = await started();
    assert.equal(store.terminal("t1")?.env.PATH, "/bin", "the daemon's own, when nobody gives one");
    for (const [cmd, again] of [
      [["mine", "--careful"], (path: string) => startTask(deps, task, { PATH: path })],
      [
        ["other"],
        (path: string) => restartTerminal(deps, store.terminal("t1") as TerminalRecord, { PATH: path, LANG: "C" }),
      ],
    ] as const) {
      terminals.end(store.terminal("t1")?.place as never, { kind: "exited", code: 1 });
      given.cmd = [...cmd];
      await again(`/opt/${cmd[0]}`);
      assert.equal(terminals.log.at(-1), `respawn %1 ${cmd.join(" ")} Fix the login`);
      const { argv, env } = store.terminal("t1") ?? {};
      assert.deepEqual(argv, [...cmd, "Fix the login"]);
      assert.deepEqual(
        [env?.PATH, env?.PANEWARD_TERMINAL, env?.PANEWARD_TASK],
        [`/opt/${cmd[0]}`, "t1", "Fix the login"],
      );
    }
  });

  test("whose worktree is gone makes it again", async (t) => {
    const { started, terminals, store, deps, worktrees } = await memoryTasks(t);
    const task = await started();
    terminals.end(store.terminal("t1")?.place as never);
    worktrees.trees.clear();
    await startTask(deps, task);
    assert.equal(worktrees.log.filter((line) => line.startsWith("create")).length, 2);
  });

  test("whose agent is not installed keeps the task and says how to continue", async (t) => {
    const { started, terminals, store } = await memoryTasks(t);
    terminals.beforeOpen = () => {
      throw new PanewardError("bad_input", "there is no program mine");
    };
    await assert.rejects(started(), {
      code: "unavailable",
      message: "task 1 was created, but its agent mine cannot start: there is no program mine",
      hint: /`paneward start 1`.*`paneward rm 1`/,
    });
    assert.deepEqual([store.tasks().length, store.terminals()], [1, []]);
  });

  test("gives a prompt that is too long for an argument as a file", async (t) => {
    const { started, terminals } = await memoryTasks(t);
    await started("x".repeat(20_000));
    assert.match(terminals.log[0] ?? "", /mine --go Your task is in the file \/home\/me\/.*\/tasks\/1\/prompt\.md/);
  });
});
