import { test } from "node:test";
import type { LabAgent } from "./agents/lab-agent.ts";
import { hooksOf, startBench } from "./bench.ts";
import { answerOfKilledDaemon, approvedPlan, extensionQuestions, permissions, questions } from "./checks/answers.ts";
import { arrives, draft, inARow, ofKilledDaemon } from "./checks/deliveries.ts";
import { statusTrace, toldByHooks } from "./checks/status.ts";
import { oneTurnEach } from "./checks/turns.ts";
import type { Words } from "./words.ts";

const deliveries = Number(process.env.PANEWARD_LAB_DELIVERIES ?? 100);

/** The promises about agents, kept on the real program. */
export function provedOn(lab: LabAgent, words: Words): void {
  test(`${lab.name}, the real program`, { timeout: 1_800_000 }, async (t) => {
    const bench = await startBench(t, lab);
    const check = (promise: string, keep: (say: (line: string) => void) => Promise<void>) =>
      t.test(promise, (tt) => keep((line) => tt.diagnostic(`${lab.name}: ${line}`)));
    for (const lines of [1, 40, 400]) {
      await check(`a prompt of ${lines} lines arrives byte for byte`, () => arrives(bench, lines));
    }
    if (hooksOf(lab)) await check("its hooks tell what it does", (say) => toldByHooks(bench, say));
    await check("its status is told at most a second late", (say) => statusTrace(bench, words, say));
    await check("a half-typed draft survives, and what is sent arrives beside it or once it is gone", () =>
      draft(bench, lab),
    );
    await check(`${deliveries} deliveries in a row, each acknowledged and arriving once`, (say) =>
      inARow(bench, deliveries, say),
    );
    for (const state of ["typed", "submitted"] as const) {
      await check(`the daemon killed once a prompt is ${state}: it arrives once`, (say) =>
        ofKilledDaemon(bench, state, say),
      );
    }
    if (words.run("") !== "") {
      await check("a permission is approved, denied and left by Escape; what is sent meanwhile is held", () =>
        permissions(bench, words),
      );
      await check("what is said is one turn each, by whatever ways it is known", (say) =>
        oneTurnEach(bench, words, say),
      );
      await check("the daemon killed while it answers: the command runs once", (say) =>
        answerOfKilledDaemon(bench, words, say),
      );
    }
    const { ask, plan } = words;
    if (ask !== undefined) {
      await check("a question is answered by an option and in one's own words", () => questions(bench, ask, words));
    }
    const { commands } = words;
    if (commands) {
      await check("what an extension asks is answered by an option and in words, and left by Escape", () =>
        extensionQuestions(bench, commands),
      );
    }
    if (plan) await check("a plan is approved", () => approvedPlan(bench, plan));
  });
}
