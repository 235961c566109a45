import assert from "node:assert/strict";
import { test } from "node:test";
import { programs, record } from "./support/record.ts";
import { recordings } from "./support/recordings.ts";

// PANEWARD_RECORD=all, or a comma-separated list, records again with this machine's programs.
const wanted = process.env.PANEWARD_RECORD?.split(",") ?? [];

for (const program of programs.filter(({ name }) => wanted.includes("all") || wanted.includes(name))) {
  test(`${program.name} is recorded`, () => record(program));
}

test("every program has a recording, and every recording a program", () => {
  assert.deepEqual(
    recordings()
      .map(({ name }) => name)
      .sort(),
    programs.map(({ name }) => name).sort(),
  );
});
