import assert from "node:assert/strict";
import { test } from "node:test";
import { belongsTo, projectPrefix, taskSessionName } from "./names.ts";

const id = "0198a1b2-0000-7000-8000-00000000abcd";

test("a session is named after folder and conversation, in characters that tmux keeps", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["/home/me/shop", `pi-shop-${id}`],
    ["/home/me/my.app", `pi-my-app-${id}`],
    ["/home/me/My App (2)", `pi-my-app-2-${id}`],
    ["/home/me/a--b_c", `pi-a--b_c-${id}`],
    ["/home/me/日本", `pi-project-${id}`],
    ["/", `pi-project-${id}`],
    [`/home/me/${"x".repeat(200)}`, `pi-${"x".repeat(60)}-${id}`],
  ];
  for (const [cwd, name] of cases) assert.equal(taskSessionName(cwd, id), name);
  assert.equal(taskSessionName("/p", "my:own.id"), "pi-p-my-own-id");
});

test("a project's sessions are distinct from those of a project with the same name prefix", () => {
  assert.ok(belongsTo(projectPrefix("/home/me/app"), `pi-app-${id}`));
  assert.ok(!belongsTo(projectPrefix("/home/me/app"), `pi-app-web-${id}`));
  assert.ok(!belongsTo(projectPrefix("/home/me/app"), "pi-app-"));
});
