import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type Answer, Conversation } from "./conversation.ts";
import type { Sequence } from "./quote.ts";

const recorded = (name: string) => readFileSync(new URL(`../../test/wire/${name}`, import.meta.url), "utf8");

function ask(conversation: Conversation, sequence: Sequence, answers: (Answer | string)[], seal?: string): string {
  return conversation.ask({
    sequence,
    ...(seal === undefined ? {} : { seal }),
    onAnswer: (answer) => answers.push(answer),
    onAbandoned: (reason) => answers.push(reason),
  });
}

test("several commands on one line are one answer, which ends at the first error", () => {
  const conversation = new Conversation({});
  const answers: (Answer | string)[] = [];
  ask(conversation, [["a"], ["b"], ["c"]], answers);
  ask(conversation, [["d"]], answers);
  ask(conversation, [["e"]], answers);
  ask(conversation, [["f"]], answers);
  ask(conversation, [["g"], ["h"]], answers);
  conversation.receive(recorded("sequence-stops-at-error.txt"));
  assert.deepEqual(answers, [
    { ok: false, error: "can't find session: nobody", done: 1 },
    { ok: true, lines: ["four"] },
    { ok: false, error: "parse error: unknown command: no-such-command", done: 0 },
    { ok: true, lines: ["five"] },
    { ok: true, lines: ["six", "seven"] },
  ]);
  assert.equal(conversation.unanswered, 0);
});

test("output of a hook answers no request", () => {
  const foreign: (readonly string[])[] = [];
  const conversation = new Conversation({ onForeignBlock: (_, lines) => foreign.push(lines) });
  const answers: (Answer | string)[] = [];
  ask(conversation, [["new-window"]], answers);
  ask(conversation, [["display-message"]], answers);
  conversation.receive(recorded("hook-answers-with-flag-0.txt"));
  assert.deepEqual(answers, [
    { ok: true, lines: ["@2"] },
    { ok: true, lines: ["after"] },
  ]);
  assert.deepEqual(foreign, [["hook spoke"], ["keeper"], []]);
});

test("the seal is sent on a line of its own, so that it also follows an error", () => {
  const conversation = new Conversation({});
  const written = ask(conversation, [["capture-pane", "-p"]], [], "abc");
  assert.equal(written, '"capture-pane" "-p"\n"display-message" "-p" "abc"\n');
});

test("a forged end in a sealed answer does not shift later answers", () => {
  const conversation = new Conversation({});
  const answers: (Answer | string)[] = [];
  ask(conversation, [["capture-pane"]], answers, "5ea15ea15ea15ea1");
  ask(conversation, [["display-message"]], answers);
  ask(conversation, [["capture-pane"]], answers, "5ea15ea15ea15ea1");
  conversation.receive(recorded("sealed-capture.txt"));
  const [captured] = answers as Answer[];
  assert.equal(captured?.ok && captured.lines.length, 91);
  assert.deepEqual(answers.slice(1), [
    { ok: true, lines: ["after"] },
    { ok: false, error: "can't find pane: %99", done: 0 },
  ]);
});

test("each command's answer is reported as it arrives", () => {
  const conversation = new Conversation({});
  const reported: string[] = [];
  conversation.ask({
    sequence: [["a"], ["b"]],
    onAnswer: () => reported.push("done"),
    onAbandoned: () => {},
    onBlock: (lines, index) => reported.push(`${index} ${lines.join()}`),
  });
  conversation.receive("%begin 1 1 1\nx\n%end 1 1 1\n");
  assert.deepEqual(reported, ["0 x"]);
  conversation.receive("%begin 1 2 1\ny\n%end 1 2 1\n");
  assert.deepEqual(reported, ["0 x", "1 y", "done"]);
});

test("requests unanswered when the connection ends are returned once, oldest first", () => {
  const conversation = new Conversation({});
  const answers: (Answer | string)[] = [];
  ask(conversation, [["a"]], answers);
  ask(conversation, [["b"]], answers);
  assert.deepEqual(
    conversation.abandon().map(({ sequence }) => sequence),
    [[["a"]], [["b"]]],
  );
  assert.equal(conversation.abandon().length, 0);
  conversation.receive("%begin 1 1 1\nlate\n%end 1 1 1\n");
  assert.deepEqual(answers, []);
});

test("a notification reaches its listener with name and rest", () => {
  const news: string[] = [];
  const conversation = new Conversation({ onNotification: (name, rest) => news.push(`${name}|${rest}`) });
  conversation.receive(recorded("server-exits.txt"));
  assert.deepEqual(news, ["session-changed|$0 keeper", "sessions-changed|", "exit|"]);
});
