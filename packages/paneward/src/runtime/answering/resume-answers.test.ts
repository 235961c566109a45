import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openStage, type Stage } from "../../../test/support/stage.ts";
import type { DeliveryRecord } from "../../model/records.ts";
import { resumeAnswers } from "./resume-answers.ts";

interface Left {
  /** The answer's record; none when the daemon was killed between taking the question and recording the answer. */
  readonly record?: Partial<DeliveryRecord>;
  readonly before?: (stage: Stage) => void;
  readonly news: readonly string[];
  /** The record's state and its code when it failed. */
  readonly is?: readonly (string | undefined)[];
  readonly got: readonly string[];
  readonly question: string;
}

const given = { kind: "option", number: 1 } as const;
const answer = { mode: "select", agent: "a1", given };

const cases: Readonly<Record<string, Left>> = {
  "no key was pressed: it is answered": {
    record: { answer },
    news: ["5000 submitted", "5000 acknowledged: the question is gone"],
    is: ["acknowledged", undefined],
    got: ["5000 1"],
    question: "closed: answered by ann",
  },
  "it was held by copy mode, and still is: it stays held, and is answered afterwards": {
    record: { answer, state: "held", reason: "the pane is in copy mode" },
    before: ({ pane, clock }) => {
      pane.inMode = true;
      clock.timer(1_000, () => {
        pane.inMode = false;
      });
    },
    news: ["6200 submitted", "6200 acknowledged: the question is gone"],
    is: ["acknowledged", undefined],
    got: ["6200 1"],
    question: "closed: answered by ann",
  },
  "the question was released meanwhile: it is taken again": {
    record: { answer },
    before: ({ questions }) => questions.release("q1"),
    news: ["5000 submitted", "5000 acknowledged: the question is gone"],
    is: ["acknowledged", undefined],
    got: ["5000 1"],
    question: "closed: answered by ann",
  },
  "its first key had reached tmux: the outcome is unknown, and no key is pressed again": {
    record: { answer },
    before: ({ pane }) => {
      pane.mark = "d1 answer";
    },
    news: ["5000 failed: the daemon ended while this was being answered"],
    is: ["failed", "outcome_unknown"],
    got: [],
    question: "open",
  },
  "it was submitted: the outcome is unknown, and the question can be answered again": {
    record: { answer, state: "submitted" },
    news: ["5000 submitted: the daemon ended while this was being answered"],
    is: ["submitted", "outcome_unknown"],
    got: [],
    question: "open",
  },
  "it was acknowledged: it is done": {
    record: { answer, state: "acknowledged" },
    news: [],
    is: ["acknowledged", undefined],
    got: [],
    question: "answering",
  },
  "a secret is gone: it is asked for again": {
    record: { answer: { mode: "text", agent: "a1" } },
    news: ["5000 failed: the daemon ended before this secret was typed"],
    is: ["failed", "wrong_state"],
    got: [],
    question: "open",
  },
  "the question was closed meanwhile": {
    record: { answer },
    before: ({ pane, questions }) => {
      pane.dialog = undefined;
      questions.close("t1", "it is gone");
    },
    news: ["5000 failed: the question was gone before this could be typed"],
    is: ["failed", "conflict"],
    got: [],
    question: "closed: answered by ann",
  },
  "another question is on the screen": {
    record: { answer },
    before: ({ pane }) => {
      pane.dialog = "rm -rf /";
    },
    news: ["5000 failed: the question changed before it could be answered; nothing was typed"],
    is: ["failed", "conflict"],
    got: [],
    question: "open",
  },
  "another process runs in the pane": {
    record: { answer, pid: 6 },
    news: ["5000 failed: the program in shop (t1) no longer runs; nothing more was typed"],
    is: ["failed", "wrong_state"],
    got: [],
    question: "open",
  },
  "a question was taken and no answer recorded: it is open again": {
    news: [],
    got: [],
    question: "open",
  },
};

describe("an answer that a killed daemon left:", () => {
  for (const [name, { record, before, news, is, got, question }] of Object.entries(cases)) {
    test(name, async (t) => {
      const stage = await openStage(t);
      const { clock, store, pane } = stage;
      const { id } = stage.asks("touch made");
      assert.equal(id, "q1");
      await clock.advance(5_000);
      stage.questions.answering(id, "ann");
      if (record) stage.left({ question: id, text: "Yes", ...record });
      before?.(stage);
      resumeAnswers(stage);
      await clock.advance(60_000);
      const { state, code } = store.deliveryById("d1") ?? {};
      const { state: became, closedBy } = store.question(id) ?? {};
      assert.deepEqual([stage.news, pane.got], [news, got]);
      if (is) assert.deepEqual([state, code], is);
      assert.equal(became === "closed" ? `closed: ${closedBy}` : became, question);
      assert.deepEqual([store.unfinishedDeliveries(), clock.waiting], [[], 0]);
      assert.equal(
        JSON.stringify(store.deliveryById("d1") ?? {}).includes("given"),
        false,
        "what was given is forgotten",
      );
    });
  }
});

test("after a restart an answer whose outcome is unknown leaves its agent waiting for another one", async (t) => {
  const stage = await openStage(t);
  const { id } = stage.asks("touch made");
  stage.questions.answering(id, "ann");
  const agent = stage.agent?.id ?? "";
  stage.agents.said(agent, { actor: "user", intent: "answer", way: "given", text: "Yes", question: id });
  assert.equal(stage.store.agent(agent)?.state, "processing");
  stage.left({ question: id, text: "Yes", answer: { ...answer, agent }, state: "submitted" });
  resumeAnswers(stage);
  assert.equal(stage.store.agent(agent)?.state, "awaiting_input");
});
