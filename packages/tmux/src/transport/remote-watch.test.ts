import assert from "node:assert/strict";
import { test } from "node:test";
import { RemoteWatch } from "./remote-watch.ts";

function watched(t: { mock: { timers: { enable(options: { apis: ["setTimeout"] }): void; tick(ms: number): void } } }) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const looks: string[] = [];
  const sizes = new Map<string, string>();
  const watch = new RemoteWatch(async (parent, names) => {
    looks.push(`${parent}: ${names.join(" ")}`);
    return new Map(sizes);
  });
  const pass = async (ms: number) => {
    for (let at = 0; at < ms; at += 10) {
      t.mock.timers.tick(10);
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    }
  };
  return { watch, looks, sizes, pass };
}

test("one look is for all folders of a parent, and each gets only its own change", async (t) => {
  const { watch, looks, sizes, pass } = watched(t);
  const told: string[] = [];
  for (const name of ["t1", "t2", "t3"]) watch.watch(`/j/${name}`, () => told.push(name));
  await pass(50);
  assert.deepEqual([...new Set(looks)], ["/j: t1 t2 t3"]);
  sizes.set("t2", "1 t2/0");
  await pass(500);
  assert.deepEqual(told, ["t2"]);
});

test("it looks more slowly while nothing changes, and at once for a new folder", async (t) => {
  const { watch, looks, pass } = watched(t);
  watch.watch("/j/t1", () => {});
  await pass(5_000);
  looks.length = 0;
  await pass(5_000);
  assert.ok(looks.length >= 4 && looks.length <= 6, `${looks.length} looks in 5 s`);
  looks.length = 0;
  watch.watch("/j/t2", () => {});
  await pass(20);
  assert.deepEqual(looks, ["/j: t1 t2"]);
});

test("folders that are no longer watched are not looked at", async (t) => {
  const { watch, looks, pass } = watched(t);
  const stops = ["/j/t1", "/j/t2", "/k/t1"].map((folder) => watch.watch(folder, () => {}));
  await pass(50);
  for (const stop of stops.slice(0, 2)) stop();
  looks.length = 0;
  await pass(3_000);
  assert.deepEqual([...new Set(looks)], ["/k: t1"]);
  watch.close();
  looks.length = 0;
  await pass(3_000);
  assert.deepEqual(looks, []);
});
