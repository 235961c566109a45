import assert from "node:assert/strict";
import { test } from "node:test";
import { startedTasks } from "./helper-output.ts";

const four = (session: string) => `session=${session}\nwindow_id=@12\ntask=api\ncwd=/home/me/my project`;

test("the helper's four lines are found among other output, for this session only", () => {
  const wanted = [{ windowId: "@12", windowName: "api", taskCwd: "/home/me/my project" }];
  assert.deepEqual(startedTasks(`before\n${four("pi-a-1")}\nafter\n`, "pi-a-1"), wanted);
  assert.deepEqual(startedTasks(`${four("pi-a-1")}\n${four("pi-a-1")}`, "pi-a-1"), [...wanted, ...wanted]);
  assert.deepEqual(startedTasks(four("pi-b-2"), "pi-a-1"), []);
  assert.deepEqual(startedTasks("session=pi-a-1\ntask=api", "pi-a-1"), []);
});
