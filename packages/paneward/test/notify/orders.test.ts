import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "@paneward/sdk";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz, type Random } from "../../../tmux/test/support/random.ts";
import type { MemorySender } from "../support/memory-sender.ts";
import { endTerminal, putTerminal } from "../support/memory-world.ts";
import { notifyStage } from "../support/notify-stage.ts";

type Stage = Awaited<ReturnType<typeof notifyStage>>;

interface Happened {
  readonly name: string;
  readonly question?: Question;
  isClosed?: true;
}

test("in any order of facts, kills and failures each fact arrives once if it is still so, and nothing that is over stays", async (t) => {
  await fuzz(
    async (random) => {
      const notify = { dwell_seconds: random.below(3), cooldown_seconds: 0, digest: 1_000 };
      const stage = await notifyStage(t, { ...notify, rules: [{ kinds: ["question", "ended"] }] });
      const facts: Happened[] = [];
      for (let step = 0; step < 30; step++) {
        await random.pick(steps)(stage, facts, random);
        await stage.clock.advance(random.below(4_000));
      }
      stage.sender.answer = taken;
      await killed(stage, facts, random);
      await stage.clock.advance(3 * 3_600_000);
      for (const fact of facts) check(stage, fact);
      stage.kill();
    },
    amount(20, 2_000),
  );
});

const taken: MemorySender["answer"] = (job) => ({ kind: "sent", said: "ok", ref: job.id });

type Step = (stage: Stage, facts: Happened[], random: Random) => void | Promise<void>;

const asks: Step = (stage, facts) => {
  const question = stage.ask();
  facts.push({ name: stage.store.terminal(question.terminal)?.name ?? "", question });
};

const ends: Step = (stage, facts) => {
  const { id, name } = putTerminal(stage);
  facts.push({ name });
  endTerminal(stage, id, { kind: "exited", code: 1 });
};

const closes: Step = ({ questions }, facts, { pick }) => {
  const open = facts.filter(({ question, isClosed }) => question && !isClosed);
  const fact = open.length === 0 ? undefined : pick(open);
  if (!fact?.question) return;
  fact.isClosed = true;
  questions.close(fact.question.terminal, pick(["the program continued", "answered by uid:0"]));
};

const answersOtherwise: Step = ({ sender }, _facts, { pick }) => {
  sender.answer = pick<MemorySender["answer"]>([taken, () => ({ kind: "later", said: "answered with 429" })]);
};

/** From now on the daemon hears nothing of what is sent, or what it gives away is lost: it is about to be killed. */
const isCutOff: Step = ({ sender }, _facts, { pick }) => {
  Object.assign(sender, pick([{ isCut: true }, { isDeaf: true }]));
};

const killed: Step = async (stage, _facts, { below }) => {
  stage.kill();
  await stage.clock.advance(below(5_000));
  Object.assign(stage.sender, { isCut: false, isDeaf: false });
  await stage.start();
};

const steps: readonly Step[] = [
  asks,
  asks,
  asks,
  ends,
  ends,
  closes,
  closes,
  answersOtherwise,
  isCutOff,
  killed,
  killed,
];

function check({ sender }: Stage, { name, isClosed }: Happened): void {
  const messages = sender.arrived.filter(({ message }) => message.title.startsWith(`${name} `));
  const sent = messages.filter(({ does }) => does === "send").length;
  assert.ok(sent === 1 || (isClosed && sent === 0), `${name} arrived ${sent} times`);
  if (isClosed && sent === 1) {
    assert.ok(
      messages.some(({ does }) => does === "withdraw"),
      `${name} is over and still shown`,
    );
  }
}
