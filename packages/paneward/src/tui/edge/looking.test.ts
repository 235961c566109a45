import assert from "node:assert/strict";
import { test } from "node:test";
import { Looking } from "./looking.ts";

test("a row is reported while keys are pressed, not with each of them, and no longer when the interface is left", () => {
  const reported: string[] = [];
  const looking = new Looking({
    presence: async ({ sees = [], seconds = 60 }) => {
      reported.push(`${sees.join(" ") || "nothing"} ${seconds}`);
      return { noted: true };
    },
  });
  looking.used(undefined, "admin", 0);
  looking.used("3", "admin", 1_000);
  looking.used("3", "admin", 2_000);
  looking.used("4", "admin", 2_100);
  looking.used("4", "admin", 12_200);
  looking.used("5", "read", 12_300);
  looking.left();
  looking.left();
  assert.deepEqual(reported, ["3 60", "4 60", "4 60", "nothing 0"]);
});
