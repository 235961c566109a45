import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ModelDaemon } from "../../test/support/model-daemon.ts";
import { event, task, viewOf } from "../../test/support/view-samples.ts";
import { apply } from "./apply.ts";
import { type Lists, snapshot } from "./snapshot.ts";
import { emptyView, type View } from "./view.ts";

describe("a slow list", () => {
  const old: Lists = { tasks: [task(1, "Running")], terminals: [], agents: [], questions: [], lastEvent: 1 };
  const exited = event(2, "task_exited", { task: 1, slug: "a", end: { kind: "exited", code: 0 } });

  test("does not undo newer events", () => {
    const after = snapshot(apply(viewOf(old), exited), old);
    assert.deepEqual([after.tasks.get(1)?.status, after.lastEvent], ["Exited", 2]);
  });

  test("is requested again after too many events", () => {
    const many = Array.from({ length: 600 }, (_, at) =>
      event(at + 2, "task_notified", { task: 1, slug: "a", count: 1 }),
    );
    const after = snapshot(many.reduce<View>(apply, viewOf(old)), old);
    assert.deepEqual([after.stale?.when, after.lastEvent], ["now", 601]);
  });
});

describe("a view follows the daemon over any connection", () => {
  for (let seed = 1; seed <= 40; seed++) {
    test(`seed ${seed}`, () => {
      const random = randomFrom(seed);
      const daemon = new ModelDaemon(random);
      let view = emptyView;
      let inTransit: Lists | undefined;
      for (let step = 0; step < 300; step++) {
        daemon.step();
        view = deliver(view, daemon, random);
        if (inTransit && random(3) === 0) {
          view = snapshot(view, inTransit);
          inTransit = undefined;
        } else if (view.stale && random(2) === 0) inTransit ??= daemon.lists();
      }
      view = settled(view, daemon);
      assert.deepEqual(comparable(view), comparable(snapshot(emptyView, daemon.lists())));
    });
  }
});

/** Some events, mostly in order; now and then one twice, one too early, or a gap. */
function deliver(view: View, daemon: ModelDaemon, random: (below: number) => number): View {
  const next = daemon.log.slice(view.lastEvent, view.lastEvent + random(4));
  const chance = random(30);
  if (chance === 0) return apply(view, { type: "gap", after: view.lastEvent, before: daemon.log.length });
  if (chance === 1) return [...next].reverse().reduce<View>(apply, view);
  if (chance === 2) return [...next, ...daemon.log.slice(-20)].reduce<View>(apply, view);
  return next.reduce<View>(apply, view);
}

/** What a client does once no more events arrive. */
function settled(view: View, daemon: ModelDaemon): View {
  const read = daemon.log.slice(view.lastEvent).reduce<View>(apply, view);
  return read.stale ? snapshot(read, daemon.lists()) : read;
}

function comparable({ tasks, terminals, questions, lastEvent, stale }: View) {
  return {
    tasks: new Map([...tasks].map(([id, one]) => [id, [one.status, one.terminal]])),
    terminals: new Map([...terminals].map(([id, one]) => [id, one.status])),
    questions: new Set(questions.keys()),
    lastEvent,
    stale,
  };
}

function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return below === 0 ? 0 : Math.floor((state / 2 ** 32) * below);
  };
}
