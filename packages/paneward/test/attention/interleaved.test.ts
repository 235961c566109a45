import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { Fact } from "../../src/model/agents/conversation.ts";
import type { TerminalRecord } from "../../src/model/records.ts";
import { AgentBook } from "../../src/runtime/agents/agent-book.ts";
import { openStore } from "../../src/store/store.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type Arrival, type Happening, interleaved } from "./interleaved.ts";

const command = (text: string): Happening => ({ said: `user command: ${text}`, ways: ["given", "told"] });
const typed = (text: string): Happening => ({ said: `user command: ${text}`, ways: ["told"] });
const question = (text: string): Happening => ({ said: `agent question: ${text}`, ways: ["seen", "told"] });
const answer = (text: string): Happening => ({ said: `user answer: ${text}`, ways: ["given"] });
const completion = (text: string): Happening => ({ said: `agent completion: ${text}`, ways: ["seen", "told"] });

const conversations: Readonly<Record<string, readonly Happening[]>> = {
  "a permission and a prompt": [
    ...[command("make it"), question("Bash: make"), answer("Yes"), completion("made")],
    ...[command("and rest"), completion("rested")],
  ],
  "the same words twice": [command("yes"), completion("done"), command("yes"), completion("done")],
  "the same words, sent and typed": [command("yes"), completion("a"), typed("yes"), completion("b")],
  "two prompts in a row": [command("yes"), command("yes"), completion("done")],
  "two permissions alike": [
    ...[command("make it twice"), question("Bash: make"), answer("Yes"), question("Bash: make"), answer("Yes")],
    completion("made"),
  ],
};

test("in whatever order hooks, the screen and the sender report, the turns are the same", async (t) => {
  let now = 1_000;
  const clock = { now: () => now, monotonic: () => now };
  const store = openStore(join(await temporaryFolder(t), "paneward.db"), clock);
  t.after(() => store.close());

  /** What is written down when this arrives. Each arrival finds a daemon that was just started. */
  function heard(happenings: readonly Happening[], arrivals: readonly Arrival[]) {
    const book = () => new AgentBook({ store, clock });
    const { id } = book().began({ id: "t1", name: "shop", cwd: "/" } as TerminalRecord, "claude", false);
    const madeAt = now;
    for (const [at, arrival] of arrivals.entries()) {
      now += 20_000;
      const before = arrivals.slice(0, at).findLastIndex(({ number }) => number < arrival.number);
      const fact = factOf(happenings, arrivals.slice(0, at), arrival, madeAt + 20_000 * (before + 1));
      // A look sees work before it sees the end, and even work that has ended already.
      if (fact.intent === "completion" && fact.way === "seen") book().said(id, { ...fact, intent: "progress" });
      book().said(id, fact);
    }
    const turns = store.turns(id, 100).map(({ actor, intent, text }) => `${actor} ${intent}: ${text}`);
    return [...turns, store.agent(id)?.state];
  }

  for (const [name, happenings] of Object.entries(conversations)) {
    const asked = happenings.map(({ said }) => said);
    const inWords = (arrivals: readonly Arrival[]) => arrivals.map(({ number, way }) => `${way} ${number}`).join(", ");
    await t.test(name, (tt) => {
      let orders = 0;
      for (const arrivals of interleaved(happenings)) {
        orders += 1;
        assert.deepEqual(heard(happenings, arrivals), [...asked, "complete"], inWords(arrivals));
      }
      tt.diagnostic(`${orders} orders`);
      assert.ok(orders > 5);
    });
    // Words that were sent and words that were typed are the same to everybody if the first hook is lost.
    const isAmbiguous = happenings.some(({ ways }) => ways.join() === "told");
    if (isAmbiguous) continue;
    await t.test(`${name}, without one of the hooks`, () => {
      const kinds = (lines: readonly (string | undefined)[]) => lines.map((line) => line?.replace(/:.*/, ""));
      for (const lost of happenings.keys()) {
        const known = happenings.map((one, number) =>
          number === lost && one.ways.length > 1 ? { ...one, ways: one.ways.filter((way) => way !== "told") } : one,
        );
        for (const arrivals of interleaved(known)) {
          assert.deepEqual(kinds(heard(known, arrivals)), kinds([...asked, "complete"]), inWords(arrivals));
        }
      }
    });
  }

  await t.test("without any hook", () => {
    const happenings = [command("yes"), completion(""), command("yes"), completion("")];
    const silent = happenings.map((one) => ({ ...one, ways: one.ways.filter((way) => way !== "told") }));
    const [arrivals = [], ...others] = interleaved(silent);
    assert.deepEqual(others, []);
    assert.deepEqual(heard(silent, arrivals), [...silent.map(({ said }) => said), "complete"]);
  });

  await t.test(
    "without hooks, work that is still drawn after its end is the same, and work that comes later is not",
    () => {
      const book = new AgentBook({ store, clock });
      const { id } = book.began({ id: "t2", name: "shop", cwd: "/" } as TerminalRecord, "opencode", false);
      const seen = { actor: "agent", way: "seen" } as const;
      const ends = [0, 1_000, 20_000].map((later) => {
        now += later;
        book.said(id, { ...seen, intent: "progress" });
        book.said(id, { ...seen, intent: "completion" });
        return store.turns(id, 100).length;
      });
      assert.deepEqual(ends, [1, 1, 2]);
    },
  );
});

/** A question has its id while it is open, and before it is answered; a hook that comes later finds it gone. */
function factOf(
  happenings: readonly Happening[],
  before: readonly Arrival[],
  { number, way }: Arrival,
  since: number,
): Fact {
  const [, actor, intent, text = ""] = /^(\w+) (\w+): (.*)$/.exec(happenings[number]?.said ?? "") ?? [];
  const said = { actor, intent, way } as Pick<Fact, "actor" | "intent" | "way">;
  const isGone = before.some((one) => one.number > number);
  if (intent === "question") return { ...said, text, ...(isGone ? {} : { question: `q${number}` }) };
  if (intent === "completion") return { ...said, text: way === "told" ? text : "" };
  const isTyped = happenings[number]?.ways.length === 1;
  if (way === "told") return { ...said, text: isTyped ? text : `${text}\n` };
  const question = intent === "answer" ? { question: `q${number - 1}` } : {};
  return { ...said, text, ...question, delivery: `d${number}`, since };
}
