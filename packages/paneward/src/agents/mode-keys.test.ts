import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { keysKind, piecesOf } from "../model/courier/key-kinds.ts";
import { keyNeedsApproval } from "../model/courier/needs-approval.ts";
import type { Agent } from "./agent.ts";
import * as builtIn from "./built-in.ts";

const esc = "\u001b";
const idle = { inMode: false, isAgent: true, hasLine: true, draft: "" } as const;

function needsByKeys({ modeKeys }: Agent, ...keys: readonly string[]): boolean {
  return keyNeedsApproval(idle, keysKind(keys, modeKeys), undefined) !== undefined;
}

function needsByBytes({ modeKeys }: Agent, bytes: string): boolean {
  return piecesOf(bytes, modeKeys).some((piece) => keyNeedsApproval(idle, piece, undefined) !== undefined);
}

const shiftTab = {
  keys: ["BTab", "S-Tab", "S-BTab", "C-S-Tab", "M-BTab", "M-["],
  bytes: [
    `${esc}[Z`,
    `${esc}[1;2Z`,
    `${esc}[9;2u`,
    `${esc}[9;66u`,
    `${esc}[9;2:1u`,
    `${esc}[27;2;9~`,
    `${esc}${esc}[Z`,
  ],
};
const controlY = {
  keys: ["C-y", "C-Y", "C-S-y", "M-C-y"],
  bytes: [
    "\u0019",
    "a\u0019",
    "\u0001\u0019",
    `${esc}[121;5u`,
    `${esc}[1085::121;5u`,
    `${esc}[27;5;121~`,
    `${esc}\u0019`,
  ],
};

const switching: Readonly<Record<string, readonly (typeof shiftTab)[]>> = {
  claude: [shiftTab, { keys: ["M-m"], bytes: [`${esc}m`] }],
  codex: [shiftTab],
  gemini: [shiftTab, controlY],
  opencode: [shiftTab, { keys: ["Tab", "C-p", "C-x", "C-i"], bytes: ["\t", "a\t", "\u0010", "\u0018"] }],
  pi: [],
  shell: [],
};

// What a person types into an input line, and what a terminal reports by itself.
const typing = {
  keys: [
    "a",
    "Z",
    "[",
    "Space",
    "Enter",
    "Escape",
    "BSpace",
    "Up",
    "S-Up",
    "C-Left",
    "M-Enter",
    "M-b",
    "C-u",
    "C-c",
    "F5",
  ],
  bytes: [
    ...[
      "hello",
      "[Z",
      "\r",
      "\u0003",
      "\u0015",
      "\u007f",
      esc,
      `${esc}\r`,
      `${esc}b`,
      `${esc}[A`,
      `${esc}[1;5D`,
      `${esc}OB`,
    ],
    ...[
      `${esc}[3~`,
      `${esc}[3;5~`,
      `${esc}[15~`,
      `${esc}[I`,
      `${esc}[<0;5;7M`,
      `${esc}[<35;5;7m`,
      `${esc}[?1;2c`,
      `${esc}[4;9R`,
    ],
    `${esc}[200~a\tb${esc}[201~`,
  ],
};

describe("keys that switch what an agent does without asking need the scope approve", () => {
  for (const agent of Object.values<Agent>(builtIn)) {
    test(agent.name, () => {
      for (const { keys, bytes } of switching[agent.name] ?? assert.fail(`no row for ${agent.name}`)) {
        for (const key of keys) assert.ok(needsByKeys(agent, "a", key), key);
        for (const one of bytes) assert.ok(needsByBytes(agent, one), JSON.stringify(one));
      }
      for (const key of typing.keys) assert.ok(!needsByKeys(agent, key), key);
      for (const one of typing.bytes) assert.ok(!needsByBytes(agent, one), JSON.stringify(one));
    });
  }

  test("whatever is around them", () => {
    const around = ["", ...typing.bytes];
    for (const key of [`${esc}[Z`, "\u0019", `${esc}[9;2u`, `${esc}[121;5u`]) {
      for (const sent of around.flatMap((before) => around.map((after) => before + key + after))) {
        assert.ok(needsByBytes(builtIn.gemini, sent), JSON.stringify(sent));
      }
    }
  });
});
