import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { WitnessStage } from "../../../test/support/witness-stage.ts";
import type { ShownQuestion } from "../../agents/agent.ts";
import { type IdentifiedQuestion, withHash } from "../attention/question-identity.ts";

const asked = (command: string, more: Partial<ShownQuestion> = {}): IdentifiedQuestion =>
  withHash({
    ...{ kind: "permission", text: `Run ${command}?`, options: [{ number: 1, label: "Yes" }], freeText: false },
    ...{ proposal: { tool: "Bash", command }, region: "", ...more },
  });
const drawn = (command: string) => asked(command, { region: `a dialog about ${command}` });

async function stage(t: TestContext) {
  const on = await WitnessStage.on(t);
  const terminal = on.runs(1, "sh");
  on.news();
  const asks = (question: IdentifiedQuestion) => on.questions.asked(terminal, question, "screen", undefined);
  const news = () => on.news().filter((type) => type.startsWith("question_"));
  return { on, terminal, asks, news };
}

describe("the book of questions", () => {
  test("a question opens once, gets its dialog, and closes once", async (t) => {
    const { on, asks, news } = await stage(t);
    const opened = asks(asked("make"));
    assert.ok(opened);
    assert.deepEqual([opened.id, opened.openedAt, opened.drawnAt], ["q1", on.clock.now(), undefined]);
    assert.equal(asks(asked("make")), undefined, "it is open already");
    assert.deepEqual(news(), ["question_opened"]);
    await on.clock.advance(700);
    const full = drawn("make");
    assert.equal(asks({ ...full, options: [...full.options, { number: 2, label: "No" }] }), undefined);
    assert.deepEqual(news(), ["question_changed"]);
    const { screenHash, drawnAt, options } = on.questions.of("t1") ?? {};
    assert.deepEqual([screenHash, drawnAt, options?.length], [full.hash, on.clock.now(), 2]);
    const closed = on.questions.close("t1", "the program continued");
    assert.deepEqual(
      [closed?.state, closed?.closedBy, closed?.closedAt],
      ["closed", "the program continued", on.clock.now()],
    );
    assert.equal(on.questions.close("t1", "again"), undefined);
    assert.deepEqual(news(), ["question_closed"]);
    assert.deepEqual(on.questions.open(), []);
  });

  for (const by of [3_600_000, -3_600_000]) {
    test(`it keeps its age when the clock is set by ${by} ms`, async (t) => {
      const { on, asks } = await stage(t);
      const [openedAt] = [on.clock.monotonic(), asks(asked("make"))];
      await on.clock.advance(700);
      const [drawnAt] = [on.clock.monotonic(), asks(drawn("make"))];
      on.clock.setWall(by);
      await on.clock.advance(300);
      const question = on.questions.of("t1") ?? assert.fail("it is open");
      assert.deepEqual([on.questions.openedAt(question), on.questions.drawnAt(question)], [openedAt, drawnAt]);
      const [closedAt, closed = question] = [on.clock.monotonic(), on.questions.close("t1", "it is gone")];
      on.clock.setWall(by);
      assert.equal(on.questions.closedAt(closed), closedAt);
    });
  }

  test("a dialog that is proved, and drawn at another width, changes nothing", async (t) => {
    const { on, asks, news } = await stage(t);
    const proved = { ...drawn("make"), whole: true, proof: "screen" } as const;
    asks(proved);
    news();
    assert.equal(asks({ ...proved, hash: "other" }), undefined);
    assert.deepEqual(news(), []);
    assert.equal(on.questions.of("t1")?.screenHash, "other", "an answer is checked against what is drawn now");
  });

  test("another question takes the place of the one before", async (t) => {
    const { on, asks, news } = await stage(t);
    asks(drawn("make"));
    assert.equal(asks(drawn("rm -r build"))?.id, "q2");
    assert.deepEqual(news(), ["question_opened", "question_closed", "question_opened"]);
    assert.equal(on.store.question("q1")?.closedBy, "another question took its place");
    assert.deepEqual(
      on.questions.open().map(({ id }) => id),
      ["q2"],
    );
  });

  test("one answer at a time, and a question whose answer failed is open again", async (t) => {
    const { on, asks } = await stage(t);
    asks(drawn("make"));
    assert.equal(on.questions.answering("q1", "web").state, "answering");
    assert.throws(() => on.questions.answering("q1", "cli"), { code: "conflict", message: /already answering/ });
    assert.equal(on.questions.of("t1")?.id, "q1", "it stands while it is being answered");
    on.questions.release("q1");
    on.questions.release("q1");
    assert.equal(on.questions.of("t1")?.closedBy, undefined);
    on.questions.answering("q1", "cli");
    assert.equal(on.questions.close("t1", "the program continued")?.closedBy, "answered by cli");
    assert.throws(() => on.questions.answering("q1", "web"), { code: "conflict", message: /already closed/ });
    assert.throws(() => on.questions.answering("q9", "web"), { code: "not_found" });
  });

  test("a task's question is an event of the task too", async (t) => {
    const { on, terminal } = await stage(t);
    on.store.write((writer) =>
      writer.putTask({
        ...{ id: 3, slug: "shop", root: "/shop", text: "", agent: "sh", branch: "shop", worktree: "/w" },
        ...{ draft: false, hasWorktree: true, terminal: "t1", createdAt: 1 },
      }),
    );
    const question = on.questions.asked({ ...terminal, task: 3 }, drawn("make"), "screen", "a1");
    assert.deepEqual([question?.task, question?.agent], [3, "a1"]);
    assert.deepEqual(on.news("question_opened", "task_needs_input"), ["question_opened", "task_needs_input"]);
  });

  for (const by of [-3_600_000, 86_400_000]) {
    test(`an open question stays open and the same when the clock is set by ${by} ms`, async (t) => {
      const { on, asks, news } = await stage(t);
      asks(asked("make"));
      on.clock.setWall(by);
      asks(drawn("make"));
      await on.clock.advance(1_000);
      assert.deepEqual(news(), ["question_opened"]);
      assert.deepEqual([on.questions.of("t1")?.id, on.questions.of("t1")?.state], ["q1", "open"]);
    });
  }
});
