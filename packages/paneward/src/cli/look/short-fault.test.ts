import assert from "node:assert/strict";
import { test } from "node:test";
import { shortFault } from "./short-fault.ts";

test("of what SQLite says about a damaged file, one line is shown; other texts are left as they are", () => {
  const cases = [
    [
      "the database is damaged: *** in database main ***\nTree 23 page 23: btreeInitPage() returns error code 11\nPage 24: never used",
      "the database is damaged: Tree 23 page 23: btreeInitPage() returns error code 11",
    ],
    ["the database is damaged: file is not a database", "the database is damaged: file is not a database"],
    ["could not be started: code 1\n  line of the log", "could not be started: code 1\n  line of the log"],
  ] as const;
  for (const [said, shown] of cases) assert.equal(shortFault(said), shown);
});
