import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client, Question } from "@paneward/sdk";
import { questionOnScreen } from "./read-screen.ts";

/** A terminal whose dialog A is replaced by B right after so many calls, by the same question or by another one. */
function swapping(after: number, ids: readonly [string, string]) {
  let calls = 0;
  const now = () => (calls++ < after ? "A" : "B");
  const open = (dialog: string) =>
    ({ id: ids[dialog === "A" ? 0 : 1], terminal: "t1", screenHash: dialog }) as Question;
  const client = {
    screen: async () => ({ id: "t1", lines: [now()], columns: 80, rows: 24 }),
    questions: async () => ({ questions: [open(now())] }),
  } as unknown as Pick<Client, "questions" | "screen">;
  return client;
}

test("the hash is that of the printed screen, whenever another dialog comes", async () => {
  for (const ids of [
    ["q1", "q1"],
    ["q1", "q2"],
  ] as const) {
    for (let after = 0; after < 6; after++) {
      try {
        const { question, lines } = await questionOnScreen(swapping(after, ids), "shop", undefined);
        assert.deepEqual(lines, [question.screenHash], `after ${after} calls`);
      } catch (error) {
        assert.equal((error as { errorType?: string }).errorType, "screen_changed");
      }
    }
  }
});

test("a terminal that asks nothing is named as it was given", async () => {
  const client = {
    screen: async () => ({ id: "t1", lines: [], columns: 80, rows: 24 }),
    questions: async () => ({ questions: [] }),
  } as unknown as Pick<Client, "questions" | "screen">;
  await assert.rejects(questionOnScreen(client, "shop", undefined), { message: "no question is open in shop" });
  await assert.rejects(questionOnScreen(client, "shop", "q7"), { message: "q7 is not open in shop" });
});
