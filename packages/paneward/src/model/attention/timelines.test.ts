import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answered } from "./answered.ts";
import type { Asked, Detail, Evidence, Says, Witness } from "./evidence.ts";
import { judge } from "./judge.ts";
import { remember } from "./remember.ts";
import { begun, hasReported, starting } from "./starting.ts";

/** A moment: what is reported then, and the verdict that must follow, with the witness that decides it. */
type Step = readonly [at: number, heard: readonly Said[], says: Says, by: Witness, detail?: Detail];
type Said = (now: number) => Evidence;

const question: Asked = { text: "Do you want to proceed?", options: [{ key: "1", label: "Yes", selected: true }] };

const say =
  (witness: Witness) =>
  (says: Says, rule = "", more: Partial<Evidence> = {}): Said =>
  (now) => ({ witness, says, at: now, rule, ...more });
const hook = say("hook");
const file = say("state_file");
const title = say("title");
const osc = say("osc");
const screen = say("screen");
const output = say("output")("working", "output");
const silence = say("silence")("idle", "no output for 1 s");
const bell = say("bell")("needs_input", "bell");
const exit = say("exit")("unknown", "killed by signal 9");
const dialog = screen("needs_input", "numbered options", { question });
const asking = hook("needs_input", "PermissionRequest", { question });
const backgroundWork = { detail: "background_work" } as const;
const background = ["working", "screen", "background_work"] as const;
const stopWithBackground = hook("working", "Stop with background tasks", { detail: "background_work" });

const claude: Readonly<Record<string, readonly Step[]>> = {
  "plain turn": [
    [0, [hook("working", "UserPromptSubmit")], "working", "hook"],
    [15, [file("working", "busy")], "working", "state_file"],
    [2_000, [output, hook("idle", "Stop")], "idle", "hook"],
    [2_050, [file("idle", "idle")], "idle", "state_file"],
    [3_100, [silence], "idle", "state_file"],
    [62_000, [hook("idle", "Notification idle_prompt")], "idle", "hook"],
  ],
  "permission approved": [
    [0, [hook("working", "UserPromptSubmit"), file("working")], "working", "hook"],
    [100, [hook("working", "PreToolUse")], "working", "hook"],
    [162, [hook("needs_input", "PermissionRequest")], "needs_input", "hook"],
    [170, [file("needs_input", "waiting: permission prompt")], "needs_input", "state_file"],
    [800, [output, dialog], "needs_input", "state_file"],
    [6_162, [hook("needs_input", "Notification permission_prompt")], "needs_input", "hook"],
    [9_000, [file("working", "busy"), screen("working", "esc to interrupt")], "working", "state_file"],
    [9_200, [hook("working", "PostToolUse"), hook("working", "PostToolBatch")], "working", "hook"],
    [9_500, [hook("idle", "Stop")], "idle", "hook"],
    [9_550, [file("idle")], "idle", "state_file"],
  ],
  "denied by Escape, which fires no hook": [
    [0, [hook("working", "UserPromptSubmit"), file("working")], "working", "hook"],
    [162, [hook("needs_input", "PermissionRequest")], "needs_input", "hook"],
    [170, [file("needs_input")], "needs_input", "state_file"],
    [5_000, [file("idle", "idle")], "idle", "state_file"],
    [5_900, [silence], "idle", "state_file"],
  ],
  "denied, and only the screen can be read": [
    [0, [hook("working", "UserPromptSubmit")], "working", "hook"],
    [162, [hook("needs_input", "PermissionRequest")], "needs_input", "hook"],
    [700, [output, dialog], "needs_input", "hook"],
    [5_000, [output, screen("idle", "empty prompt box")], "idle", "screen"],
  ],
  "the dialog is drawn after the hook: the old screen does not count": [
    [0, [hook("working", "UserPromptSubmit"), screen("working", "esc to interrupt")], "working", "hook"],
    [162, [hook("needs_input", "PermissionRequest")], "needs_input", "hook"],
    [500, [output, screen("working", "esc to interrupt")], "needs_input", "hook"],
    [900, [output, dialog], "needs_input", "hook"],
  ],
  "Escape while it streams": [
    [0, [hook("working", "UserPromptSubmit"), file("working")], "working", "hook"],
    [1_500, [output], "working", "hook"],
    [1_600, [file("idle")], "idle", "state_file"],
  ],
  "Escape while it streams, and only the screen can be read": [
    [0, [hook("working", "UserPromptSubmit")], "working", "hook"],
    [400, [output, screen("working", "esc to interrupt")], "working", "hook"],
    [1_600, [output, screen("idle", "interrupted")], "idle", "screen"],
  ],
  "a question of its own, answered, then one that Escape closes": [
    [0, [hook("working", "UserPromptSubmit"), file("working")], "working", "hook"],
    [150, [hook("needs_input", "PermissionRequest AskUserQuestion", { question })], "needs_input", "hook"],
    [160, [file("needs_input", "waiting: input needed")], "needs_input", "state_file"],
    [4_000, [file("working")], "working", "state_file"],
    [4_100, [hook("working", "PostToolUse AskUserQuestion")], "working", "hook"],
    [4_400, [hook("needs_input", "PermissionRequest AskUserQuestion")], "needs_input", "hook"],
    [8_000, [file("idle")], "idle", "state_file"],
  ],
  "a subagent works on after Stop, asks, and ends": [
    [0, [hook("working", "UserPromptSubmit"), file("working")], "working", "hook"],
    [300, [hook("working", "PostToolUse async_launched")], "working", "hook"],
    [600, [stopWithBackground], "working", "hook", "background_work"],
    [650, [file("idle"), title("idle")], "working", "hook", "background_work"],
    [3_000, [silence, screen("idle", "empty prompt box")], "working", "hook", "background_work"],
    [3_400, [hook("needs_input", "PermissionRequest of the subagent")], "needs_input", "hook"],
    [3_410, [file("needs_input")], "needs_input", "state_file"],
    [7_000, [file("working"), hook("working", "PostToolUse")], "working", "hook"],
    [8_000, [hook("working", "SubagentStop")], "working", "hook"],
    [8_100, [hook("working", "UserPromptSubmit <task-notification>")], "working", "hook"],
    [9_000, [hook("idle", "Stop"), file("idle")], "idle", "hook"],
  ],
  "a shell works on after the turn, and only file and screen can be read": [
    [0, [file("working"), screen("working")], "working", "state_file"],
    [2_000, [file("idle")], "idle", "state_file"],
    [2_200, [output, screen("working", "1 shell still running", backgroundWork)], ...background],
    [9_000, [file("idle"), silence], ...background],
    [60_000, [file("working")], "working", "state_file"],
    [99_000, [output, file("idle"), screen("idle", "its input line waits")], "idle", "state_file"],
  ],
  "the same when its file says busy as long as the shell runs": [
    [0, [file("working"), screen("working")], "working", "state_file"],
    [2_200, [output, screen("working", "1 shell", backgroundWork)], "working", "state_file", "background_work"],
    [9_000, [silence], "working", "state_file", "background_work"],
    [60_000, [output, screen("working", "esc to interrupt")], "working", "state_file"],
  ],
  "/clear": [
    [0, [hook("idle", "Stop"), file("idle")], "idle", "hook"],
    [5_000, [hook("idle", "SessionEnd clear")], "idle", "hook"],
    [5_050, [hook("idle", "SessionStart clear")], "idle", "hook"],
    [9_000, [hook("working", "UserPromptSubmit")], "working", "hook"],
  ],
  "kill -9 leaves the file as it was": [
    [0, [hook("working", "UserPromptSubmit"), file("working")], "working", "hook"],
    [3_000, [exit], "unknown", "exit"],
    [9_000, [silence, () => file("working")(0)], "unknown", "exit"],
  ],
  "a prompt that was queued while it works": [
    [0, [hook("working", "UserPromptSubmit"), file("working")], "working", "hook"],
    [1_000, [hook("working", "UserPromptSubmit with the running turn's id")], "working", "hook"],
    [3_000, [hook("idle", "Stop")], "idle", "hook"],
    [3_040, [file("working", "still busy")], "idle", "hook"],
    [3_260, [file("working", "still busy")], "working", "state_file"],
    [5_000, [hook("idle", "Stop")], "idle", "hook"],
    [5_040, [file("idle")], "idle", "state_file"],
  ],
  "!cmd: Stop without a prompt": [
    [0, [file("idle")], "idle", "state_file"],
    [1_000, [file("working")], "working", "state_file"],
    [2_000, [hook("idle", "Stop")], "idle", "hook"],
  ],
  "a busy machine draws the dialog seconds after its hook": [
    [0, [file("working"), screen("working")], "working", "state_file"],
    [100, [asking], "needs_input", "hook"],
    [1_500, [file("working"), screen("working")], "needs_input", "hook"],
    [3_000, [output, dialog], "needs_input", "hook"],
    [4_000, [file("working"), screen("working")], "working", "screen"],
  ],
  "a dialog that its hook reported was never drawn": [
    [0, [screen("working")], "working", "screen"],
    [100, [asking], "needs_input", "hook"],
    [5_200, [screen("working")], "working", "screen"],
  ],
  "the last hook came after the file and was wrong": [
    [0, [hook("needs_input", "PermissionRequest"), file("needs_input")], "needs_input", "hook"],
    [5_900, [file("idle")], "idle", "state_file"],
    [6_162, [hook("needs_input", "Notification permission_prompt")], "needs_input", "hook"],
    [6_700, [file("idle")], "idle", "state_file"],
  ],
  "a menu that the file knows nothing about": [
    [0, [file("idle")], "idle", "state_file"],
    [4_000, [output, dialog], "needs_input", "screen"],
  ],
  "a question shows while the file says busy": [
    [0, [file("working")], "working", "state_file"],
    [4_000, [output, dialog], "working", "state_file"],
    [4_600, [], "working", "state_file"],
    [4_800, [], "needs_input", "screen"],
  ],
  "output is reported late, beside a hook that said that it rests": [
    [0, [hook("idle", "SessionStart")], "idle", "hook"],
    [1_000, [dialog], "needs_input", "screen"],
    [1_360, [output], "needs_input", "screen"],
    [1_600, [dialog], "needs_input", "screen"],
    [1_900, [screen("idle")], "idle", "hook"],
  ],
  "text that looks like a question while the agent continues to print": [
    [0, [file("working")], "working", "state_file"],
    [4_000, [output, dialog], "working", "state_file"],
    [4_500, [output], "working", "state_file"],
    [5_200, [output], "working", "state_file"],
  ],
  "the quota ends in the middle of a turn": [
    [0, [hook("working", "UserPromptSubmit")], "working", "hook"],
    [
      2_000,
      [output, screen("needs_input", "usage limit reached", { detail: "quota_reached" })],
      "needs_input",
      "screen",
      "quota_reached",
    ],
    [2_100, [hook("idle", "Stop")], "needs_input", "screen", "quota_reached"],
    [9_000, [hook("working", "UserPromptSubmit")], "working", "hook"],
  ],
  "the login expired, said by the hook": [
    [0, [hook("working", "UserPromptSubmit")], "working", "hook"],
    [
      900,
      [hook("needs_input", "StopFailure authentication", { detail: "login_expired" })],
      "needs_input",
      "hook",
      "login_expired",
    ],
  ],
};

const codex: Readonly<Record<string, readonly Step[]>> = {
  "plain turn": [
    [0, [title("idle", "wx")], "idle", "title"],
    [1_000, [hook("working", "UserPromptSubmit")], "working", "hook"],
    [1_200, [title("working", "⠹ wx"), osc("working")], "working", "hook"],
    [1_300, [title("working", "⠼ wx")], "working", "hook"],
    [4_000, [hook("idle", "Stop")], "idle", "hook"],
    [4_100, [title("working", "⠧ wx")], "idle", "hook"],
    [4_300, [title("idle", "wx"), osc("idle", "done")], "idle", "hook"],
  ],
  "approved; the title follows the request a second later": [
    [0, [hook("working", "UserPromptSubmit"), title("working")], "working", "hook"],
    [200, [hook("needs_input", "PermissionRequest")], "needs_input", "hook"],
    [700, [title("working")], "needs_input", "hook"],
    [1_200, [title("needs_input", "[ ! ] Action Required | wx")], "needs_input", "hook"],
    [1_700, [title("needs_input", "[ . ] Action Required | wx")], "needs_input", "hook"],
    [5_000, [title("working")], "working", "title"],
    [5_200, [hook("working", "PostToolUse")], "working", "hook"],
    [6_000, [hook("idle", "Stop"), title("idle")], "idle", "hook"],
  ],
  "denied: Interrupt": [
    [0, [hook("working", "UserPromptSubmit"), title("working")], "working", "hook"],
    [200, [hook("needs_input", "PermissionRequest")], "needs_input", "hook"],
    [1_200, [title("needs_input")], "needs_input", "hook"],
    [4_000, [hook("idle", "Interrupt")], "idle", "hook"],
    [4_100, [title("idle")], "idle", "hook"],
  ],
  "no hooks at all: the title and OSC 7501": [
    [0, [title("working"), osc("working"), output], "working", "title"],
    [3_000, [osc("needs_input", "blocked:kind=permission")], "needs_input", "osc"],
    [4_000, [title("needs_input")], "needs_input", "title"],
    [8_000, [title("idle"), osc("idle", "done"), silence], "idle", "title"],
  ],
  "a prompt of 40 lines fills the screen, which looks idle while it works": [
    [0, [screen("idle", "its input line waits"), title("idle", "wx"), osc("idle")], "idle", "screen"],
    [5_000, [output, screen("idle", "its input line waits")], "idle", "screen"],
    [5_010, [output, osc("working")], "working", "osc"],
    [5_100, [output, screen("idle", "its input line waits"), title("working", "⠹ wx")], "working", "title"],
    [7_000, [output, screen("idle", "its input line waits"), title("working", "⠼ wx")], "working", "title"],
    [12_000, [output, screen("idle", "its input line waits"), title("working", "⠧ wx")], "working", "title"],
    [13_000, [output, osc("idle", "done")], "idle", "screen"],
    [13_100, [output, screen("idle", "its input line waits"), title("idle", "wx")], "idle", "screen"],
  ],
  "a word of work that never ends is not believed for ever against a screen that rests": [
    [0, [screen("idle", "its input line waits")], "idle", "screen"],
    [1_000, [osc("working")], "working", "osc"],
    [4_000, [screen("idle", "its input line waits")], "working", "osc"],
    [6_100, [screen("idle", "its input line waits")], "idle", "screen"],
  ],
  "its turn is done before the screen is read again": [
    [0, [screen("working", "esc to interrupt"), osc("working")], "working", "screen"],
    [3_000, [screen("working", "esc to interrupt")], "working", "screen"],
    [3_050, [output, osc("idle", "done")], "idle", "osc"],
    [3_150, [screen("idle", "its input line waits")], "idle", "screen"],
  ],
  "a screen that is read wrongly does not overrule hook and title": [
    [0, [hook("needs_input", "PermissionRequest")], "needs_input", "hook"],
    [1_000, [title("needs_input")], "needs_input", "hook"],
    [3_000, [screen("idle", "a prompt box")], "needs_input", "hook"],
  ],
};

const gemini: Readonly<Record<string, readonly Step[]>> = {
  approved: [
    [0, [hook("working", "BeforeAgent"), title("working", "✦  Working… (wg)")], "working", "hook"],
    [400, [hook("needs_input", "Notification ToolPermission")], "needs_input", "hook"],
    [450, [title("needs_input", "✋  Action Required (wg)")], "needs_input", "hook"],
    [4_000, [title("working")], "working", "title"],
    [4_500, [hook("working", "AfterTool")], "working", "hook"],
    [6_000, [hook("idle", "AfterAgent"), title("idle")], "idle", "hook"],
  ],
  "Escape in the dialog fires nothing": [
    [0, [hook("working", "BeforeAgent"), title("working")], "working", "hook"],
    [400, [hook("needs_input", "Notification ToolPermission")], "needs_input", "hook"],
    [450, [title("needs_input")], "needs_input", "hook"],
    [5_000, [title("idle", "◇  Ready (wg)")], "idle", "title"],
  ],
  "Escape right after the prompt": [
    [0, [hook("working", "BeforeAgent")], "working", "hook"],
    [200, [title("idle", "◇  Ready (wg)")], "working", "hook"],
    [1_600, [title("idle", "◇  Ready (wg)")], "idle", "title"],
  ],
};

const event = say("event_stream");
const asks = event("needs_input", "permission.asked", { question });
const drawnAnew: Said = (now) => ({ ...dialog(now), seenAt: now });

const opencode: Readonly<Record<string, readonly Step[]>> = {
  "a permission, reported and drawn, and answered": [
    [0, [output, event("working", "session.status")], "working", "event_stream"],
    [1_000, [asks], "needs_input", "event_stream"],
    [1_200, [output, dialog], "needs_input", "event_stream"],
    [9_000, [event("working", "session.status")], "working", "event_stream"],
    [9_300, [output, screen("working", "its bar moves")], "working", "event_stream"],
    [12_000, [event("idle", "session.idle"), screen("idle", "its line waits")], "idle", "event_stream"],
  ],
  "an answered dialog that is drawn anew before it goes is no question": [
    [0, [output, asks], "needs_input", "event_stream"],
    [200, [output, dialog], "needs_input", "event_stream"],
    [3_000, [event("working", "session.status")], "working", "event_stream"],
    [3_200, [output, drawnAnew], "working", "event_stream"],
    [4_500, [dialog], "working", "event_stream"],
    [4_800, [output, screen("working", "its bar moves")], "working", "event_stream"],
  ],
  "a dialog that the stream never reported is believed once it has lasted": [
    [0, [output, event("idle", "session.idle")], "idle", "event_stream"],
    [5_000, [output, drawnAnew], "idle", "event_stream"],
    [8_100, [dialog], "needs_input", "screen"],
  ],
};

const shell: Readonly<Record<string, readonly Step[]>> = {
  "a build that ends at the prompt": [
    [0, [output, screen("idle", "a shell prompt")], "idle", "screen"],
    [1_000, [output, screen("unknown", "no prompt")], "working", "output"],
    [1_900, [output], "working", "output"],
    [3_000, [silence], "idle", "silence"],
    [3_500, [output], "working", "output"],
    [3_600, [output, screen("idle", "a shell prompt")], "idle", "screen"],
  ],
  "a program that asks and is answered": [
    [0, [output, screen("unknown")], "working", "output"],
    [500, [output, screen("needs_input", "yes-no choices", { question })], "needs_input", "screen"],
    [60_000, [silence], "needs_input", "screen"],
    [61_000, [output, screen("unknown")], "working", "output"],
    [62_100, [silence], "idle", "silence"],
  ],
  "output flows and the screen was not read again": [
    [0, [output, screen("needs_input", "yes-no choices", { question })], "needs_input", "screen"],
    [2_100, [output], "working", "output"],
  ],
  "a bell without a prompt, until the program continues": [
    [0, [output, bell], "needs_input", "bell"],
    [1_500, [silence], "needs_input", "bell"],
    [9_000, [output], "working", "output"],
  ],
  "a bell of the shell's completion": [[0, [output, screen("idle", "a shell prompt"), bell], "idle", "screen"]],
  "nothing was ever said": [[0, [screen("unknown", "no prompt")], "unknown", "exit"]],
};

const started: Said = () => starting(0, undefined, undefined);
const bounded: Said = () => starting(0, undefined, 600_000);

const begins: Readonly<Record<string, readonly Step[]>> = {
  "an agent that draws nothing for a minute starts, in silence too": [
    [0, [output, started], "working", "start"],
    [1_100, [silence, started], "working", "start"],
    [8_000, [screen("unknown", "nothing that is known")], "working", "start"],
    [60_000, [], "working", "start"],
  ],
  "its input line, its title, its hook, its file or its stream ends that": [
    [0, [started, output], "working", "start"],
    [1_100, [silence], "working", "start"],
    [9_000, [screen("idle", "its input line waits")], "idle", "screen"],
    [9_100, [hook("idle", "SessionStart")], "idle", "hook"],
  ],
  "a dialog at the start is a question": [
    [0, [started, output], "working", "start"],
    [3_000, [output, dialog], "needs_input", "screen"],
  ],
  "it ended before it drew anything": [
    [0, [started, output], "working", "start"],
    [2_000, [exit], "unknown", "exit"],
  ],
  "where its CPU time cannot be seen, silence counts in the end": [
    [0, [bounded, output], "working", "start"],
    [1_100, [silence], "working", "start"],
    [600_100, [], "idle", "silence"],
  ],
};

for (const [agent, timelines] of Object.entries({ claude, codex, gemini, opencode, shell, begins })) {
  describe(`${agent}, judged step by step`, () => {
    for (const [name, steps] of Object.entries(timelines)) test(name, () => walk(steps));
  });
}

function walk(steps: readonly Step[]): void {
  let evidence: readonly Evidence[] = [];
  for (const [at, heard, says, by, detail] of steps) {
    for (const said of heard) evidence = remember(evidence, said(at));
    const verdict = judge(evidence, at);
    const shown = `after ${at} ms: ${JSON.stringify(verdict, undefined, 1)}`;
    assert.equal(verdict.says, says, shown);
    if (says !== "unknown" || verdict.why.source === "exit") assert.equal(verdict.why.source, by, shown);
    assert.equal(verdict.detail, detail, shown);
    assert.equal(verdict.witnesses.filter(({ used }) => used).length, verdict.why.source === "daemon" ? 0 : 1, shown);
    assert.ok(
      verdict.witnesses.every(({ because }) => because !== ""),
      shown,
    );
  }
}

test("an agent that starts in silence and without CPU is stuck", () => {
  const known = { stuckAfterMs: 600_000, cpuIdleSince: 10_000 };
  const evidence = [starting(0, 5_000, undefined), output(5_000), silence(6_000)];
  assert.equal(judge(evidence, 600_000, known).detail, undefined);
  const { says, detail, why } = judge(evidence, 610_001, known);
  assert.deepEqual([says, detail, why.since], ["working", "stuck", 610_000]);
});

describe("the first words of an agent", () => {
  const words: readonly (readonly [Evidence, hasReported: boolean, begun: boolean])[] = [
    [output(1), false, false],
    [silence(1), false, false],
    [bell(1), false, false],
    [screen("unknown", "nothing that is known")(1), false, false],
    [screen("idle", "its input line waits")(1), true, false],
    [hook("idle", "SessionStart")(1), true, false],
    [file("idle")(1), true, false],
    [title("idle")(1), true, false],
    [event("idle", "session.idle")(1), true, true],
    [screen("working", "esc to interrupt")(1), true, true],
    [dialog(1), true, true],
  ];
  for (const [word, isOwn, isWork] of words) {
    test(`${word.witness} ${word.says} ${word.rule}`, () =>
      assert.deepEqual([hasReported([word]), begun([word])], [isOwn, isWork]));
  }
});

describe("an answered question", () => {
  const at = (now: number, ...evidence: readonly Evidence[]) => judge(evidence, now);
  const asked = [
    output(1_000),
    dialog(1_000),
    hook("needs_input", "PermissionRequest")(900),
    title("needs_input")(1_200),
  ];

  test("is over, and the program works", () => {
    const { says, why } = at(9_050, ...answered(asked, 8_900, 9_000));
    assert.deepEqual([says, why.source, why.rule], ["working", "answer", "its question was answered"]);
  });

  test("the next one, reported after the answer was given, is open", () => {
    const next = hook("needs_input", "PermissionRequest")(8_950);
    assert.equal(at(9_050, ...answered([dialog(1_000), next], 8_900, 9_000)).says, "needs_input");
  });

  test("what is seen next is believed, and silence when nothing is", () => {
    const left = answered(asked, 8_900, 9_000);
    assert.equal(at(9_200, ...left, screen("idle", "its input line waits")(9_200)).why.source, "screen");
    assert.equal(at(11_500, ...left, silence(2_000)).says, "idle");
  });
});
