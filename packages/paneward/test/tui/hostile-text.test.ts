import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question } from "@paneward/sdk";
import { emptyView, type Lists, snapshot, withConnection } from "@paneward/sdk/view";
import xterm from "@xterm/headless";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz, type Random } from "../../../tmux/test/support/random.ts";
import type { Canvas } from "../../src/tui/draw/canvas.ts";
import { changesBetween } from "../../src/tui/draw/changes.ts";
import { draw } from "../../src/tui/draw/draw.ts";
import { press } from "../../src/tui/state/press.ts";
import { questionLines } from "../../src/tui/state/question-lines.ts";
import { firstState, type State } from "../../src/tui/state/state.ts";
import { hostileWords } from "../support/hostile-names.ts";

/** Every text that comes from others, in every place where one is shown. */
function hostileState(random: Random): State {
  const { below, pick } = random;
  const words = () => hostileWords(random);
  const why = () => ({ source: words(), rule: words(), since: below(10), ...(below(2) && { evidence: words() }) });
  const statuses = ["Waiting", "Draft", "Stopped", "Running", "Idle", "Exited", "Lost"] as const;
  const tasks = statuses.map((status, at) => ({
    ...{
      id: at + 1,
      slug: words(),
      root: `/${words()}`,
      text: words(),
      agent: words(),
      branch: words(),
      worktree: "/w",
    },
    ...{ session: "s", status, why: why(), createdAt: 1, lastLine: words(), work: { added: 3, removed: 1, ahead: 2 } },
    ...(status === "Waiting" && { terminal: "t1" }),
  }));
  const terminal = {
    ...{ id: "t9", name: words(), host: words(), argv: [words(), words()], cwd: `/${words()}`, session: "s" },
    ...{ status: "Running", why: why(), createdAt: 1, lastLine: words() },
  };
  const lists = { tasks, terminals: [terminal], agents: [], questions: [hostileQuestion(random)], lastEvent: 1 };
  const view = withConnection(snapshot(emptyView, lists as unknown as Lists), { kind: "connected" });
  const state: State = {
    ...firstState({ columns: 60 + below(120), rows: 12 + below(40) }, 10),
    view,
    log: [{ at: 1, text: words(), isFailure: true }],
    ...(below(2) === 0 && { message: { text: words(), isFailure: below(2) === 0 } }),
    ...(below(2) === 0 && { live: { terminal: "t1", lines: [words(), words(), "plain"] } }),
  };
  if (below(5) === 0) {
    const of = pick(["diff", "journal"] as const);
    const lines = [words(), `+${words()}`, `-${words()}`];
    return { ...state, mode: { kind: "pages", of, title: words(), lines, top: 0, search: undefined, isTyped: false } };
  }
  const keys = pick([[], ["j"], ["j", "j"], ["g"], ["a"], ["a", "j"], ["/", "x"], ["n"]]);
  return keys.reduce((before, key) => press(before, { kind: "key", key }).state, state);
}

function hostileQuestion(random: Random): Question {
  const words = () => hostileWords(random);
  const options = [1, 2, 3].map((number) => ({ number, label: words(), description: words() }));
  const proposal = { tool: words(), command: words(), path: words(), diff: `+${words()}\n-${words()}`, more: words() };
  return {
    ...{ id: "q1", terminal: "t1", text: words(), freeText: true, source: "screen", screenHash: "h", state: "open" },
    ...{ openedAt: 1, kind: random.pick(["permission", "choice", "multi_choice", "text"]), options, proposal },
  } as Question;
}

/** Terminals that disagree about widths: xterm's own old table, every wide one as one column, every cluster in pieces. */
const widths = {
  old: undefined,
  narrow: (code: number) => (code < 0x20 || isMark.test(String.fromCodePoint(code)) ? 0 : 1),
  wide: (code: number) =>
    code < 0x20 || isMark.test(String.fromCodePoint(code))
      ? 0
      : code < 0x250 || (code >= 0x2500 && code < 0x25a0)
        ? 1
        : 2,
} as const;
const isMark = /^[\p{Mn}\p{Me}]$/u;

function emulator({ columns, rows }: { columns: number; rows: number }, kind: keyof typeof widths) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const wcwidth = widths[kind];
  if (wcwidth) {
    const version = `${kind} widths`;
    terminal.unicode.register({
      version,
      wcwidth,
      charProperties(code, preceding) {
        const joins = wcwidth(code) === 0 && preceding !== 0;
        return ((joins ? (preceding >> 1) & 3 : wcwidth(code)) << 1) | (joins ? 1 : 0);
      },
    });
    terminal.unicode.activeVersion = version;
  }
  return {
    terminal,
    write: (text: string) => new Promise<void>((done) => terminal.write(text, done)),
    cell: (x: number, y: number) => terminal.buffer.active.getLine(y)?.getCell(x)?.getChars() || " ",
  };
}

/** Characters about which no two terminals disagree. */
const isCertain = /^[\u0020-\u007e\u2500-\u259f]$/;

function assertDrawn(canvas: Canvas, cell: (x: number, y: number) => string, label: string): void {
  for (let y = 0; y < canvas.rows; y++) {
    for (let x = 0; x < canvas.columns; x++) {
      const wanted = canvas.texts[y]?.[x] ?? "";
      if (isCertain.test(wanted) && cell(x, y) !== wanted) {
        const drawn = Array.from({ length: canvas.columns }, (_, at) => cell(at, y)).join("");
        assert.fail(
          `${label}: at ${x},${y} ${JSON.stringify(cell(x, y))} instead of ${JSON.stringify(wanted)} in ${JSON.stringify(drawn)}, ${JSON.stringify(canvas.texts[y]?.join("|"))}`,
        );
      }
    }
  }
}

describe("text of others in the terminal interface", () => {
  for (const kind of ["old", "narrow", "wide"] as const) {
    test(`moves nothing beside it, frame after frame, on a terminal with ${kind} widths`, async () => {
      await fuzz(
        async (random) => {
          const size = hostileState(random).size;
          const { terminal, write, cell } = emulator(size, kind);
          let title = "";
          terminal.onTitleChange((now) => {
            title = now;
          });
          await write("\u001b[?7l");
          let before: Canvas | undefined;
          for (let frame = 0; frame < 4; frame++) {
            const canvas = draw({ ...hostileState(random), size }, "256");
            await write(changesBetween(before, canvas));
            assertDrawn(canvas, cell, `frame ${frame}`);
            before = canvas;
          }
          assert.equal(title, "");
          terminal.dispose();
        },
        amount(15, 2_000),
      );
    });
  }

  test("is shown whole before it is approved: nothing that would be run is left out or invisible", async () => {
    await fuzz(
      (random) => {
        const question = hostileQuestion(random);
        const shown = questionLines(question, 30 + random.below(60), undefined).map(({ text }) => text);
        const invisible =
          /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\u{e0000}-\u{e007f}]/u;
        for (const line of shown) assert.doesNotMatch(line, invisible);
        const letters = (text: string) => text.replace(/[^a-z]/gi, "");
        const all = letters(shown.join(""));
        const { command = "", path = "", more = "" } = question.proposal ?? {};
        for (const part of [command, path, more])
          assert.ok(all.includes(letters(visibleOf(part))), JSON.stringify(part));
      },
      amount(500, 50_000),
    );
  });
});

/** Written out here once more, so that the test does not use what it tests. */
function visibleOf(text: string): string {
  return text.replace(
    /[\u0080-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\u{e0000}-\u{e007f}]/gu,
    (char) => `<U+${(char.codePointAt(0) ?? 0).toString(16).padStart(4, "0").toUpperCase()}>`,
  );
}
