import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { operations } from "@paneward/sdk/operations";
import { describeInputErrors } from "./input-errors.ts";

describe("a wrong input is described in one sentence", () => {
  const argv = ["ls"];
  const table = [
    ["run", { argv, cwd: "/", columns: 9_999 }, "columns must be at most 1000"],
    ["run", { argv, cwd: "/", columns: 0, rows: 0 }, /^columns must be at least \d+; rows must be at least \d+$/],
    ["run", { argv: [], cwd: "/" }, "argv must have at least 1 entry"],
    ["run", { cwd: "/" }, "argv is missing"],
    ["run", { argv, cwd: "/", frob: 1, grob: 2 }, "there is no field frob, grob"],
    ["run", { argv, cwd: "/", name: "" }, /^name: a name has 1 to 60 of/],
    ["run", { argv, cwd: "/", env: { "A B": "1" } }, /^env\["A B"\]: /],
    ["read", { id: "t1", lines: 0 }, "lines must be at least 1"],
    ["wait", { ids: ["t1"], for: [{ kind: "frob" }] }, /^for\[0\]/],
  ] as const;

  for (const [name, input, words] of table) {
    test(`${name} ${JSON.stringify(input)}`, () => {
      const parsed = operations[name].input.strict().safeParse(input);
      assert.ok(parsed.error);
      const described = describeInputErrors(parsed.error);
      if (typeof words === "string") assert.equal(described, words);
      else assert.match(described, words);
    });
  }
});
