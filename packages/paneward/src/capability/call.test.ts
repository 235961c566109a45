import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CapabilityAction, callText, capabilityActionNames, capabilityActions } from "@paneward/sdk/reference";
import { callFrom, callFromTag } from "./call.ts";
import { Refusal } from "./result.ts";
import { findTags } from "./tags.ts";

function read(text: string) {
  const [found] = findTags(text);
  assert.ok(found && "tag" in found, JSON.stringify(found));
  return callFromTag(found.tag);
}

function refusalOf(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error;
  }
  throw new Error("nothing was refused");
}

describe("a call", () => {
  test("gets its action's defaults", () => {
    assert.deepEqual(read('<capability name="tmux" action="read" />'), {
      action: "read",
      params: { lines: 100, all: false, since: false },
    });
    assert.deepEqual(read('<capability name="tmux" action="send" command="ls"/>'), {
      action: "send",
      params: { command: "ls", clear: false },
    });
    assert.deepEqual(read('<capability name="tmux" action="split" direction="vertical"/>'), {
      action: "split",
      params: { direction: "vertical" },
    });
  });

  test("accepts text for numbers and booleans", () => {
    const { params } = read('<capability name="tmux" action="read" lines=" 50" all="TRUE" since="0" pane=" 01.02 "/>');
    assert.deepEqual(params, { pane: "1.2", lines: 50, all: true, since: false });
  });

  test("prefers data over attributes, and takes the command from the body", () => {
    const call = read(
      `<capability name="tmux" action="send" pane="0.0" data='{"pane":"2.1","clear":true}'> ls </capability>`,
    );
    assert.deepEqual(call, { action: "send", params: { pane: "2.1", command: "ls", clear: true } });
  });

  test("of a window may have a second name attribute", () => {
    const window = { action: "window", params: { name: "experiments" } };
    assert.deepEqual(read('<capability name="tmux" action="window" name="experiments" />'), window);
    assert.deepEqual(read(`<capability name="tmux" action="window" data='{"name":"experiments"}' />`), window);
    assert.deepEqual(callFrom("window", new Map([["name", "experiments"]])), window);
  });

  test("names its host", () => {
    assert.equal(read('<capability name="tmux" action="list" host="sandbox" />').host, "sandbox");
  });

  for (const action of capabilityActionNames) {
    test(`${action} accepts its own example`, () => {
      const { example }: CapabilityAction = capabilityActions[action];
      assert.equal(read(callText(action, example)).action, action);
    });
  }
});

describe("a wrong call", () => {
  const cases: readonly (readonly [string, RegExp, string])[] = [
    ['name="tmux"', /needs an action/, callText("list")],
    ['action="list"', /needs the name of a capability/, callText("list")],
    ['name="shell" action="read"', /no capability 'shell'/, callText("read")],
    ['name="tmux" action="raed"', /did you mean 'read'/, callText("read")],
    ['name="tmux" action="send"', /'command' is missing/, callText("send", { command: "npm test" })],
    [
      'name="tmux" action="send" cmd="ls" pane="1.1"',
      /no parameter 'cmd'; did you mean 'command'/,
      callText("send", { pane: "1.1", command: "ls" }),
    ],
    [
      'name="tmux" action="read" lines="0" since="true"',
      /'lines' must be a whole number from 1/,
      callText("read", { lines: "50", since: "true" }),
    ],
    ['name="tmux" action="list" pane="0.0" pane="0.1"', /pane is given twice/, callText("list")],
    [`name="tmux" action="list" data="[1]"`, /'data' must be a JSON object/, callText("list")],
    [
      `name="tmux" action="send" data='{"command": {"a": 1}}'`,
      /'command' must be text/,
      callText("send", { command: "npm test" }),
    ],
  ];
  for (const [written, error, suggestion] of cases) {
    test(`${written} is refused with a corrected call`, () => {
      const refusal = refusalOf(() => read(`<capability ${written} />`));
      assert.match(refusal.message, error);
      assert.equal(refusal.suggestion, suggestion);
    });
  }

  test("with a name from Object.prototype is unknown like any other", () => {
    for (const name of ["constructor", "__proto__", "toString"]) {
      assert.match(refusalOf(() => callFrom(name, new Map())).message, /no action/);
      assert.match(refusalOf(() => callFrom("list", new Map([[name, "x"]]))).message, /no parameter/);
    }
  });
});
