import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Cleanup } from "../../../test/support/folder.ts";
import { memoryTasks } from "../../../test/support/memory-tasks.ts";
import type { TerminalRecord } from "../../model/records.ts";
import { restartRunning } from "../tasks/resume.ts";
import { bootstrapTask, createTask, startTask } from "../tasks/tasks.ts";
import { trustOperations } from "./trust-operations.ts";

const caller = { who: "ann", scope: "admin", door: "test" } as const;
const cmd = ["sh", "agent.sh", "<prompt>"];
const root = "/repo";
const refused = { code: "untrusted" };

/** A repository whose own configuration names an agent and a setup command. */
async function repository(t: Cleanup) {
  const project = { agents: { theirs: { cmd } }, bootstrapCmd: "make ready" };
  const bootstrap = { cmd: "make ready", include: [], exclude: [] };
  const world = await memoryTasks(t, { agents: project.agents, bootstrap }, project);
  world.worktrees.scripts.set("agent.sh", "echo hello");
  const operations = trustOperations(world.deps);
  const trust = async () => {
    const { digest } = await operations.trust_look({ root });
    return operations.trust({ root, digest }, caller);
  };
  return { ...world, operations, trust };
}

describe("a repository that names programs", () => {
  test("is refused before a task is written down, with the command that shows what it runs", async (t) => {
    const { made, store } = await repository(t);
    await assert.rejects(made("x", { agent: "theirs" }), {
      ...refused,
      message: "/repo would run agents.theirs.cmd, agent.sh, bootstrap.cmd, which is not trusted yet",
      hint: "`paneward trust /repo` shows what it runs and asks",
    });
    assert.deepEqual(store.tasks(), []);
  });

  test("is refused for its setup command alone, also with an agent of the user's", async (t) => {
    const { made } = await repository(t);
    await assert.rejects(made("x", { agent: "mine" }), { ...refused, message: /would run bootstrap.cmd, which/ });
  });

  test("runs once it is trusted; who trusted it is recorded and reported", async (t) => {
    const { started, trust, operations, dataOf } = await repository(t);
    assert.deepEqual(await trust(), { root, trusted: 3 });
    assert.equal((await started("x", { agent: "theirs" })).terminal, "t1");
    assert.deepEqual(dataOf("trust_changed"), [{ root, trusted: true, by: "ann" }]);
    const [known] = (await operations.trust_list()).repositories;
    assert.deepEqual([known?.root, known?.trusted], [root, ["agents.theirs.cmd", "agent.sh", "bootstrap.cmd"]]);
  });

  test("is asked about again when a file that it names changes, also to run a task again", async (t) => {
    const { started, trust, deps, worktrees, operations, store } = await repository(t);
    await trust();
    const task = await started("x", { agent: "theirs" });
    await deps.supervisor.stop(store.terminal("t1") as never, "ann");
    worktrees.scripts.set("agent.sh", "rm -r /");
    await assert.rejects(startTask(deps, task), { ...refused, message: /would run agent.sh, which/ });
    const looked = await operations.trust_look({ root });
    assert.deepEqual(
      looked.runs.map(({ what, trusted }) => [what, trusted]),
      [
        ["agents.theirs.cmd", true],
        ["agent.sh", false],
        ["bootstrap.cmd", true],
      ],
    );
  });

  test("has no say in what its trusted setup command runs while its agent could change it", async (t) => {
    const { started, trust, deps, store } = await repository(t);
    await trust();
    const task = await started("x", { agent: "theirs" });
    await assert.rejects(bootstrapTask(deps, task), {
      code: "wrong_state",
      message: "the agent of task 1 runs and could change what `bootstrap.cmd` runs",
      hint: "stop it first: `paneward stop 1`, then `paneward bootstrap 1`",
    });
    await deps.supervisor.stop(store.terminal("t1") as never, "ann");
    await bootstrapTask(deps, task);
  });

  test("may prepare a worktree by its setup script beside the agent: what runs is a private copy", async (t) => {
    const { started, deps, worktrees } = await memoryTasks(t);
    const operations = trustOperations(deps);
    worktrees.scripts.set(".paneward/setup.sh", "echo hello");
    const { digest } = await operations.trust_look({ root });
    await operations.trust({ root, digest }, caller);
    await bootstrapTask(deps, await started());
  });

  test("is checked after its agent has ended, when that is run again", async (t) => {
    const { started, trust, deps, worktrees, terminals, store } = await repository(t);
    await trust();
    await started("x", { agent: "theirs" });
    // The agent's last act.
    terminals.endsWith = () => {
      worktrees.scripts.set("agent.sh", "rm -r /");
      return true;
    };
    const record = store.terminal("t1") as TerminalRecord;
    await assert.rejects(restartRunning(deps, record, "ann"), { ...refused, message: /would run agent.sh, which/ });
    assert.equal(store.terminal("t1")?.phase, "ended");
    worktrees.scripts.set("agent.sh", "echo hello");
    assert.equal((await restartRunning(deps, store.terminal("t1") as TerminalRecord, "ann")).phase, "running");
  });

  test("is not asked about again for what its agent writes", async (t) => {
    const script = 'echo "$1" > todo.txt; git add todo.txt; git commit -qm "$1"';
    const agents = { scribe: { cmd: ["sh", "-c", script, "scribe"] } };
    const { deps, started, worktrees, store } = await memoryTasks(t, { agents }, { agents });
    const operations = trustOperations(deps);
    const { digest } = await operations.trust_look({ root });
    await operations.trust({ root, digest }, caller);
    const task = await started("Water the plants", { agent: "scribe" });
    worktrees.scripts.set("todo.txt", "Water the plants");
    assert.equal((await started("Again", { agent: "scribe" })).terminal, "t2");
    await deps.supervisor.stop(store.terminal("t1") as never, "ann");
    await startTask(deps, task);
    assert.equal((await operations.trust_look({ root })).trusted, true);
  });

  test("runs no command that is too long to be looked at", async (t) => {
    const agents = { long: { cmd: ["sh", "-c", "x".repeat(20_001)] } };
    const { made } = await memoryTasks(t, { agents }, { agents });
    await assert.rejects(made("x", { agent: "long" }), { code: "wrong_state", hint: /into a script/ });
  });

  test("is not trusted by a look at something else", async (t) => {
    const { worktrees, operations } = await repository(t);
    const { digest } = await operations.trust_look({ root });
    worktrees.scripts.set("agent.sh", "rm -r /");
    await assert.rejects(operations.trust({ root, digest }, caller), {
      code: "conflict",
      message: /has changed since/,
    });
    assert.deepEqual((await operations.trust_list()).repositories, []);
  });

  test("runs nothing any more after trust is taken back", async (t) => {
    const { made, trust, operations } = await repository(t);
    await trust();
    assert.deepEqual(await operations.trust_revoke({ root }, caller), { revoked: root });
    await assert.rejects(made("x", { agent: "theirs" }), refused);
    await assert.rejects(operations.trust_revoke({ root }, caller), { code: "not_found" });
  });

  test("may have another setup script on another branch, which is asked about when it would run", async (t) => {
    const { deps, worktrees, started } = await memoryTasks(t);
    const task = await started();
    worktrees.scripts.set(".paneward/setup.sh", "echo other branch");
    await assert.rejects(bootstrapTask(deps, task), {
      ...refused,
      message: /would run .paneward\/setup.sh, which/,
      hint: `\`paneward trust ${task.worktree}\` shows what it runs and asks, then \`paneward start 1\``,
    });
  });

  test("may be written down as a draft: that runs nothing", async (t) => {
    const { deps } = await repository(t);
    const task = await createTask(deps, { root, text: "x", agent: "theirs", draft: true });
    await assert.rejects(startTask(deps, task), refused);
  });
});

test("what the user's own configuration names needs no trust", async (t) => {
  const { started } = await memoryTasks(t, { bootstrap: { cmd: "make ready", include: [], exclude: [] } });
  assert.equal((await started()).terminal, "t1");
});
