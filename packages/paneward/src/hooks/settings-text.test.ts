import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { HookSettings } from "../agents/agent.ts";
import { hookCommand } from "../agents/hook-script.ts";
import { parseJsonc, valueFrom } from "./parse-jsonc.ts";
import { oursIn, withHooks, withoutHooks } from "./settings-text.ts";

const handler = (mode: "tell" | "ask") =>
  ({ type: "command", command: hookCommand("/s/h.sh", mode, "claude"), timeout: 5 }) as const;
const hooks: HookSettings = { Stop: [{ hooks: [handler("tell")] }], PermissionRequest: [{ hooks: [handler("ask")] }] };
const read = (text: string) =>
  valueFrom(parseJsonc(text)) as Record<string, unknown> & { hooks: Record<string, unknown[]> };

/** Settings as people have them; each must come back byte for byte. */
const shapes: Readonly<Record<string, string>> = {
  "an empty object": "{}",
  "an empty object with a line's end": "{}\n",
  "an empty object with blanks": "{ \n\n }\n",
  "one line": '{"model":"opus"}',
  "one line with blanks": '{ "model": "opus", "env": { "A": "1" } }\n',
  "two blanks": '{\n  "model": "opus"\n}\n',
  "four blanks": '{\n    "model": "opus",\n    "env": {\n        "A": "1"\n    }\n}\n',
  tabs: '{\n\t"model": "opus"\n}',
  "Windows lines": '{\r\n  "model": "opus"\r\n}\r\n',
  "a byte order mark": '\ufeff{\n  "model": "opus"\n}\n',
  "commas first": '{ "model": "opus"\n, "env": {}\n}\n',
  "a brace on the last line": '{\n  "model": "opus"}\n',
  "a comment behind the last": '{\n  "model": "opus" // the big one\n}\n',
  "a block behind the last": '{\n  "model": "opus" /* big */ // yes\n}\n',
  "comments everywhere":
    '// mine\n{\n  // first\n  "model": "opus", /* a, b */\n  "env": {} // none\n  // end\n}\n// bye\n',
  "only a comment": "{\n  // nothing yet\n}\n",
  "a comment and no line": "{ /* nothing yet */ }",
  "no hooks in hooks": '{\n  "hooks": {}\n}\n',
  "no hooks in hooks, in one line": '{"hooks":{},"model":"opus"}',
  "an empty list": '{\n  "hooks": {\n    "Stop": []\n  }\n}\n',
  "lists with blanks": '{\n  "hooks": { "Stop": [ ], "Other": [] },\n  "model": "opus"\n}\n',
  "a hook of the user's":
    '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] }\n    ]\n  }\n}\n',
  "a hook of the user's for another event":
    '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]}]}}',
  "hooks with comments":
    '{\n  "hooks": {\n    "Stop": [ // at the end\n      { "hooks": [] } // none\n    ] // of it\n  },\n  "z": 1\n}\n',
  "a name that looks like ours":
    '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "echo paneward" }] }]\n  }\n}\n',
  "strings that look like JSON": '{\n  "a": "}, // \\" ]",\n  "b": "\\u007b"\n}\n',
  "big numbers": '{\n  "n": 12345678901234567890.10,\n  "e": 1E+5\n}\n',
  "a list in one line below a brace": '{ "hooks": {\n"PermissionRequest":[ ],"Other":[ ]}\t}\n',
  "tabs and blanks mixed": '{\n\t "a": [\n\t   1,\n2 ] ,\n "b":{"c":{"d":{"e":[[[{}]]]}}}}',
  "a name that objects have": '{\n  "__proto__": { "a": 1 }\n}\n',
  nothing: "",
  "a line's end": "\n",
};

describe("hooks in settings", () => {
  for (const [name, text] of Object.entries(shapes)) {
    test(`${name}: added after the user's, recognized, and removed without a trace`, () => {
      const installed = withHooks(text, hooks);
      const before = (text.trim() === "" ? {} : read(text)) as Partial<ReturnType<typeof read>>;
      const wanted: Record<string, unknown[]> = { ...before.hooks };
      for (const [event, entries] of Object.entries(hooks)) wanted[event] = [...(wanted[event] ?? []), ...entries];
      assert.deepEqual(read(installed), { ...before, hooks: wanted });
      assert.deepEqual(oursIn(installed), hooks);
      assert.equal(withoutHooks(installed, text), text);
      assert.equal(withHooks(withoutHooks(installed, text), hooks), installed);
    });

    test(`${name}: removed when something else was changed meanwhile`, () => {
      const changed = withHooks(text, hooks).replace(/\}(?=[^}]*$)/, ',\n"added": { "by": "user" } }');
      const left = withoutHooks(changed, text);
      const before = text.trim() === "" ? {} : read(text);
      assert.deepEqual(read(left), { ...before, added: { by: "user" } });
      for (const comment of text.match(/\/\/ \w+.*|\/\* .*? \*\//g) ?? []) assert.ok(left.includes(comment), comment);
    });

    test(`${name}: removed without a backup`, () => {
      assert.deepEqual(oursIn(withoutHooks(withHooks(text, hooks))), {});
    });
  }

  test("later changes of the user stay exactly as written", () => {
    const text =
      '{\n  "model": "opus", // big\n  "hooks": {\n    "Stop": [\n      {"hooks": []}  // mine\n    ]\n  }\n}\n';
    const change = (now: string) => now.replace('"opus"', '"haiku"').replace("{\n", '{\n  "new":  [1,2],\n');
    assert.equal(withoutHooks(change(withHooks(text, hooks)), text), change(text));
  });

  test("those of another version are recognized and replaced", () => {
    const text = shapes["a hook of the user's"] ?? "";
    const old = withHooks(text, { Stop: hooks.Stop ?? [], Forgotten: [{ hooks: [handler("ask")] }] });
    assert.equal(withoutHooks(old, text), text);
  });

  test("one that the user moved beside their own is removed alone", () => {
    const own = { type: "command", command: "say done" };
    for (const beside of [
      [own, handler("tell")],
      [handler("tell"), own],
      [handler("tell"), own, handler("ask")],
    ]) {
      const text = JSON.stringify({ hooks: { Stop: [{ matcher: "x", hooks: beside }] } }, undefined, 2);
      assert.deepEqual(read(withoutHooks(text)), { hooks: { Stop: [{ matcher: "x", hooks: [own] }] } });
    }
  });

  test("a line comment never swallows a bracket", () => {
    const text = `{"hooks":{"Stop":[{"hooks":[]}, // mine\n${JSON.stringify(hooks.Stop?.[0])}]}}`;
    assert.deepEqual(read(withoutHooks(text)), { hooks: { Stop: [{ hooks: [] }] } });
  });

  const refused: readonly (readonly [text: string, why: RegExp])[] = [
    ["{", /line 1, column 2/],
    ['{\n  "a": 1,\n}', /line 3, column 1: nothing follows the comma/],
    ['{"a": 1} x', /text after the value/],
    ["{'a': 1}", /double quotes/],
    ['{"a" 1}', /":" is missing/],
    ['{"a": 1 "b": 2}', /"," is missing/],
    ['{"a": undefined}', /is neither a JSON value nor/],
    ['{"a": "\\x"}', /is neither a JSON value nor/],
    ['{"a": 01}', /01 is neither a JSON value/],
    ['{"hooks": {}, "hooks": {}}', /duplicate key "hooks"/],
    ["[]", /the file is not an object/],
    ['"text"', /the file is not an object/],
    ['{"hooks": []}', /"hooks" is not an object/],
    ['{"hooks": {"Stop": {}}}', /"hooks\.Stop" is not a list/],
    ["{/* ", /line 1/],
    ['{"a": "one\ntwo"}', /line 1, column 7/],
    ['{"a": [1,\r\n2,]}', /line 2, column 3: nothing follows the comma/],
    ['{"a": {"b": 1, "b": 2}}', /line 1, column 16: duplicate key "b"/],
    ['\ufeff{"a": ', /line 1, column 8: the text ends early/],
    ["[".repeat(100_000), /nested too deeply/],
  ];
  for (const [text, why] of refused) {
    test(`${text.slice(0, 40)} is refused`, () => assert.throws(() => withHooks(text, hooks), { message: why }));
  }
});
