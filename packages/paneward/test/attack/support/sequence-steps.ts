import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { PanewardError } from "@paneward/sdk";
import { hostileText, type Random } from "../../../../tmux/test/support/random.ts";
import type { TestDaemon } from "../../support/daemon.ts";
import { until } from "../../support/until.ts";
import { filesOf } from "../../worktrees/support/snapshot.ts";
import * as hands from "./sequence-hands.ts";
import { isFinished, type KnownTask, type Model } from "./sequence-model.ts";
import { Place } from "./sequence-place.ts";

export interface Scene {
  readonly daemon: TestDaemon;
  readonly model: Model;
  readonly random: Random;
  /** What was done, for the message of a failure. */
  readonly log: string[];
  readonly counts: Map<string, number>;
}

type Step = (scene: Scene) => Promise<void> | void;

const byAgent =
  (work: (task: KnownTask, scene: Scene) => void): Step =>
  (scene) => {
    const task = anyTask(scene);
    if (task) work(task, scene);
  };

/** Each is as likely as its number says. */
const table: readonly (readonly [number, string, Step])[] = [
  [6, "agent commits", byAgent(({ place }, { model, random }) => hands.commitAll(model, place, random))],
  [3, "agent edits", byAgent(({ place }, { random }) => hands.edit(place, random))],
  [2, "agent stages", byAgent(({ place }, { model, random }) => hands.stage(model, place, random))],
  [1, "agent hides an edit", byAgent(({ place }, { random }) => hands.hide(place, random))],
  [1, "agent detaches", byAgent(({ place }) => place.git(["checkout", "-q", "--detach"]))],
  [1, "agent returns", byAgent((task) => hands.backToBranch(task))],
  [1, "agent merges", byAgent((task) => hands.bringBaseIn(task, ["merge", "-q", "--no-edit"]))],
  [1, "agent rebases", byAgent((task) => hands.bringBaseIn(task, ["rebase", "-q"]))],
  [3, "user commits", ({ model, random }) => hands.commitOne(model, model.user, random)],
  [2, "user edits", ({ model, random }) => void hands.edit(model.user, random)],
  [1, "user stages", ({ model, random }) => hands.stage(model, model.user, random)],
  [1, "user packs refs", ({ model }) => void model.user.git(["pack-refs", "--all", "--prune"])],
  [1, "user collects garbage", ({ model }) => hands.collect(model.user)],
  [1, "user removes a worktree", byAgent((task) => hands.removeFolder(task))],
  [5, "new", (scene) => operate(scene, "new", newTask(scene))],
  [2, "start", (scene) => onTask(scene, "start", ({ id }) => scene.daemon.client.start({ id }))],
  [6, "merge", (scene) => merge(scene)],
  [2, "all merge", (scene) => mergeAll(scene)],
  [2, "reset", (scene) => onTask(scene, "reset", ({ id }) => scene.daemon.client.reset({ id }))],
  [3, "rm", (scene) => remove(scene)],
  [2, "rm and undo", (scene) => removeAndUndo(scene)],
  [3, "undo", (scene) => undo(scene)],
  [1, "complete", (scene) => onTask(scene, "complete", ({ id }) => scene.daemon.client.complete({ id }))],
  [1, "diff", (scene) => onTask(scene, "diff", ({ id }) => scene.daemon.client.diff({ id }))],
];

const steps = table.flatMap(([times, name, step]) => Array.from({ length: times }, () => [name, step] as const));

export async function anyStep(scene: Scene): Promise<void> {
  const [name, step] = scene.model.tasks.size === 0 ? (["new", newOne] as const) : scene.random.pick(steps);
  scene.log.push(name);
  scene.counts.set(name, (scene.counts.get(name) ?? 0) + 1);
  await step(scene);
}

const newOne: Step = (scene) => operate(scene, "new", newTask(scene));

function newTask({ daemon, model, random }: Scene): () => Promise<unknown> {
  const draft = random.below(6) === 0;
  const text = random.pick([() => hostileText(random), () => "A task", () => "HEAD", () => "é".repeat(500)])();
  return () => daemon.client.new({ root: model.repository.from, text: text.trim() === "" ? "x" : text, draft });
}

function anyTask({ model, random }: Scene): KnownTask | undefined {
  const there = [...model.tasks.values()].filter(({ place }) => place.isThere());
  return there.length === 0 ? undefined : random.pick(there);
}

async function onTask(scene: Scene, what: string, call: (task: KnownTask) => Promise<unknown>): Promise<void> {
  const task = anyTask(scene);
  if (task) await operate(scene, what, () => call(task));
}

async function merge(scene: Scene): Promise<void> {
  const { daemon, model } = scene;
  const task = anyTask(scene);
  if (!task) return;
  const look = () => [model.user.git(["for-each-ref"]), model.user.git(["status", "-z"]), filesOf(task.place.folder)];
  const before = look();
  await operate(scene, "merge", () => daemon.client.merge({ id: task.id }), {
    ok: () => {
      const [base, head] = [`refs/heads/${task.base}`, `refs/heads/${task.branch}`];
      // The user may have committed since, while the daemon was away.
      model.user.git(["merge-base", "--is-ancestor", head, base]);
      const since = model.user.git(["rev-list", "--format=%s", "--no-commit-header", `${head}..${base}`]);
      assert.match(since, /^(user\n)?$/, "commits of the base that are not of the branch");
    },
    refused: () => assert.deepEqual(look(), before, "a merge that was refused changed something"),
  });
}

async function mergeAll(scene: Scene): Promise<void> {
  const { daemon, model, random } = scene;
  const ids = [...model.tasks.values()].filter(({ place }) => place.isThere()).map(({ id }) => id);
  await operate(scene, "all merge", async () => {
    const merging = Promise.allSettled(ids.map((id) => daemon.client.merge({ id })));
    let isOver = false;
    void merging.then(() => {
      isOver = true;
    });
    for (let commits = 0; commits < 20 && !isOver; commits++) {
      hands.commitOne(model, model.user, random);
      await delay(random.below(40));
    }
    const refused = (await merging).flatMap((one) => (one.status === "rejected" ? [one.reason as PanewardError] : []));
    const failed = refused.find(({ code }) => code === "unexpected" || code === "outcome_unknown") ?? refused[0];
    if (failed) throw failed;
  });
}

async function remove(scene: Scene): Promise<void> {
  const task = anyTask(scene);
  if (!task) return;
  await operate(scene, "rm", () => scene.daemon.client.rm({ id: task.id }));
  await thereOrGone(scene, task);
}

async function removeAndUndo(scene: Scene): Promise<void> {
  const { daemon, model } = scene;
  const task = anyTask(scene);
  if (!task) return;
  const before = filesOf(task.place.folder);
  let isRemoved = false;
  await operate(scene, "rm", () => daemon.client.rm({ id: task.id }), {
    ok: () => {
      assert.equal(model.user.git(["branch", "--list", task.branch]), "");
      isRemoved = true;
    },
  });
  if (!isRemoved) return;
  const back = () => assert.deepEqual(filesOf(task.place.folder), before, "files of the task that came back");
  await operate(scene, "undo", () => daemon.client.undo({ id: Number(task.id) }), { ok: back });
}

async function undo(scene: Scene): Promise<void> {
  const { daemon, model, random } = scene;
  const input = { id: Number(random.pick([...model.tasks.keys()])), end_program: random.below(4) !== 0 };
  await operate(scene, "undo", () => daemon.client.undo(input));
}

interface Outcome {
  readonly ok?: () => void;
  readonly refused?: () => void;
}

/** Calls the daemon; every fourth time it is killed meanwhile, and the user goes on working until it is started again. */
export async function operate(
  scene: Scene,
  what: string,
  call: () => Promise<unknown>,
  then: Outcome = {},
): Promise<void> {
  const { daemon, model, random, log, counts } = scene;
  const killAfterMs =
    random.below(4) === 0 ? random.pick([0, 3, 6, 12, 25, 50, 75, 100, 150, 200, 300, 500]) : undefined;
  const calling = call().then(
    () => undefined,
    (error: PanewardError) => error,
  );
  if (killAfterMs !== undefined) {
    await delay(killAfterMs);
    await daemon.kill("SIGKILL");
    log.push(`  killed after ${killAfterMs} ms`);
    counts.set("kill", (counts.get("kill") ?? 0) + 1);
    if (random.below(2) === 0) hands.commitOne(model, model.user, random);
    await calling;
    await daemon.start();
    await until("nothing is unfinished", () => isFinished(daemon));
    for (const task of model.tasks.values()) await thereOrGone(scene, task);
  }
  const error = await calling;
  log.push(`  ${what}: ${error ? `${error.code}: ${error.message}` : "ok"}`);
  await learnTasks(scene);
  model.settle();
  model.check();
  if (error && killAfterMs === undefined) {
    assert.ok(error.code !== "unexpected" && error.code !== "outcome_unknown", `${what}: ${error.stack}`);
    assert.doesNotMatch(error.message, /\bE[A-Z]{4,}\b|undefined|\[object/);
    then.refused?.();
  }
  if (!error) then.ok?.();
}

async function learnTasks({ daemon, model }: Scene): Promise<void> {
  const { tasks } = await daemon.client.ps({ all: "true" });
  for (const { id, branch, worktree, root, base } of tasks) {
    if (![model.repository.root, model.repository.from].includes(root) || model.tasks.has(String(id))) continue;
    model.tasks.set(String(id), { id: String(id), branch, base, place: new Place(worktree, daemon.env) });
  }
}

/** Of a task that is gone, no branch and no worktree is left, whatever was killed meanwhile. */
export async function thereOrGone({ daemon, model }: Scene, { id, branch, place }: KnownTask): Promise<void> {
  await until(`task ${id} is there or gone, not half`, async () => {
    const { tasks } = await daemon.client.ps({ all: "true" });
    if (tasks.some((task) => String(task.id) === id)) return true;
    return model.user.git(["for-each-ref", `refs/heads/${branch}`]) === "" && !existsSync(place.folder);
  });
}
