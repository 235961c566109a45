import assert from "node:assert/strict";
import { test } from "node:test";
import { teamRuntimeFile } from "./team-names.ts";

test("a team's runtime.json is where teamd's clients look for it, whatever the state folder", () => {
  const home = { HOME: "/home/me", PANEWARD_HOME: "/x" };
  assert.equal(teamRuntimeFile(home, "demo"), "/home/me/.pi/teams/demo/runtime.json");
  assert.equal(teamRuntimeFile({ ...home, PI_TEAM_WORKSPACE_ROOT: "/t" }, "demo"), "/t/demo/runtime.json");
  assert.equal(
    teamRuntimeFile({ ...home, PI_TEAM_WORKSPACE_ROOT: "" }, "demo"),
    "/home/me/.pi/teams/demo/runtime.json",
  );
  assert.equal(teamRuntimeFile({}, "demo"), "/.pi/teams/demo/runtime.json");
});
