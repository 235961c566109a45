import assert from "node:assert/strict";
import { until } from "../../support/until.ts";
import type { Bench } from "../bench.ts";
import type { Words } from "../words.ts";

/** One permission that is approved and one plain prompt: each thing that is said is one turn, however many ways tell of it. */
export async function oneTurnEach(bench: Bench, { run }: Words, say: (line: string) => void): Promise<void> {
  const { daemon, id, becomes, asked } = bench;
  const { client } = daemon;
  const all = async () => (await client.turns({ id, limit: 1_000 })).turns;
  const isEnd = async () => /completion|end_of_task/.test((await all()).at(-1)?.intent ?? "");
  await until("what was said before came to its end", isEnd, 60_000);
  await becomes("Idle");
  const before = (await all()).length;
  const ended = (amount: number) =>
    until(
      `${amount} completions`,
      async () => (await all()).slice(before).filter(({ intent }) => intent === "completion").length >= amount,
      60_000,
    );
  await client.send({ id, text: run("touch turned"), ack: 60 });
  const { id: question } = await asked();
  await client.respond({ id, option: 1, question });
  await ended(1);
  await becomes("Idle");
  await client.send({ id, text: "and now rest", ack: 60 });
  await ended(2);
  await becomes("Idle");
  const turns = (await all()).slice(before);
  for (const { actor, intent, text } of turns) say(`${actor} ${intent}: ${text}`);
  assert.deepEqual(
    turns.map(({ actor, intent }) => `${actor} ${intent}`),
    ["user command", "agent question", "user answer", "agent completion", "user command", "agent completion"],
  );
  assert.match(turns[1]?.text ?? "", /touch turned/);
  assert.equal(turns[4]?.text, "and now rest");
}
