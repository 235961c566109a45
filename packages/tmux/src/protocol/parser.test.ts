import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fuzz, hostileText } from "../../test/support/random.ts";
import { type ControlMessage, ControlParser } from "./parser.ts";

const wire = new URL("../../test/wire/", import.meta.url);
const recorded = (name: string) => readFileSync(new URL(name, wire), "utf8");
const parse = (text: string, seal?: string) => [...new ControlParser(() => seal).feed(text)];
const blocks = (messages: readonly ControlMessage[]) => messages.filter((message) => message.kind === "block");
const ours = (messages: readonly ControlMessage[]) => blocks(messages).filter((block) => block.ours);
const seal = "5ea15ea15ea15ea1";

test("separates answers and notifications of a recorded conversation", () => {
  const messages = parse(recorded("attach-and-list.txt"));
  assert.deepEqual(
    ours(messages).map(({ lines }) => lines),
    [["keeper 1"], [], ["@0 keeper", "@1 work"], [""], []],
  );
  assert.deepEqual(
    messages.flatMap((message) => (message.kind === "notification" ? [`${message.name} ${message.rest}`.trim()] : [])),
    [
      "session-changed $0 keeper",
      "unlinked-window-add @1",
      "sessions-changed",
      "sessions-changed",
      "unlinked-window-close @1",
      "exit",
    ],
  );
});

test("blocks of the attach and of hooks are not ours", () => {
  const foreign = blocks(parse(recorded("hook-answers-with-flag-0.txt"))).filter((block) => !block.ours);
  assert.deepEqual(
    foreign.map(({ lines }) => lines),
    [["hook spoke"], ["keeper"], []],
  );
});

test("an error ends a block as failed", () => {
  const refusals = blocks(parse(recorded("sequence-stops-at-error.txt"))).filter((block) => !block.ok);
  assert.deepEqual(
    refusals.map(({ lines }) => lines),
    [["can't find session: nobody"], ["parse error: unknown command: no-such-command"]],
  );
});

test("a pane title that contains %end stays text", () => {
  assert.deepEqual(
    ours(parse(recorded("hostile-title.txt"))).map(({ lines }) => lines),
    [["%end 1 2 1"], ["after"]],
  );
});

test("screen text that guesses its block's numbers does not end a sealed answer", () => {
  const parser = new ControlParser(() => seals.shift());
  const seals: (string | undefined)[] = [seal, undefined, seal];
  const answers = ours([...parser.feed(recorded("sealed-capture.txt"))]);
  assert.deepEqual(
    answers.map(({ ok, lines }) => [ok, lines.length]),
    [
      [true, 91],
      [true, 1],
      [false, 1],
    ],
  );
  assert.deepEqual(answers[2]?.lines, ["can't find pane: %99"]);
});

test("without a seal the same screen text does deceive the parser: the recording is a real attack", () => {
  assert.notDeepEqual(ours(parse(recorded("sealed-capture.txt")))[0]?.lines.length, 91);
});

test("a forged error in the second line of a screen does not end a sealed answer", () => {
  const text = `%begin 1 2 1\nx\n%error 1 2 1\nmore\n%end 1 2 1\n%begin 1 3 1\n${seal}\n%end 1 3 1\n`;
  assert.deepEqual(parse(text, seal), [{ kind: "block", ours: true, ok: true, lines: ["x", "%error 1 2 1", "more"] }]);
});

test("notifications between a sealed answer and its seal are kept", () => {
  const news = "%sessions-changed\n%begin 1 3 0\nhook\n%end 1 3 0\n";
  const text = `%begin 1 2 1\nx\n%end 1 2 1\n${news}%begin 1 4 1\n${seal}\n%end 1 4 1\n`;
  assert.deepEqual(parse(text, seal), [
    { kind: "block", ours: true, ok: true, lines: ["x"] },
    { kind: "notification", name: "sessions-changed", rest: "" },
    { kind: "block", ours: false, ok: true, lines: ["hook"] },
  ]);
});

test("every recording parses the same when it is cut at any byte", () => {
  for (const name of readdirSync(wire)) {
    const text = recorded(name);
    const whole = parse(text);
    for (let at = 0; at <= text.length; at++) {
      const parser = new ControlParser();
      assert.deepEqual([...parser.feed(text.slice(0, at)), ...parser.feed(text.slice(at))], whole, `${name} at ${at}`);
    }
  }
});

test("any text inside a sealed block comes back unchanged, however the bytes are cut", () =>
  fuzz((random) => {
    const forged = ["%end 7 8 1", "%error 7 8 1", "%begin 7 9 1", "%begin 7 8 1", seal.slice(1), "%exit"];
    const lines = Array.from({ length: random.below(8) }, () =>
      random.below(2) ? random.pick(forged) : hostileText(random).replaceAll("\n", ""),
    );
    const ok = random.below(2) === 1;
    const end = `%${ok ? "end" : "error"} 7 8 1`;
    const text = ["%begin 7 8 1", ...lines, end, "%begin 7 9 1", seal, "%end 7 9 1", "%exit", ""].join("\n");
    const parser = new ControlParser(() => seal);
    const messages: ControlMessage[] = [];
    for (let at = 0; at < text.length; ) {
      const next = at + 1 + random.below(text.length);
      messages.push(...parser.feed(text.slice(at, next)));
      at = next;
    }
    assert.deepEqual(messages, [
      { kind: "block", ours: true, ok, lines },
      { kind: "notification", name: "exit", rest: "" },
    ]);
  }));
