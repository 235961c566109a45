import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeliveryContent } from "../records.ts";
import { besideLine } from "./beside-line.ts";
import type { Sight } from "./submission.ts";

const rests: Sight = { inMode: false, isAgent: true, hasLine: true };
const wish: DeliveryContent = { text: "hello", enter: true, keys: [], force: false };
const asks = (kind: "permission" | "password" | "text") => ({ question: { kind, text: "May it?" } as const });

for (const [name, sight, wanted, kind] of [
  ["a prompt, while its input line cannot be seen", {}, {}, "prompt"],
  ["a prompt beside a draft", { draft: "half" }, {}, "prompt"],
  ["in copy mode", { inMode: true }, {}, "prompt"],
  ["before an empty input line", { draft: "" }, {}, "prompt"],
  ["behind a dialog", asks("permission"), {}, "held"],
  ["behind a dialog in copy mode", { ...asks("permission"), inMode: true }, {}, "held"],
  ["forced where there is no draft", {}, { force: true }, "prompt"],
  ["forced behind a draft", { draft: "half" }, { force: true }, "keys"],
  ["forced behind a dialog", asks("permission"), { force: true }, "held"],
  ["in the agent's shell", { inShell: true, draft: "!" }, {}, "keys"],
  ["a secret", { hidden: true }, {}, "keys"],
  ["at a password prompt", asks("password"), {}, "keys"],
  ["a command", {}, { command: true }, "keys"],
  ["without Enter", {}, { enter: false }, "keys"],
  ["keys", {}, { text: "", keys: ["Escape"], enter: false }, "keys"],
  ["nothing but blanks", {}, { text: " \n" }, "keys"],
  ["to a plain program", { isAgent: false }, {}, "keys"],
] satisfies readonly (readonly [string, Partial<Sight>, Partial<DeliveryContent>, string])[]) {
  test(`beside the input line, ${name}: ${kind}`, () => {
    const way = besideLine({ ...rests, ...sight }, { ...wish, ...wanted });
    assert.equal(way.kind, kind);
    if (way.kind === "held") assert.deepEqual([way.reason, way.release.length > 0], ["it asks: May it?", true]);
  });
}
